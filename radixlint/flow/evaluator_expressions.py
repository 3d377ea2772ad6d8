"""Expressions: displays, texts, choices, comprehensions, and chains of attributes, items and calls."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from radixlint.flow.calls import Listener, Models
from radixlint.flow.evaluator_base import LEVELS_MAX, Load, OpenTemplate
from radixlint.flow.evaluator_comprehensions import Comprehensions
from radixlint.flow.evaluator_frames import Budget
from radixlint.flow.merging import PARTS_MAX, Branch, either, several, under
from radixlint.flow.model_orders import is_set, order_taints
from radixlint.flow.program import (
    Binary,
    Bound,
    Call,
    Choice,
    Comprehension,
    Constant,
    Cut,
    Display,
    Either,
    Element,
    Entry,
    Function,
    Item,
    Joined,
    Mapping,
    Member,
    Module,
    Name,
    Node,
    Other,
    Printed,
    Spread,
    Text,
    Waited,
)
from radixlint.flow.values import Facts, Field, Instance, Listed, Mapped, Number, Part, Unknown, Value, Written
from radixlint.prompt import Chance, ControlKind, Segment, Taint

_ORDERS: Final = (Chance.SET, Chance.IO, Chance.MAPPING)
_SET_OPERATORS: Final = frozenset(("-", "&", "^"))


class Expressions(Comprehensions):
    """Evaluates expressions."""

    def __init__(
        self, module: Module, models: Models, listener: Listener, load: Load, budget: Budget, open_template: OpenTemplate | None
    ) -> None:
        super().__init__(module, models, listener, load, budget, open_template)
        self._methods: dict[type, Callable[[Any], Value]] = {kind: getattr(self, name) for kind, name in _METHODS.items()}

    def evaluate(self, node: Node) -> Value:
        """Return what an expression stands for; unknown where expressions nest too deeply."""
        budget = self.budget
        budget.left -= 1
        budget.entry_left -= 1
        if budget.left < 0:
            budget.spend(0)
        kind = type(node)
        if kind is Name:
            return self.name(node)  # type: ignore[arg-type]
        if self.levels >= LEVELS_MAX:
            return Unknown(Facts(), self.span(node), self.text(node))
        method = self._methods.get(kind)
        if method is None:
            return self.unknown(node)
        self.levels += 1
        try:
            return method(node)
        finally:
            self.levels -= 1

    def _chain(self, node: Node) -> Value:
        """Evaluate a chain (``a.b(c).d``) from its root on, however long it is."""
        links: list[Node] = []
        while True:
            kind = type(node)
            if kind is Call:
                links.append(node)
                callee = node.callee  # type: ignore[attr-defined]
                node = callee.base if type(callee) is Member else callee
            elif kind is Member or kind is Item or kind is Cut:
                links.append(node)
                node = node.base  # type: ignore[attr-defined]
            elif kind is Waited:
                node = node.value  # type: ignore[attr-defined]
                self.frame.waits = True
                self.awaited.add(id(node))
            else:
                break
        base_node = node
        root: Value | None = None
        value = self.evaluate(node)
        for link in reversed(links):
            if type(value) is Instance:
                root = value
            value = self._linked(link, value, base_node, root)
            base_node = link
        return value

    def _linked(self, link: Node, base: Value, base_node: Node, root: Value | None) -> Value:
        if isinstance(link, Call):
            if isinstance(link.callee, Member):
                return self.call_method(link, base, root)
            return self.call(link, base)
        if isinstance(link, Member):
            return self.attribute(base, link.name, link, base_node)
        if isinstance(link, Item):
            return self.item(base, link)
        assert isinstance(link, Cut)
        return self.cut(base, link)

    @abstractmethod
    def call_method(self, node: Call, base: Value, root: Value | None) -> Value:
        """Return what a method of ``base`` gives; ``root`` is the object that the chain ahead of it began with."""

    def _text(self, node: Text) -> Value:
        passage = node.passage
        return Written((passage.literal(0, len(passage.text)),) if passage.text else ())

    def _constant(self, node: Constant) -> Value:
        return Number(node.value, self.span(node))

    def _joined(self, node: Joined) -> Value:
        parts: list[Segment] = []
        for each in node.parts:
            value = self.evaluate(each)
            parts.extend(value.parts if isinstance(value, Written) else self._as_parts(value, each))
        self.spend(len(parts) // 32)
        return Written(tuple(parts)) if len(parts) <= PARTS_MAX else self.unknown(node, Written(tuple(parts)))

    def _printed(self, node: Printed) -> Value:
        return self.printed(self.evaluate(node.value), node.value, node.format, node.conversion)

    def _display(self, node: Display) -> Value:
        parts: list[Part] = []
        taints: dict[Taint, None] = {}
        for item in node.items[:PARTS_MAX]:
            if isinstance(item, Spread):
                value = self.evaluate(item.value)
                parts.extend(self.spread(value, item.value))
                taints.update(dict.fromkeys(order_taints(value, self.span(item.value))))
            else:
                parts.append(Part(self.evaluate(item), self.span(item)))
        return self.tell_evaluated(Listed(tuple(parts), self.span(node), node.kind.value, tuple(taints)), node)

    def _mapping(self, node: Mapping) -> Value:
        fields: list[Field] = []
        for entry in node.entries[:PARTS_MAX]:
            fields.extend(self._entry(entry))
        return Mapped(tuple(fields), self.span(node))

    def _entry(self, entry: Entry) -> list[Field]:
        value = self.evaluate(entry.value)
        if entry.key is None:
            return self.spread_fields(value, entry.value)
        key = self.evaluate(entry.key)
        return [Field(key.fixed if isinstance(key, Written) else None, value, self.span(entry))]

    def _choice(self, node: Choice) -> Value:
        test = self.evaluate(node.test)
        decided = self.decided(test)
        if decided is not None:
            return self.evaluate(node.yes if decided else node.no)
        control = self.control(ControlKind.CONDITION, node.test, test)
        yes, no = self.evaluate(node.yes), self.evaluate(node.no)
        return either([((control,), yes), ((replace(control, branch=1),), no)])

    def decided(self, test: Value) -> bool | None:
        """Return what a test is known to be: of text by what is fixed in it, else where a call gave its value.

        The code of an entry is walked as a whole.
        """
        if isinstance(test, Written) and any(part.expression is None and part.text and not part.controls for part in test.parts):
            return True
        if not self.frame.callers or not isinstance(test, Number):
            return None
        return bool(test.value)

    def _either(self, node: Either) -> Value:
        branches: list[Branch] = []
        first = node.operands[0]
        values = [self.evaluate(operand) for operand in node.operands]
        control = self.control(ControlKind.CONDITION, first, values[0])
        if node.operator == "and":
            if isinstance(values[0], Number):
                return values[-1] if values[0].value else values[0]
            return under(values[-1], (control,))
        for number, value in enumerate(values):
            if isinstance(value, Number) and not value.value and number < len(values) - 1:
                continue
            if number < len(values) - 1 and isinstance(value, Written) and value.fixed == "":
                continue
            branches.append(((replace(control, branch=number),), value))
            if isinstance(value, Written) and value.fixed:
                break
        return several(branches) if len(branches) > 1 else branches[0][1]

    def _function(self, node: Function) -> Value:
        return self.function_value(node, self.frame.space)

    def _bound(self, node: Bound) -> Value:
        value = self.as_filled(node.target, self.evaluate(node.value), node)
        self.bind(node.target, value, node)
        return value

    def _other(self, node: Other) -> Value:
        values = [self.evaluate(child) for child in node.children]
        if node.operator in _SET_OPERATORS and (any(map(is_set, values)) or any(map(_is_view, node.children))):
            parts = values[0].parts if isinstance(values[0], Listed) else (Part(values[0], self.span(node), is_spread=True),)
            return Listed(parts, self.span(node), "set")
        if node.operator == "/":
            # A path is put together; its words tell which file is read.
            words = tuple(value.fixed for value in values if isinstance(value, Written) and value.fixed)
            return self.unknown(node, *values, extra=Facts(constants=words))
        return self.unknown(node, *values)

    def _element(self, node: Element) -> Value:
        """A JSX element of the tree is what its function gives; else a mapping of its attributes with its children."""
        fields = [field for entry in node.attributes for field in self._entry(entry)]
        children = Listed(tuple(Part(self.evaluate(child), self.span(child)) for child in node.children), self.span(node))
        component = self.component(node, fields, children)
        if component is not None:
            return component
        given = (*((field.key or "", field.value) for field in fields), ("children", children))
        return Instance(f"<{node.name}>", given, self.span(node))

    @abstractmethod
    def component(self, node: Element, fields: list[Field], children: Value) -> Value | None:
        """Return what a component of the tree gives."""


def _is_view(node: Node) -> bool:
    """Whether an operand is ``mapping.keys()``, whose difference with another is a set."""
    return isinstance(node, Call) and isinstance(node.callee, Member) and node.callee.name == "keys" and not node.arguments


_METHODS: Final[dict[type, str]] = {
    Text: "_text",
    Constant: "_constant",
    Name: "name",
    Joined: "_joined",
    Printed: "_printed",
    Binary: "binary",
    Display: "_display",
    Mapping: "_mapping",
    Choice: "_choice",
    Either: "_either",
    Function: "_function",
    Bound: "_bound",
    Other: "_other",
    Element: "_element",
    Comprehension: "comprehension",
    Member: "_chain",
    Item: "_chain",
    Cut: "_chain",
    Call: "_chain",
    Waited: "_chain",
}
