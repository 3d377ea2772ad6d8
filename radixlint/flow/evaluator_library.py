"""Calls of what is not in the tree: the models are asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Outcome
from radixlint.flow.evaluator_base import Named, Values
from radixlint.flow.evaluator_reflection import Reflection
from radixlint.flow.merging import PARTS_MAX
from radixlint.flow.merging_facts import facts_of, union
from radixlint.flow.program import Call, Member, Name, Node, With
from radixlint.flow.program_walk import name_of, root_of
from radixlint.flow.values import PRINTED, Facts, Instance, Listed, Mapped, Unknown, Value, Written
from radixlint.prompt import Chance, Taint

_SELVES: Final = frozenset({"self", "this"})
_CONSTANT_MAX: Final = 80
_WORDS_MAX: Final = 8
_GO_THROUGH: Final = frozenset(
    {"join", "list", "tuple", "set", "sorted", "reversed", "map", "filter", "zip", "enumerate", "chain", "extend", "iter"}
)
_DRAWS: Final = frozenset(("sample", "sampleSize", "choice", "choices", "permutation"))


class LibraryCalls(Reflection):
    """Evaluates calls of libraries."""

    def _library(self, node: Call, name: str, receiver: Value | None, positional: Values, named: Named) -> Value:
        """Ask the models what a function of a library gives; it is unknown if they do not know it."""
        self.spend(2)
        if name.rpartition(".")[2] in _GO_THROUGH:
            positional = tuple(self.items_of(value, self.span(node)) for value in positional)
        buffer = self._buffer() if self.redirected and name == "print" and not any(key == "file" for key, _ in named) else None
        if buffer is not None:
            named = (*named, ("file", buffer))
        site = self.site(node, name, receiver, positional, named)
        self.calling.append(node)
        try:
            outcome = self.models.call(site, self)
        finally:
            self.calling.pop()
        if outcome is None:
            outcome = Outcome(self._unknown_result(node, name, receiver, positional, named))
        if outcome.receiver is not None and isinstance(node.callee, Member):
            grown = self._as_finished(node.callee.base, node, outcome.receiver)
            self.changed(node.callee.base, receiver, self._kept(node, grown))
        plain = [argument for argument in node.arguments if argument.name is None and not argument.is_spread]
        for index, value in outcome.arguments:
            if isinstance(index, str):
                self._change_named(node, index, named, value)
            elif index < len(plain) and len(plain) == len(positional):
                self.changed(plain[index].value, positional[index], value)
        self.tell_called(site, outcome)
        return outcome.result

    def redirected_to(self, node: With, buffer: Value, places: list[Node | None]) -> bool:
        """Walk a block whose prints go to ``buffer``, which stands at ``places``."""
        space = self.frame.space
        self.store.write(space, PRINTED, buffer)
        self.redirected += 1
        is_reached = self.run_block(node.body)
        self.redirected -= 1
        filled = space.bound.get(PRINTED, buffer)
        self.store.write(space, PRINTED, None)
        for place in places:
            if isinstance(place, Name):
                self._put(place, filled, is_change=True)
        return is_reached

    def _buffer(self) -> Value | None:
        """Return the buffer that what is printed goes to."""
        spaces = (frame.space for frame in reversed(self.frames))
        return next((space.bound[PRINTED] for space in spaces if PRINTED in space.bound), None)

    def _change_named(self, node: Call, name: str, named: Named, value: Value) -> None:
        place = next((argument.value for argument in node.arguments if argument.name == name), node)
        self.changed(place, dict(named).get(name), value)

    def _as_finished(self, place: Node, node: Call, value: Value) -> Value:
        """Return a list as it is where functions that run side by side add to it: in the order in which they get there."""
        frame = self.frame
        if not (frame.is_apart and frame.waits) or not isinstance(value, Listed) or frame.around is None:
            return value
        name = name_of(root_of(place))
        around = frame.around.holder(name)
        if name not in _SELVES and (around is None or around is not frame.space.holder(name)):
            return value
        return replace(value, taints=(*value.taints, Taint(Chance.IO, self.span(node), self.text(node))))

    def _kept(self, node: Call, value: Value) -> Value:
        """Return a list that grew; beyond the parts that any prompt has it is one unknown value."""
        if not isinstance(value, Listed):
            return value
        self.spend(1 + len(value.parts) // 16)
        return value if len(value.parts) <= PARTS_MAX else self.unknown(node, value)

    def _unknown_result(self, node: Call, name: str, receiver: Value | None, positional: Values, named: Named) -> Value:
        last = name.rpartition(".")[2].removesuffix("()")
        if node.is_new or (last[:1].isupper() and not last.isupper() and not isinstance(receiver, Unknown)):
            given = (*((str(i), value) for i, value in enumerate(positional)), *named)
            return Instance(name.lstrip("."), given, self.span(node))
        values = [*positional, *(value for _, value in named)]
        call = name.lstrip(".")
        if any(map(_has_messages, values)):
            # What a model answers is not made of what it was asked.
            return Unknown(Facts(calls=(call,)), self.span(node), self.text(node))
        constants = tuple(text for value in values for text in _constants(value))
        extra = Facts(calls=(call,) if call else (), constants=constants)
        if last in _DRAWS:
            # Chance comes in here, wherever what is drawn from comes from.
            return Unknown(union((facts_of(receiver, *values), extra)), self.span(node), self.text(node))
        return self.unknown(node, receiver, *values, extra=extra)


def _constants(value: Value) -> Iterator[str]:
    """Yield short fixed texts of an argument: a format, or the words of a command."""
    if isinstance(value, Written) and value.fixed and len(value.fixed) <= _CONSTANT_MAX:
        yield value.fixed
    elif isinstance(value, Listed):
        for part in value.parts[:_WORDS_MAX]:
            if isinstance(part.value, Written):
                yield from _constants(part.value)


def _has_messages(value: Value) -> bool:
    if isinstance(value, Mapped):
        return any(field.key in ("messages", "contents", "system") for field in value.fields)
    return isinstance(value, Listed) and any(
        isinstance(part.value, Mapped) and any(field.key == "role" for field in part.value.fields) for part in value.parts[:50]
    )
