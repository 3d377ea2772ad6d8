"""Statements of Python as nodes of a program."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any, Final

from radixlint.flow.program import (
    Argument,
    Assign,
    Augment,
    Call,
    Class,
    Collection,
    Cut,
    Declare,
    Define,
    Display,
    Evaluate,
    For,
    Function,
    If,
    Import,
    Item,
    Member,
    Name,
    Node,
    Other,
    Outer,
    Return,
    Stop,
    Try,
    While,
    With,
)
from radixlint.flow.python_expressions import WRITTEN, Expressions, dotted
from radixlint.flow.python_patterns import chain_of_cases


class Statements:
    """Lowers statements; ``expressions`` lowers what they hold."""

    __slots__ = ("expressions", "places")

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.places = expressions.places

    def body(self, nodes: Iterable[ast.stmt]) -> tuple[Node, ...]:
        """Return the statements in order.

        Raises:
            SourceError: a literal in one is not understood.
        """
        found: list[Node] = []
        for node in nodes:
            lower = _BY_TYPE.get(type(node))
            if lower is not None:
                found += lower(self, node, *self.places.range(node))
        return tuple(found)

    def assign(self, node: ast.Assign, start: int, end: int) -> tuple[Node, ...]:
        # The value comes first, as it is evaluated first.
        value = self.expressions.lower(node.value)
        return (Assign(start, end, self.expressions.each(node.targets), value),)

    def annotated(self, node: ast.AnnAssign, start: int, end: int) -> tuple[Node, ...]:
        annotation = self.expressions.written(node.annotation)
        if node.value is not None:
            target = self.expressions.lower(node.target)
            return (Assign(start, end, (target,), self.expressions.lower(node.value), annotation),)
        return (Declare(start, end, node.target.id, annotation),) if isinstance(node.target, ast.Name) else ()

    def augmented(self, node: ast.AugAssign, start: int, end: int) -> tuple[Node, ...]:
        target, value = self.expressions.lower(node.target), self.expressions.lower(node.value)
        return (Augment(start, end, target, WRITTEN[type(node.op)], value),)

    def evaluated(self, node: ast.Expr, start: int, end: int) -> tuple[Node, ...]:
        value = node.value
        if isinstance(value, ast.Yield):
            return (Return(start, end, self.expressions.optional(value.value), is_yield=True),)
        if isinstance(value, ast.YieldFrom):
            item = Name(start, end, "<item>")
            body = (Return(start, end, item, is_yield=True),)
            return (For(start, end, item, self.expressions.lower(value.value), body),)
        return (Evaluate(start, end, self.expressions.lower(value)),)

    def returned(self, node: ast.Return, start: int, end: int) -> tuple[Node, ...]:
        return (Return(start, end, self.expressions.optional(node.value)),)

    def deleted(self, node: ast.Delete, start: int, end: int) -> tuple[Node, ...]:
        """Return what has the same effect: an empty list in the place of a cut, ``pop`` of an item."""
        found: list[Node] = []
        for target in self.expressions.each(node.targets):
            first, last = target.start, target.end
            if isinstance(target, Cut):
                found.append(Assign(start, end, (target,), Display(first, last, Collection.LIST, ())))
            elif isinstance(target, Item):
                method = Member(first, last, target.base, "pop")
                key = Argument(target.key.start, target.key.end, None, target.key)
                found.append(Evaluate(start, end, Call(first, last, method, (key,))))
        return tuple(found)

    def asserted(self, node: ast.Assert, start: int, end: int) -> tuple[Node, ...]:
        return (Evaluate(start, end, self.expressions.lower(node.test)),)

    def raised(self, node: ast.Raise, start: int, end: int) -> tuple[Node, ...]:
        return (Stop(start, end, "raise", self.expressions.optional(node.exc)),)

    def left(self, node: ast.Break | ast.Continue, start: int, end: int) -> tuple[Node, ...]:
        return (Stop(start, end, "break" if isinstance(node, ast.Break) else "continue"),)

    def condition(self, node: ast.If, start: int, end: int) -> tuple[Node, ...]:
        # A long chain of elif is deeper than a recursion may go.
        chain = [node]
        while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node = node.orelse[0]
            chain.append(node)
        rest = self.body(node.orelse)
        for link in reversed(chain):
            first, last = self.places.range(link)
            rest = (If(first, last, self.expressions.lower(link.test), self.body(link.body), rest),)
        return rest

    def loop(self, node: ast.For | ast.AsyncFor, start: int, end: int) -> tuple[Node, ...]:
        iterable = self.expressions.lower(node.iter)
        target = self.expressions.lower(node.target)
        return (For(start, end, target, iterable, self.body(node.body), self.body(node.orelse)),)

    def repeated(self, node: ast.While, start: int, end: int) -> tuple[Node, ...]:
        loop = While(start, end, self.expressions.lower(node.test), self.body(node.body))
        return (loop, *self.body(node.orelse))

    def entered(self, node: ast.With | ast.AsyncWith, start: int, end: int) -> tuple[Node, ...]:
        lower, optional = self.expressions.lower, self.expressions.optional
        items = tuple([(lower(item.context_expr), optional(item.optional_vars)) for item in node.items])
        return (With(start, end, items, self.body(node.body)),)

    def tried(self, node: Any, start: int, end: int) -> tuple[Node, ...]:
        body = (*self.body(node.body), *self.body(node.orelse))
        handlers = tuple([self._handler(handler) for handler in node.handlers])
        return (Try(start, end, body, handlers, self.body(node.finalbody)),)

    def _handler(self, node: ast.ExceptHandler) -> tuple[Node, ...]:
        body = self.body(node.body)
        if node.name is None or node.type is None:
            return body
        kind = self.expressions.lower(node.type)
        error = Assign(
            kind.start, kind.end, (Name(kind.start, kind.end, node.name),), Other(kind.start, kind.end, (kind,), "except")
        )
        return (error, *body)

    def matched(self, node: ast.Match, start: int, end: int) -> tuple[Node, ...]:
        return chain_of_cases(node, self.expressions, self.body)

    def defined(self, node: ast.FunctionDef | ast.AsyncFunctionDef, start: int, end: int) -> tuple[Node, ...]:
        parameters = self.expressions.parameters(node.args)
        returns = self.expressions.written(node.returns)
        function = Function(start, end, node.name, parameters, self._documented(node), _decorators(node), returns)
        return (Define(start, end, function),)

    def classed(self, node: ast.ClassDef, start: int, end: int) -> tuple[Node, ...]:
        bases = tuple(filter(None, map(dotted, node.bases)))
        made_by = tuple(dotted(keyword.value) for keyword in node.keywords if keyword.arg == "metaclass")
        return (Class(start, end, node.name, bases, self._documented(node), (*_decorators(node), *made_by)),)

    def _documented(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> tuple[Node, ...]:
        first = node.body[0]
        if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant) or not isinstance(first.value.value, str):
            return self.body(node.body)
        text = self.expressions.lower(first.value)
        name = Name(text.start, text.end, "__doc__")
        return (Assign(text.start, text.end, (name,), text), *self.body(node.body[1:]))

    def imported(self, node: ast.Import, start: int, end: int) -> tuple[Node, ...]:
        found: list[Node] = []
        for item in node.names:
            first = item.name.partition(".")[0]
            if item.asname is None and first != item.name:
                found.append(Import(start, end, first, alias=first))
            found.append(Import(start, end, item.name, alias=item.asname or (item.name if first == item.name else "")))
        return tuple(found)

    def imported_from(self, node: ast.ImportFrom, start: int, end: int) -> tuple[Node, ...]:
        names = tuple([(item.name, item.asname or item.name) for item in node.names])
        return (Import(start, end, "." * node.level + (node.module or ""), names),)

    def outer(self, node: ast.Global | ast.Nonlocal, start: int, end: int) -> tuple[Node, ...]:
        return (Outer(start, end, tuple(node.names), isinstance(node, ast.Global)),)


def _decorators(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> tuple[str, ...]:
    return tuple(filter(None, map(dotted, node.decorator_list)))


_BY_TYPE: Final[dict[type, Callable[[Statements, Any, int, int], tuple[Node, ...]]]] = {
    ast.Assign: Statements.assign,
    ast.AnnAssign: Statements.annotated,
    ast.AugAssign: Statements.augmented,
    ast.Expr: Statements.evaluated,
    ast.Return: Statements.returned,
    ast.Delete: Statements.deleted,
    ast.Assert: Statements.asserted,
    ast.Raise: Statements.raised,
    ast.Break: Statements.left,
    ast.Continue: Statements.left,
    ast.If: Statements.condition,
    ast.For: Statements.loop,
    ast.AsyncFor: Statements.loop,
    ast.While: Statements.repeated,
    ast.With: Statements.entered,
    ast.AsyncWith: Statements.entered,
    ast.Try: Statements.tried,
    ast.TryStar: Statements.tried,
    ast.Match: Statements.matched,
    ast.FunctionDef: Statements.defined,
    ast.AsyncFunctionDef: Statements.defined,
    ast.ClassDef: Statements.classed,
    ast.Import: Statements.imported,
    ast.ImportFrom: Statements.imported_from,
    ast.Global: Statements.outer,
    ast.Nonlocal: Statements.outer,
}
