"""Comprehensions: one item for each of a list written out, else one item under a loop."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from radixlint.flow.evaluator_contents import Contents
from radixlint.flow.merging import Controls
from radixlint.flow.merging_facts import carried, facts_of, taints_of
from radixlint.flow.model_orders import ITEMS_MAX, written_out
from radixlint.flow.program import Comprehension
from radixlint.flow.rounds import round_of
from radixlint.flow.scope import Space
from radixlint.flow.values import Field, Listed, Mapped, Part, Value, Written
from radixlint.prompt import Chance, ControlKind, Taint

_ORDERS: Final = (Chance.SET, Chance.IO, Chance.MAPPING)


class Comprehensions(Contents):
    """Evaluates comprehensions and generators."""

    @abstractmethod
    def decided(self, test: Value) -> bool | None:
        """Return what a test is, None if that is not known."""

    def comprehension(self, node: Comprehension) -> Value:
        """Return the list, set, mapping or generator that a comprehension gives."""
        frame = self.frame
        around, frame.space = frame.space, Space(frame.space)
        found: list[Part | Field] = []
        taints: dict[Taint, None] = {}
        try:
            self._clauses(node, 0, (), taints, found)
        finally:
            frame.space = around
        if node.value is not None:
            fields = tuple(item for item in found if isinstance(item, Field))
            return self.tell_evaluated(Mapped(fields, self.span(node), tuple(taints)), node)
        parts = tuple(item for item in found if isinstance(item, Part))
        # The elements of a set have their order from where it is iterated, whatever the order they went in.
        kept = () if node.kind.value == "set" else tuple(taints)
        return self.tell_evaluated(Listed(parts, self.span(node), node.kind.value, kept), node)

    def _clauses(
        self, node: Comprehension, at: int, controls: Controls, taints: dict[Taint, None], found: list[Part | Field]
    ) -> None:
        """Add what a comprehension gives from clause ``at`` on: one item for each of a list written out, else one in a loop."""
        if at == len(node.clauses):
            found.append(self._collected(node, controls))
            return
        clause = node.clauses[at]
        iterable = self.items_of(self.evaluate(clause.iterable), self.span(clause.iterable))
        items = written_out(iterable) if len(found) < ITEMS_MAX else None
        if items is not None and isinstance(iterable, Listed):
            taints.update(dict.fromkeys(taint for taint in iterable.taints if taint.chance in _ORDERS))
            for item in items:
                self._clause(node, at, item, controls, taints, found)
            return
        loop = self.control(ControlKind.LOOP, clause.iterable, iterable)
        element = self.models.iterated(iterable, self.span(clause.iterable), self)
        # A taint inside of an item is not one of the order of the items.
        inner = facts_of(*(part.value for part in iterable.parts)).taints if isinstance(iterable, Listed) else ()
        taints.update(dict.fromkeys(t for t in taints_of(element) if t.chance in _ORDERS and t not in inner))
        around = round_of(loop, iterable)
        self.rounds.append(around)
        try:
            self._clause(node, at, carried(element, around.span), (*controls, loop), taints, found)
        finally:
            self.rounds.pop()

    def _clause(
        self, node: Comprehension, at: int, item: Value, controls: Controls, taints: dict[Taint, None], found: list[Part | Field]
    ) -> None:
        clause = node.clauses[at]
        self.bind(clause.target, item, clause)
        for test in clause.tests:
            value = self.evaluate(test)
            decided = self.decided(value)
            if decided is False:
                return
            if decided is None:
                controls = (*controls, self.control(ControlKind.CONDITION, test, value))
        self._clauses(node, at + 1, controls, taints, found)

    def _collected(self, node: Comprehension, controls: Controls) -> Part | Field:
        element = self.evaluate(node.element)
        if node.value is None:
            return Part(element, self.span(node.element), controls)
        key = element.fixed if isinstance(element, Written) else None
        return Field(key, self.evaluate(node.value), self.span(node.element), controls)
