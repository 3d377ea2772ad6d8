"""Operators: texts, lists and mappings put together from their operands."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Outcome, Site
from radixlint.flow.evaluator_own_forms import OwnForms
from radixlint.flow.merging import PARTS_MAX
from radixlint.flow.merging_facts import facts_of
from radixlint.flow.program import Argument, Binary, Call, Node
from radixlint.flow.text_parts import repeated
from radixlint.flow.values import (
    Field,
    Instance,
    Listed,
    Mapped,
    Number,
    Part,
    Several,
    Unknown,
    Value,
    Written,
)
from radixlint.prompt import Segment, Taint

_TEXT_TYPE: Final = re.compile(r"^(?:str|string|String|LiteralString)\b")
_LIST_TYPE: Final = re.compile(r"^(?:typing\.)?(?:list|List|Sequence|Array)\b|\[\]$")


class Operators(OwnForms):
    """Evaluates operators."""

    def binary(self, node: Binary) -> Value:
        """Return what an operator gives; a long sum is walked without nesting."""
        operands: list[Node] = [node.right]
        left = node.left
        while isinstance(left, Binary) and left.operator == node.operator:
            operands.append(left.right)
            left = left.left
        operands.append(left)
        return self.operated(node.operator, [self.evaluate(operand) for operand in reversed(operands)], node)

    def operated(self, operator: str, values: list[Value], node: Node) -> Value:
        """Return what an operator makes of its operands, leftmost first."""
        self.spend(len(values))
        own = self.own_operated(operator, values, node)
        if own is not None:
            return own
        if operator == "+":
            # An object of Python that says nothing of it is added to nothing.
            is_python = self.module.language != "script"
            is_object = is_python and any(isinstance(value, Instance) and value.identity for value in values)
            return self.unknown(node, *values) if is_object else self._sum(values, node)
        if operator == "%" and isinstance(values[0], Written):
            return self._formatted(values, node)
        if operator == "|":
            return self._united(values, node)
        if operator == "*" and len(values) == 2:
            return self._times(values[0], values[1], node)
        return self.unknown(node, *values)

    def _sum(self, values: list[Value], node: Node) -> Value:
        if any(map(_is_text, values)):
            return self._text_sum(values, node)
        if any(isinstance(value, Listed) for value in values) or all(_is_typed_list(value) for value in values):
            return self._list_sum(values, node)
        if all(isinstance(value, Several) for value in values) and any(_has_list(value) for value in values):
            return self._list_sum(values, node)
        return self.unknown(node, *values)

    def _text_sum(self, values: list[Value], node: Node) -> Value:
        parts: list[Segment] = []
        for value in values:
            text = value if isinstance(value, Written) else self.printed(value, node)
            parts.extend(text.parts if isinstance(text, Written) else self._as_parts(text, node))
        self.spend(len(parts) // 32)
        if len(parts) > PARTS_MAX:
            return self.unknown(node, *values)
        return Written(tuple(parts))

    def _as_parts(self, value: Value, node: Node) -> tuple[Segment, ...]:
        facts = facts_of(value)
        text = self.text(node)
        return (Segment(text, self.span(node), expression=facts.of(text), taints=facts.taints, related=facts.places),)

    def _list_sum(self, values: list[Value], node: Node) -> Value:
        parts: list[Part] = []
        taints: list[Taint] = []
        for value in values:
            parts.extend(self.spread(value, node))
            taints.extend(value.taints if isinstance(value, Listed) else ())
        self.spend(len(parts) // 32)
        if len(parts) > PARTS_MAX:
            return self.unknown(node, *values)
        kind = next((value.kind for value in values if isinstance(value, Listed)), "list")
        return Listed(tuple(parts), self.span(node), kind, tuple(dict.fromkeys(taints)))

    def spread(self, value: Value, node: Node) -> list[Part]:
        """Return the items of ``*value`` in a list."""
        value = self.gone_through(value, self.span(node))
        if isinstance(value, Listed):
            return list(value.parts)
        if isinstance(value, Several):
            return [
                replace(part, controls=controls + part.controls)
                for controls, choice in value.choices
                if not isinstance(choice, Number)
                for part in self.spread(choice, node)
            ]
        return [Part(value, self.span(node), is_spread=True)]

    def _united(self, values: list[Value], node: Node) -> Value:
        if all(isinstance(value, Mapped) for value in values):
            fields: dict[object, Field] = {}
            for value in values:
                for field in value.fields if isinstance(value, Mapped) else ():
                    fields[field.key or id(field)] = field
            return Mapped(tuple(fields.values()), self.span(node))
        if any(isinstance(value, Mapped) for value in values):
            made = [f for value in values for f in self.spread_fields(value, node)]
            return Mapped(tuple(made), self.span(node))
        if any(isinstance(value, Listed) for value in values):
            return self._list_sum(values, node)
        if any(isinstance(value, Instance) for value in values):
            return Instance("|", tuple((str(i), value) for i, value in enumerate(values)), self.span(node))
        return self.unknown(node, *values)

    def spread_fields(self, value: Value, node: Node) -> list[Field]:
        """Return the entries of ``**value`` in a mapping."""
        if isinstance(value, Mapped):
            return list(value.fields)
        if isinstance(value, Several):
            return [
                replace(field, controls=controls + field.controls)
                for controls, choice in value.choices
                if not isinstance(choice, Number)
                for field in self.spread_fields(choice, node)
            ]
        return [Field(None, value, self.span(node), is_spread=True)]

    def _times(self, left: Value, right: Value, node: Node) -> Value:
        what, times = (right, left) if isinstance(left, Number) else (left, right)
        count = times.value if isinstance(times, Number) else None
        if isinstance(what, Written) and isinstance(count, int):
            return Written(repeated(what.parts, count))
        if isinstance(what, Listed):
            return what
        return self.unknown(node, left, right)

    def _formatted(self, values: list[Value], node: Node) -> Value:
        """Ask the models for ``%`` as for a method of the text, since its placeholders are like those of ``format``."""
        result = values[0]
        for value in values[1:]:
            call = Call(node.start, node.end, node, (Argument(node.start, node.end, None, node),))
            # Places are kept by node; one made here must live as long as those of the program.
            self.made.append(call)
            site = self.site(call, ".%", result, (value,), ())
            outcome = self.models.call(site, self)
            if outcome is None:
                outcome = Outcome(self._unformatted(result, value, node))
            result = outcome.result
        return result

    def _unformatted(self, template: Value, value: Value, node: Node) -> Value:
        parts = template.parts if isinstance(template, Written) else ()
        return Written((*parts, *self._as_parts(value, node)))

    def site(
        self,
        node: Call,
        name: str,
        receiver: Value | None,
        positional: tuple[Value, ...],
        named: tuple[tuple[str, Value], ...],
    ) -> Site:
        """Return a call at its place."""
        frame = self.frame
        return Site(
            node,
            self.module,
            name,
            receiver,
            positional,
            named,
            self.span(node),
            self.text(node),
            frame.function,
            frame.callers,
            self.rounds[-1] if self.rounds else None,
        )

    def printed(self, value: Value, node: Node, form: str = "", conversion: str = "") -> Value:
        """Return ``value`` as text."""
        return self.models.printed(value, self.span(node), self, form, conversion)


def _is_text(value: Value) -> bool:
    if isinstance(value, Several):
        return any(_is_text(choice) for _, choice in value.choices)
    return isinstance(value, Written) or (isinstance(value, Unknown) and bool(_TEXT_TYPE.match(value.type)))


def _is_typed_list(value: Value) -> bool:
    return isinstance(value, Unknown) and bool(_LIST_TYPE.search(value.type))


def _has_list(value: Value) -> bool:
    return isinstance(value, Several) and any(isinstance(choice, Listed) for _, choice in value.choices)
