"""Functions, methods and classes of TypeScript and JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from radixlint.flow.program import Assign, Class, Constant, Declare, Define, Function, Member, Name, Node, Outer, Return
from radixlint.flow.script_tree import IncompleteTree, Scopes, first, has_word, inner, parts

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

    from radixlint.flow.script_expressions import Expressions

FUNCTIONS: Final = ("arrow_function", "function_expression", "function", "generator_function")
_WRAPPED: Final = ("parenthesized_expression", "as_expression", "satisfies_expression")
_FIELDS: Final = {"public_field_definition": "name", "field_definition": "property"}
_NAMES: Final = ("property_identifier", "private_property_identifier", "string")


class Functions:
    """Lowers functions; ``body`` lowers the statements in them and is set by who knows them."""

    __slots__ = ("around", "body", "scopes")

    def __init__(self, around: Expressions, scopes: Scopes) -> None:
        self.around = around
        self.scopes = scopes
        self.body: Callable[[Tree], tuple[Node, ...]] = lambda tree: ()

    def is_function(self, tree: Tree) -> bool:
        """Whether ``tree`` is a function written as an expression."""
        while tree.type in _WRAPPED:
            tree = first(tree)
        return tree.type in FUNCTIONS

    def named(self, tree: Tree, name: str) -> Function:
        """Return a function that has the name of what it is bound to."""
        while tree.type in _WRAPPED:
            tree = first(tree)
        return self.function(tree, *self.around.range(tree), name)

    def function(self, tree: Tree, start: int, end: int, name: str = "") -> Function:
        """Return a function, arrow or method."""
        self.scopes.enter()
        try:
            given = tree.child_by_field_name("parameters") or tree.child_by_field_name("parameter")
            parameters, opening = ((), ()) if given is None else self.around.targets.parameters(given)
            code = inner(tree, "body")
            if code.type == "statement_block":
                body = self.body(code)
            else:
                value = self.around.lower(code)
                body = (Return(value.start, value.end, value),)
        finally:
            others = self.scopes.leave()
        outer = (Outer(start, start, others, is_global=False),) if others else ()
        own = tree.child_by_field_name("name")
        word = name or (self._word(own) if own is not None else "")
        returns = self.around.annotation(tree, "return_type")
        return Function(start, end, word, parameters, (*outer, *opening, *body), _decorators(tree), returns)

    def _word(self, tree: Tree) -> str:
        start, end = self.around.range(tree)
        word = self.around.text[start:end]
        return word[1:-1] if tree.type == "string" else word.removeprefix("#")

    def class_(self, tree: Tree, start: int, end: int, name: str = "") -> Class:
        """Return a class."""
        own = tree.child_by_field_name("name")
        word = name or (self._word(own) if own is not None else "")
        body = tuple(self._members(inner(tree, "body"), ("this", word)))
        return Class(start, end, word, tuple(self._bases(tree)), body)

    def _bases(self, tree: Tree) -> Iterator[str]:
        for heritage in parts(tree):
            if heritage.type != "class_heritage":
                continue
            for each in parts(heritage):
                base = each.child_by_field_name("value") if each.type == "extends_clause" else each
                if base is not None and base.type in ("identifier", "member_expression"):
                    yield self._word(base)

    def _members(self, tree: Tree, own: tuple[str, ...]) -> Iterator[Node]:
        for child in parts(tree):
            try:
                yield from self._member(child, own)
            except IncompleteTree:
                continue

    def _member(self, tree: Tree, own: tuple[str, ...]) -> Iterator[Node]:
        start, end = self.around.range(tree)
        field = _FIELDS.get(tree.type)
        if field is not None:
            yield from self._field(tree, inner(tree, field), start, end)
        elif tree.type == "class_static_block":
            yield from (_attribute(statement, own) for statement in self.body(inner(tree, "body")))
        elif tree.type == "method_definition" and not has_word(tree, "set") and inner(tree, "name").type in _NAMES:
            yield Define(start, end, self.function(tree, start, end))

    def _field(self, tree: Tree, name: Tree, start: int, end: int) -> Iterator[Node]:
        value, word = tree.child_by_field_name("value"), self._word(name)
        annotation = self.around.annotation(tree)
        if name.type not in _NAMES:
            return
        if value is None:
            yield Declare(start, end, word, annotation)
        elif self.is_function(value):
            yield Define(start, end, self.named(value, word))
        else:
            yield Assign(start, end, (Name(*self.around.range(name), word),), self.around.lower(value), annotation)

    def enum(self, tree: Tree) -> Iterator[tuple[Tree, Node]]:
        """Yield the name of each member of an ``enum``, and its value; one without a value is a number."""
        for number, child in enumerate(parts(inner(tree, "body"))):
            name = child.child_by_field_name("name") or child
            value = child.child_by_field_name("value")
            yield name, self.around.lower(value) if value is not None else Constant(*self.around.range(name), number)


def _attribute(statement: Node, own: tuple[str, ...]) -> Node:
    """Return ``this.name = value`` of a static block as the attribute of the class that it sets; ``own`` are its names."""
    if not isinstance(statement, Assign) or len(statement.targets) != 1:
        return statement
    target = statement.targets[0]
    if not isinstance(target, Member) or not isinstance(target.base, Name) or target.base.name not in own:
        return statement
    return Assign(statement.start, statement.end, (Name(target.start, target.end, target.name),), statement.value)


def _decorators(tree: Tree) -> tuple[str, ...]:
    return tuple(word for word in ("static", "get") if tree.type == "method_definition" and has_word(tree, word))
