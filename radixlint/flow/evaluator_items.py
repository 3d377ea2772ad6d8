"""Items and cuts: what stands at a key or between bounds, as far as both are known."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from radixlint.flow.evaluator_operators import Operators
from radixlint.flow.evaluator_targets import plain_index
from radixlint.flow.merging import several
from radixlint.flow.merging_facts import carried, facts_of
from radixlint.flow.program import Cut, Item
from radixlint.flow.values import (
    Facts,
    Instance,
    Library,
    Listed,
    Mapped,
    Number,
    Several,
    Unknown,
    Value,
    Written,
)
from radixlint.prompt import ControlKind

_CHOICES_MAX: Final = 12
# How often something is in a list is made of that list; it counts no requests.
_COUNTERS: Final = frozenset({"collections.Counter", "Counter"})


class Items(Operators):
    """Evaluates items and cuts."""

    def item(self, base: Value, node: Item) -> Value:
        """Return ``base[key]``."""
        key = self.evaluate(node.key)
        if isinstance(base, Several):
            return several([(controls, self._item(each, key, node)) for controls, each in base.choices])
        found = self.own(base, ("__getitem__",), (key,), self.span(node))
        if found is not None:
            return found
        return self._item(self.items_of(base, self.span(node)) if isinstance(key, Number) else base, key, node)

    def _item(self, base: Value, key: Value, node: Item) -> Value:
        fixed = key.fixed if isinstance(key, Written) else None
        if isinstance(base, Mapped):
            return self._of_mapping(base, key, fixed, node)
        if isinstance(base, Unknown) and fixed is not None:
            return self.attribute(base, fixed, node, node.base)
        if isinstance(base, Listed):
            index = plain_index(base, key) if isinstance(key, Number) else None
            if index is not None:
                return base.parts[index].value
            if base.parts and not isinstance(key, Unknown):
                return self.models.iterated(base, self.span(node), self)
        if isinstance(base, Unknown) and isinstance(key, Number):
            # One item of many is called as they are.
            return replace(base, span=self.span(node), text=self.text(node), type="") if not base.facts.calls else base
        if isinstance(base, Library) and fixed is not None:
            return self.unknown(node, extra=Facts(names=(f"{base.name}.{fixed}",)))
        if isinstance(base, Instance) and fixed is not None and base.made not in _COUNTERS:
            return self.attribute(base, fixed, node, node.base)
        return self.unknown(node, base, key)

    def _of_mapping(self, base: Mapped, key: Value, fixed: str | None, node: Item) -> Value:
        if fixed is not None:
            found = base.get(fixed)
            if found is not None:
                return self.count_at(found, node)
            others = [field.value for field in base.fields if field.key is None]
            if len(others) == 1 and isinstance(others[0], Unknown):
                return self.attribute(others[0], fixed, node, node.base)
            return self.unknown(node, *others) if others else self.unknown(node, base)
        fields = base.fields
        taints = facts_of(key).taints
        if len(fields) == 1 and not taints:
            return fields[0].value
        if not fields or len(fields) > _CHOICES_MAX or taints:
            return self.unknown(node, *(field.value for field in fields), key)
        control = self.control(ControlKind.CONDITION, node.key, key)
        return several([((replace(control, branch=number),), field.value) for number, field in enumerate(fields)])

    def cut(self, base: Value, node: Cut) -> Value:
        """Return ``base[lower:upper]``: its parts where both bounds are known, else all of them."""
        bounds = [self.evaluate(bound) if bound is not None else None for bound in (node.lower, node.upper, node.step)]
        found = self._cut(base, bounds, node)
        # What comes of the end of a list is followed to where it is sent.
        found = carried(found, self.span(node)) if node.lower is not None and isinstance(found, Listed | Unknown) else found
        return self.tell_evaluated(found, node)

    def _cut(self, base: Value, bounds: list[Value | None], node: Cut) -> Value:
        numbers = [bound.value for bound in bounds if isinstance(bound, Number)]
        is_known = len(numbers) == len([bound for bound in bounds if bound is not None])
        whole = [bound.value if isinstance(bound, Number) and isinstance(bound.value, int) else None for bound in bounds]
        if isinstance(base, Written) and len(base.parts) == 1:
            return self._cut_text(base, slice(*whole) if is_known and whole[2] != 0 else None, node)
        if isinstance(base, Listed):
            return _cut_list(base, whole) if is_known and whole[2] != 0 else base
        if isinstance(base, Unknown):
            span, text = self.span(node), self.text(node)
            if base.facts.calls and not text.startswith(base.text):
                span, text = base.span, base.text + self.module.passage.text[node.base.end : node.end]
            return replace(base, span=span, text=text)
        if isinstance(base, Several):
            return several([(controls, self._cut(each, bounds, node)) for controls, each in base.choices])
        return base if isinstance(base, Written | Mapped) else self.unknown(node, base, *bounds)

    def _cut_text(self, base: Written, cut: slice | None, node: Cut) -> Value:
        part = base.parts[0]
        if part.expression is None:
            if cut is None:
                return base
            return Written((replace(part, text=part.text[cut], offsets=()),))
        text = part.expression.text + self.module.passage.text[node.base.end : node.end]
        return Written((replace(part, text=text, expression=replace(part.expression, text=text)),))


def _cut_list(base: Listed, bounds: list[int | None]) -> Listed:
    """Return the items between constant bounds, all of them where it is not known which these are."""
    lower, upper, step = bounds
    ahead = base.parts
    if step is None and (lower or 0) >= 0 and (upper is None or upper >= 0):
        ahead = base.parts[: lower if upper is None else upper]
    if any(part.controls or part.is_spread for part in ahead):
        return base
    return replace(base, parts=base.parts[lower:upper:step], identity=0)
