"""Expressions of TypeScript and JavaScript as nodes of a program; what nests to the left may be of any length."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from radixlint.flow.program import (
    Argument,
    Binary,
    Bound,
    Call,
    Choice,
    Constant,
    Cut,
    Either,
    Item,
    Member,
    Name,
    Node,
    Other,
    Spread,
    Waited,
)
from radixlint.flow.script_displays import Displays
from radixlint.flow.script_functions import Functions
from radixlint.flow.script_places import ByteOffsets
from radixlint.flow.script_targets import Targets
from radixlint.flow.script_tree import IncompleteTree, Scopes, first, inner, parts
from radixlint.flow.script_types import Types, text_of, written_type
from radixlint.passage import Passage

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

_LOGICAL: Final = {"||": "or", "&&": "and", "??": "??"}
# What a chain goes through to its root, by the field of the next link; an empty one is the first child.
_LINKS: Final = {
    "member_expression": "object",
    "subscript_expression": "object",
    "call_expression": "function",
    "await_expression": "",
    "parenthesized_expression": "",
    "non_null_expression": "",
    "as_expression": "",
    "satisfies_expression": "",
    "instantiation_expression": "",
}
_WORDS: Final = {"true": True, "false": False, "null": None, "undefined": None}


class Expressions:
    """Lowers the expressions of one parse; ``text`` is what they were taken from."""

    __slots__ = ("_by_type", "displays", "functions", "passage", "range", "targets", "text", "types")

    def __init__(self, passage: Passage, places: ByteOffsets, root: Tree) -> None:
        self.passage = passage
        self.text = passage.text
        self.range = places.range
        self.types = Types(root)
        scopes = Scopes()
        self.targets = Targets(self, scopes)
        self.displays = Displays(self)
        self.functions = Functions(self, scopes)
        self._by_type = self._table()

    def lower(self, tree: Tree) -> Node:
        """Return the node of ``tree``.

        Raises:
            IncompleteTree: a part of it is missing.
        """
        kind = tree.type
        if kind in _LINKS:
            return self._chain(tree)
        start, end = self.range(tree)
        if kind == "identifier":
            return Name(start, end, self.text[start:end])
        lower = self._by_type.get(kind)
        return self.other(tree, start, end) if lower is None else lower(tree, start, end)

    def each(self, trees: Iterable[Tree]) -> tuple[Node, ...]:
        """Return the nodes in order."""
        return tuple([self.lower(tree) for tree in trees])

    def annotation(self, tree: Tree, field: str = "type") -> str:
        """Return the type that is written at ``tree``."""
        found = written_type(tree.child_by_field_name(field))
        return "" if found is None else text_of(found)

    def key(self, tree: Tree) -> Node:
        """Return the key of an entry: a plain word is a text, and so is a number."""
        start, end = self.range(tree)
        if tree.type == "computed_property_name":
            return self.lower(first(tree))
        return self.lower(tree) if tree.type == "string" else self.displays.word(start, end)

    def other(self, tree: Tree, start: int, end: int) -> Node:
        """Return an expression of which only its parts count."""
        operator = tree.child_by_field_name("operator")
        return Other(start, end, self.each(parts(tree)), operator.type if operator is not None else "")

    def _chain(self, tree: Tree) -> Node:
        links: list[Tree] = []
        while (field := _LINKS.get(tree.type)) is not None:
            links.append(tree)
            tree = inner(tree, field) if field else first(tree)
        value = self.lower(tree) if tree.type != "import" else Name(*self.range(tree), "require")
        for link in reversed(links):
            value = self._linked(link, value)
        return value

    def _linked(self, link: Tree, base: Node) -> Node:
        start, end = self.range(link)
        kind = link.type
        if kind == "member_expression":
            word, last = self.range(inner(link, "property"))
            return Member(start, end, base, self.text[word:last].removeprefix("#"))
        if kind == "call_expression":
            return self._call(link, base, start, end)
        if kind == "subscript_expression":
            return Item(start, end, base, self.lower(inner(link, "index")))
        return Waited(start, end, base) if kind == "await_expression" else base

    def _call(self, link: Tree, callee: Node, start: int, end: int) -> Node:
        given = inner(link, "arguments")
        if given.type == "template_string":
            is_raw = isinstance(callee, Member) and callee.name == "raw"
            template = self.displays.template(given, *self.range(given), is_raw=is_raw)
            return Call(start, end, callee, (Argument(template.start, template.end, None, template),))
        arguments = self.arguments(given)
        return _method(start, end, callee, arguments) or Call(start, end, callee, arguments)

    def arguments(self, tree: Tree | None) -> tuple[Argument, ...]:
        """Return the arguments of a call; none where no parentheses are written."""
        found = []
        for value in self.each(parts(tree)) if tree is not None else ():
            is_spread = isinstance(value, Spread)
            found.append(Argument(value.start, value.end, None, value.value if isinstance(value, Spread) else value, is_spread))
        return tuple(found)

    def _new(self, tree: Tree, start: int, end: int) -> Node:
        callee = self.lower(inner(tree, "constructor"))
        return Call(start, end, callee, self.arguments(tree.child_by_field_name("arguments")), is_new=True)

    def _binary(self, tree: Tree, start: int, end: int) -> Node:
        # Sums lean to the left, and long ones are deeper than a recursion may go.
        chain: list[Tree] = []
        while tree.type == "binary_expression":
            chain.append(tree)
            tree = inner(tree, "left")
        value = self.lower(tree)
        for link in reversed(chain):
            operator, right = inner(link, "operator").type, self.lower(inner(link, "right"))
            first_, last = self.range(link)
            if operator in _LOGICAL:
                known = value.operands if isinstance(value, Either) and value.operator == _LOGICAL[operator] else (value,)
                value = Either(first_, last, _LOGICAL[operator], (*known, right)) if len(known) < _MOST else value
            elif operator == "+":
                value = Binary(first_, last, "+", value, right)
            else:
                value = Other(first_, last, (_number(value), _number(right)), operator)
        return value

    def _choice(self, tree: Tree, start: int, end: int) -> Node:
        chain = [tree]
        while (other := inner(chain[-1], "alternative")).type == "ternary_expression":
            chain.append(other)
        value = self.lower(other)
        for link in reversed(chain):
            test, yes = self.lower(inner(link, "condition")), self.lower(inner(link, "consequence"))
            value = Choice(*self.range(link), test, yes, value)
        return value

    def _unary(self, tree: Tree, start: int, end: int) -> Node:
        operator, operand = inner(tree, "operator").type, self.lower(inner(tree, "argument"))
        if operator == "-" and isinstance(operand, Constant) and operand.value is not None:
            return Constant(start, end, -operand.value)
        if operator == "typeof":
            # The word for a type is none of what the value is made of.
            return Other(start, end, (), operator)
        return _number(operand) if operator == "+" else Other(start, end, (operand,), operator)

    def _number(self, tree: Tree, start: int, end: int) -> Node:
        written = self.text[start:end].removesuffix("n")
        for read in (lambda: int(written, 0), lambda: float(written)):
            try:
                return Constant(start, end, read())
            except (ValueError, OverflowError):
                continue
        return Other(start, end, (), written[:20])

    def _word(self, tree: Tree, start: int, end: int) -> Node:
        return Constant(start, end, _WORDS[tree.type])

    def _own_name(self, tree: Tree, start: int, end: int) -> Node:
        return Name(start, end, self.text[start:end])

    def _leaf(self, tree: Tree, start: int, end: int) -> Node:
        return Other(start, end, (), self.text[start:end])

    def _assigned(self, tree: Tree, start: int, end: int) -> Node:
        value = self.lower(inner(tree, "right"))
        return Bound(start, end, self.targets.lower(inner(tree, "left"), declares=False), value)

    def _augmented(self, tree: Tree, start: int, end: int) -> Node:
        operator = inner(tree, "operator").type.removesuffix("=")
        old, right = self.lower(inner(tree, "left")), self.lower(inner(tree, "right"))
        target = self.targets.lower(inner(tree, "left"), declares=False)
        if operator in _LOGICAL:
            return Bound(start, end, target, Either(start, end, _LOGICAL[operator], (old, right)))
        value = Binary(start, end, "+", old, right) if operator == "+" else Other(start, end, (old, right), operator)
        return Bound(start, end, target, value)

    def _counted(self, tree: Tree, start: int, end: int) -> Node:
        old, one = self.lower(inner(tree, "argument")), Constant(start, end, 1)
        target = self.targets.lower(inner(tree, "argument"), declares=False)
        operator = inner(tree, "operator").type[0]
        value = Binary(start, end, "+", old, one) if operator == "+" else Other(start, end, (old, one), operator)
        return Bound(start, end, target, value)

    def _last(self, tree: Tree, start: int, end: int) -> Node:
        # Of ``<T>value`` and of ``do, then`` the last is the value.
        found = parts(tree)
        if not found:
            raise IncompleteTree
        return self.lower(found[-1])

    def _spread(self, tree: Tree, start: int, end: int) -> Node:
        return Spread(start, end, self.lower(first(tree)))

    def _table(self) -> dict[str, Callable[[Tree, int, int], Node]]:
        displays, functions = self.displays, self.functions
        return {
            "string": displays.string,
            "template_string": displays.template,
            "array": displays.array,
            "object": displays.mapping,
            "jsx_element": displays.element,
            "jsx_self_closing_element": displays.element,
            "jsx_expression": displays.filled,
            "arrow_function": functions.function,
            "function_expression": functions.function,
            "function": functions.function,
            "generator_function": functions.function,
            "binary_expression": self._binary,
            "ternary_expression": self._choice,
            "unary_expression": self._unary,
            "new_expression": self._new,
            "assignment_expression": self._assigned,
            "augmented_assignment_expression": self._augmented,
            "update_expression": self._counted,
            "sequence_expression": self._last,
            "type_assertion": self._last,
            "spread_element": self._spread,
            "number": self._number,
            "regex": self._leaf,
            "class": self._leaf,
            "this": self._own_name,
            "super": self._own_name,
            **dict.fromkeys(_WORDS, self._word),
        }


_MOST: Final = 2_000


def _number(operand: Node) -> Node:
    """Return a moment that is calculated with as the number that it stands for."""
    if not isinstance(operand, Call) or not operand.is_new or not isinstance(operand.callee, Name):
        return operand
    start, end = operand.start, operand.end
    return Call(start, end, Name(start, start, "Number"), (Argument(start, end, None, operand),))


def _method(start: int, end: int, callee: Node, arguments: tuple[Argument, ...]) -> Node | None:
    """Return what the methods that take a part of a list mean: its newest items, one item; None for all other calls."""
    if not isinstance(callee, Member) or len(arguments) not in (1, 2) or any(given.is_spread for given in arguments):
        return None
    given = arguments[0].value
    upper = arguments[1].value if len(arguments) == 2 else None
    if callee.name == "at" and isinstance(given, Constant) and upper is None:
        return Item(start, end, callee.base, given)
    is_newest = callee.name == "slice" and _is_from_end(given) and (upper is None or _is_from_end(upper))
    return Cut(start, end, callee.base, given, upper) if is_newest else None


def _is_from_end(bound: Node) -> bool:
    if isinstance(bound, Constant):
        return isinstance(bound.value, int | float) and bound.value < 0
    if isinstance(bound, Call) and isinstance(bound.callee, Member) and bound.callee.name == "max":
        return any(_is_from_end(given.value) for given in bound.arguments)
    if not isinstance(bound, Other) or bound.operator != "-":
        return False
    first = bound.children[0]
    return len(bound.children) == 1 or (isinstance(first, Member) and first.name == "length")
