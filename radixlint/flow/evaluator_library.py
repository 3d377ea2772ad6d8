"""Calls of what is not in the tree: the models are asked, a few functions look into objects of the program."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Outcome
from radixlint.flow.evaluator_base import Named, Values
from radixlint.flow.evaluator_expressions import Expressions
from radixlint.flow.merging import PARTS_MAX
from radixlint.flow.program import Call, Member
from radixlint.flow.values import (
    Callback,
    Facts,
    Field,
    Instance,
    Listed,
    Mapped,
    Unknown,
    Value,
    Written,
)

_CONSTANT_MAX: Final = 80
_WORDS_MAX: Final = 8
_PARTIALS: Final = frozenset({"functools.partial", "functools.partialmethod"})


class LibraryCalls(Expressions):
    """Evaluates calls of libraries."""

    def _library(self, node: Call, name: str, receiver: Value | None, positional: Values, named: Named) -> Value:
        """Ask the models what a function of a library gives; it is unknown if they do not know it."""
        self.spend(2)
        site = self.site(node, name, receiver, positional, named)
        self.calling.append(node)
        try:
            outcome = self.models.call(site, self)
        finally:
            self.calling.pop()
        if outcome is None:
            outcome = Outcome(self._unknown_result(node, name, receiver, positional, named))
        if outcome.receiver is not None and isinstance(node.callee, Member):
            self.changed(node.callee.base, receiver, self._kept(node, outcome.receiver))
        plain = [argument for argument in node.arguments if argument.name is None and not argument.is_spread]
        for index, value in outcome.arguments:
            if index < len(plain) and len(plain) == len(positional):
                self.changed(plain[index].value, positional[index], value)
        self.tell_called(site, outcome)
        return outcome.result

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
        return self.unknown(node, receiver, *values, extra=extra)

    def _special(self, node: Call, name: str, positional: Values, named: Named) -> Value | None:
        """Return what functions give that look into objects of the program, None for all others."""
        first = positional[0] if positional else None
        if name in _PARTIALS and isinstance(first, Callback):
            rest = tuple((str(index), value) for index, value in enumerate(positional[1:]))
            return replace(first, bound=(*first.bound, *rest, *named))
        if name in ("getattr", "dataclasses.asdict", "vars", "attr.asdict", "attrs.asdict") and first is not None:
            if name != "getattr":
                return self._as_mapping(first) if isinstance(first, Instance) and first.identity else None
            key = positional[1] if len(positional) > 1 else None
            if isinstance(key, Written) and key.fixed and key.fixed.isidentifier():
                return self.attribute(first, key.fixed, node, node.arguments[0].value)
        if name == "require" and isinstance(first, Written) and first.fixed and self.module.language == "script":
            return self.required(first.fixed)
        return None

    @abstractmethod
    def required(self, module: str) -> Value:
        """Return the module that ``require`` gives."""

    def _as_mapping(self, value: Instance) -> Value:
        space = self.objects[value.identity][0]
        fields = tuple(
            Field(name, self.resolved(each, space, name), value.span)
            for name, each in space.bound.items()
            if not name.startswith("_")
        )
        return Mapped(fields, value.span)


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
