"""Expressions of Python as nodes of a program, each with its range."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any, Final

from radixlint.flow.program import (
    Argument,
    Binary,
    Bound,
    Call,
    Choice,
    Clause,
    Collection,
    Comprehension,
    Constant,
    Cut,
    Display,
    Either,
    Entry,
    Function,
    Item,
    Mapping,
    Member,
    Name,
    Node,
    Other,
    Parameter,
    Return,
    Spread,
    Waited,
)
from radixlint.flow.python_places import Places
from radixlint.flow.python_texts import fixed_text, formatted_text
from radixlint.passage import Passage

_FOLLOWED: Final[dict[type, str]] = {ast.Add: "+", ast.Mod: "%", ast.BitOr: "|", ast.Mult: "*"}
WRITTEN: Final[dict[type, str]] = {
    ast.Sub: "-",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitXor: "^",
    ast.Not: "not",
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Invert: "~",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    **_FOLLOWED,
}


def dotted(node: ast.AST) -> str:
    """Return ``a.b.c`` as written, of a call its callee, of ``a[b]`` the ``a``; empty for anything else."""
    names: list[str] = []
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            return ""
    return ".".join((node.id, *reversed(names)))


class Expressions:
    """Lowers the expressions of one parse; ``text`` is what they were taken from, ``places`` says where they stand in it."""

    __slots__ = ("passage", "places", "text")

    def __init__(self, passage: Passage, places: Places) -> None:
        self.passage = passage
        self.places = places
        self.text = passage.text

    def lower(self, node: ast.expr) -> Node:
        """Return the node of ``node``.

        Raises:
            SourceError: a literal in it is not understood.
        """
        start, end = self.places.range(node)
        return _BY_TYPE.get(type(node), Expressions.other)(self, node, start, end)

    def each(self, nodes: Iterable[ast.expr]) -> tuple[Node, ...]:
        """Return the nodes in order."""
        return tuple([self.lower(node) for node in nodes])

    def optional(self, node: ast.expr | None) -> Node | None:
        """Return the node, None for None."""
        return None if node is None else self.lower(node)

    def written(self, node: ast.expr | None) -> str:
        """Return an annotation as written, without the quotes of one in quotes."""
        if node is None:
            return ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value.strip()
        start, end = self.places.range(node)
        return self.text[start:end]

    def other(self, node: ast.AST, start: int, end: int) -> Node:
        """Return an expression of which only its parts count."""
        return Other(start, end, self.each(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)))

    def name(self, node: ast.Name, start: int, end: int) -> Node:
        return Name(start, end, node.id)

    def member(self, node: ast.Attribute, start: int, end: int) -> Node:
        return Member(start, end, self.lower(node.value), node.attr)

    def constant(self, node: ast.Constant, start: int, end: int) -> Node:
        value = node.value
        if isinstance(value, str | bytes):
            return fixed_text(self.passage, start, end, value)
        if value is None or isinstance(value, int | float):
            return Constant(start, end, value)
        return Other(start, end, (), self.text[start:end])

    def formatted(self, node: Any, start: int, end: int) -> Node:
        values = [part.value for part in node.values if not isinstance(part, ast.Constant)]
        return formatted_text(self, start, end, values)

    def item(self, node: ast.Subscript, start: int, end: int) -> Node:
        base, key = self.lower(node.value), node.slice
        if isinstance(key, ast.Slice):
            return Cut(start, end, base, self.optional(key.lower), self.optional(key.upper), self.optional(key.step))
        return Item(start, end, base, self.lower(key))

    def call(self, node: ast.Call, start: int, end: int) -> Node:
        callee = self.lower(node.func)
        arguments = [self._positional(value) for value in node.args]
        for keyword in node.keywords:
            is_spread = keyword.arg is None
            place = self.places.range(keyword)
            arguments.append(Argument(*place, "**" if is_spread else keyword.arg, self.lower(keyword.value), is_spread))
        # Two of a kind may stand in any order: f(a=1, *rest).
        arguments.sort(key=_start)
        return Call(start, end, callee, tuple(arguments))

    def _positional(self, node: ast.expr) -> Argument:
        value = self.lower(node)
        if isinstance(value, Spread):
            return Argument(value.start, value.end, None, value.value, is_spread=True)
        return Argument(value.start, value.end, None, value)

    def binary(self, node: ast.BinOp, start: int, end: int) -> Node:
        # Sums lean to the left, and long ones are deeper than a recursion may go.
        chain: list[tuple[ast.BinOp, int, int]] = [(node, start, end)]
        left = node.left
        while isinstance(left, ast.BinOp):
            chain.append((left, *self.places.range(left)))
            left = left.left
        result = self.lower(left)
        for link, first, last in reversed(chain):
            right, operator = self.lower(link.right), type(link.op)
            if operator in _FOLLOWED:
                result = Binary(first, last, _FOLLOWED[operator], result, right)
            else:
                result = Other(first, last, (result, right), WRITTEN[operator])
        return result

    def unary(self, node: ast.UnaryOp, start: int, end: int) -> Node:
        operand = self.lower(node.operand)
        if isinstance(node.op, ast.USub) and isinstance(operand, Constant) and operand.value is not None:
            return Constant(start, end, -operand.value)
        return Other(start, end, (operand,), WRITTEN[type(node.op)])

    def compare(self, node: ast.Compare, start: int, end: int) -> Node:
        operators = " ".join([WRITTEN[type(operator)] for operator in node.ops])
        return Other(start, end, self.each((node.left, *node.comparators)), operators)

    def either(self, node: ast.BoolOp, start: int, end: int) -> Node:
        return Either(start, end, "or" if isinstance(node.op, ast.Or) else "and", self.each(node.values))

    def choice(self, node: ast.IfExp, start: int, end: int) -> Node:
        return Choice(start, end, self.lower(node.test), self.lower(node.body), self.lower(node.orelse))

    def spread(self, node: ast.Starred, start: int, end: int) -> Node:
        return Spread(start, end, self.lower(node.value))

    def display(self, node: ast.List | ast.Tuple | ast.Set, start: int, end: int) -> Node:
        return Display(start, end, _KINDS[type(node)], self.each(node.elts))

    def mapping(self, node: ast.Dict, start: int, end: int) -> Node:
        entries = []
        for key, value in zip(map(self.optional, node.keys), map(self.lower, node.values), strict=True):
            entries.append(Entry(value.start if key is None else key.start, value.end, key, value))
        return Mapping(start, end, tuple(entries))

    def comprehension(self, node: Any, start: int, end: int) -> Node:
        clauses = tuple([self._clause(clause) for clause in node.generators])
        if isinstance(node, ast.DictComp):
            return Comprehension(start, end, Collection.DICT, self.lower(node.key), self.lower(node.value), clauses)
        return Comprehension(start, end, _KINDS[type(node)], self.lower(node.elt), None, clauses)

    def _clause(self, node: ast.comprehension) -> Clause:
        target, iterable, tests = self.lower(node.target), self.lower(node.iter), self.each(node.ifs)
        return Clause(target.start, tests[-1].end if tests else iterable.end, target, iterable, tests)

    def waited(self, node: ast.Await, start: int, end: int) -> Node:
        return Waited(start, end, self.lower(node.value))

    def bound(self, node: ast.NamedExpr, start: int, end: int) -> Node:
        return Bound(start, end, self.lower(node.target), self.lower(node.value))

    def function(self, node: ast.Lambda, start: int, end: int) -> Node:
        body = self.lower(node.body)
        return Function(start, end, "", self.parameters(node.args), (Return(body.start, body.end, body),))

    def parameters(self, node: ast.arguments) -> tuple[Parameter, ...]:
        """Return the parameters of a function in order."""
        plain = [*node.posonlyargs, *node.args]
        missing: list[ast.expr | None] = [None] * (len(plain) - len(node.defaults))
        rows: list[tuple[ast.arg, ast.expr | None, str]] = [
            (item, default, "") for item, default in zip(plain, [*missing, *node.defaults], strict=True)
        ]
        if node.vararg:
            rows.append((node.vararg, None, "*"))
        rows += [(item, default, "") for item, default in zip(node.kwonlyargs, node.kw_defaults, strict=True)]
        if node.kwarg:
            rows.append((node.kwarg, None, "**"))
        return tuple([self._parameter(*row) for row in rows])

    def _parameter(self, node: ast.arg, default: ast.expr | None, kind: str) -> Parameter:
        start, end = self.places.range(node)
        value = self.optional(default)
        return Parameter(start, end, node.arg, self.written(node.annotation), value, kind)


def _start(node: Node) -> int:
    return node.start


_KINDS: Final[dict[type, Collection]] = {
    ast.List: Collection.LIST,
    ast.Tuple: Collection.TUPLE,
    ast.Set: Collection.SET,
    ast.ListComp: Collection.LIST,
    ast.SetComp: Collection.SET,
    ast.GeneratorExp: Collection.GENERATOR,
}
_BY_TYPE: Final[dict[type, Callable[[Expressions, Any, int, int], Node]]] = {
    ast.Name: Expressions.name,
    ast.Attribute: Expressions.member,
    ast.Constant: Expressions.constant,
    ast.JoinedStr: Expressions.formatted,
    ast.Call: Expressions.call,
    ast.Subscript: Expressions.item,
    ast.BinOp: Expressions.binary,
    ast.UnaryOp: Expressions.unary,
    ast.Compare: Expressions.compare,
    ast.BoolOp: Expressions.either,
    ast.IfExp: Expressions.choice,
    ast.Starred: Expressions.spread,
    ast.List: Expressions.display,
    ast.Tuple: Expressions.display,
    ast.Set: Expressions.display,
    ast.Dict: Expressions.mapping,
    ast.ListComp: Expressions.comprehension,
    ast.SetComp: Expressions.comprehension,
    ast.DictComp: Expressions.comprehension,
    ast.GeneratorExp: Expressions.comprehension,
    ast.Await: Expressions.waited,
    ast.NamedExpr: Expressions.bound,
    ast.Lambda: Expressions.function,
}
if hasattr(ast, "TemplateStr"):  # Python 3.14
    _BY_TYPE[ast.TemplateStr] = Expressions.formatted
