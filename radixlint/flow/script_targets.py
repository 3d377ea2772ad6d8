"""Patterns of TypeScript and JavaScript as targets that are bound, and as parameters of functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from radixlint.flow.program import (
    Assign,
    Collection,
    Display,
    Either,
    Entry,
    Mapping,
    Member,
    Name,
    Node,
    Parameter,
    Spread,
    Text,
)
from radixlint.flow.script_tree import Scopes, first, inner, parts

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

    from radixlint.flow.script_expressions import Expressions

_WITH_DEFAULT: Final = ("assignment_pattern", "object_assignment_pattern")
_WRAPPED: Final = ("parenthesized_expression", "non_null_expression", "as_expression", "satisfies_expression")


class Targets:
    """Lowers patterns; names that are declared are noted in ``scopes``, as are names that are only assigned."""

    __slots__ = ("_defaults", "expressions", "scopes")

    def __init__(self, expressions: Expressions, scopes: Scopes) -> None:
        self.expressions = expressions
        self.scopes = scopes
        self._defaults: list[Node] = []

    def defaults(self) -> tuple[Node, ...]:
        """Return what the patterns lowered since the last call put in the place of values that are not given."""
        found, self._defaults = tuple(self._defaults), []
        return found

    def lower(self, tree: Tree, *, declares: bool) -> Node:
        """Return the target that ``tree`` is; ``declares`` behind ``const``, ``let``, ``var`` and of parameters."""
        kind = tree.type
        start, end = self.expressions.range(tree)
        if kind in _WITH_DEFAULT:
            return self._with_default(tree, start, end, declares=declares)
        if kind in _WRAPPED:
            return self.lower(first(tree), declares=declares)
        if kind in ("rest_pattern", "spread_element"):
            return Spread(start, end, self.lower(first(tree), declares=declares))
        if kind in ("array_pattern", "array"):
            return Display(start, end, Collection.LIST, tuple(self._items(tree, declares=declares)))
        if kind in ("object_pattern", "object"):
            entries = [self._entry(child, declares=declares) for child in parts(tree)]
            return Mapping(start, end, tuple(entries))
        if kind in ("identifier", "shorthand_property_identifier_pattern", "undefined"):
            return self.name(start, end, declares=declares)
        return self.expressions.lower(tree)

    def _with_default(self, tree: Tree, start: int, end: int, *, declares: bool) -> Node:
        waiting, self._defaults = self._defaults, []
        value = self.expressions.lower(inner(tree, "right"))
        target = self.lower(inner(tree, "left"), declares=declares)
        # What is taken apart further takes its own defaults after this one.
        given = Assign(start, end, (target,), Either(start, end, "??", (target, value)))
        self._defaults = [*waiting, *((given,) if isinstance(target, Name) else ()), *self._defaults]
        return target

    def name(self, start: int, end: int, *, declares: bool) -> Name:
        """Return the name in ``start:end`` as a target."""
        word = self.expressions.text[start:end]
        (self.scopes.declare if declares else self.scopes.assign)(word)
        return Name(start, end, word)

    def _items(self, tree: Tree, *, declares: bool) -> Iterator[Node]:
        is_open = True
        for child in tree.children[1:-1]:
            if child.type == ",":
                if is_open:
                    yield Name(*self.expressions.range(child), "_")
                is_open = True
            elif child.is_named and child.type != "comment":
                yield self.lower(child, declares=declares)
                is_open = False

    def _entry(self, tree: Tree, *, declares: bool) -> Entry:
        start, end = self.expressions.range(tree)
        if tree.type in ("pair_pattern", "pair"):
            key = self.expressions.key(inner(tree, "key"))
            return Entry(start, end, key, self.lower(inner(tree, "value"), declares=declares))
        value = self.lower(tree, declares=declares)
        if isinstance(value, Spread):
            return Entry(start, end, None, value.value)
        name = inner(tree, "left") if tree.type in _WITH_DEFAULT else tree
        place = self.expressions.range(name)
        return Entry(start, end, Text(*place, self.expressions.passage.part(*place)), value)

    def parameters(self, tree: Tree) -> tuple[tuple[Parameter, ...], tuple[Node, ...]]:
        """Return the parameters of a function, and what its body does first to take them apart."""
        found: list[Parameter] = []
        opening: list[Node] = []
        rows = [tree] if tree.type == "identifier" else parts(tree)
        for row in rows:
            is_typed = row.type in ("required_parameter", "optional_parameter")
            pattern = inner(row, "pattern") if is_typed else row
            if pattern.type == "this" or not pattern.type.endswith(("identifier", "pattern")):
                continue
            default = row.child_by_field_name("value") if is_typed else None
            annotation = self.expressions.annotation(row)
            parameter = self._parameter(pattern, annotation, default, row.child_by_field_name("type"), opening)
            found.append(parameter)
            if is_typed and any(child.type in ("accessibility_modifier", "readonly") for child in row.children):
                opening.append(_kept(parameter))
        return tuple(found), tuple(opening)

    def _parameter(
        self, pattern: Tree, annotation: str, default: Tree | None, type_: Tree | None, opening: list[Node]
    ) -> Parameter:
        if pattern.type in _WITH_DEFAULT:
            default, pattern = inner(pattern, "right"), inner(pattern, "left")
        start, end = self.expressions.range(pattern)
        value = None if default is None else self.expressions.lower(default)
        if pattern.type == "rest_pattern":
            rest = self._parameter(first(pattern), annotation, None, type_, opening)
            return Parameter(start, end, rest.name, annotation, None, "*")
        if pattern.type == "object_pattern":
            types = self.expressions.types.fields_of(type_)
            fields = tuple([self._field(child, types, opening) for child in parts(pattern)])
            return Parameter(start, end, "", annotation, value, "", fields)
        word = self.expressions.text[start:end]
        if pattern.type == "array_pattern":
            target = self.lower(pattern, declares=True)
            opening += (Assign(start, end, (target,), Name(start, end, word)), *self.defaults())
        self.scopes.declare(word)
        return Parameter(start, end, word, annotation, value)

    def _field(self, tree: Tree, types: dict[str, str], opening: list[Node]) -> Parameter:
        """Return a field that is bound by its own name; one that is bound otherwise is read from that name at once."""
        if tree.type != "pair_pattern":
            found = self._parameter(tree, "", None, None, opening)
            annotation = types.get(found.name, "")
            return Parameter(found.start, found.end, found.name, annotation, found.default)
        key, pattern = inner(tree, "key"), inner(tree, "value")
        start, end = self.expressions.range(key)
        word, default = self.expressions.text[start:end], None
        if pattern.type in _WITH_DEFAULT:
            default, pattern = self.expressions.lower(inner(pattern, "right")), inner(pattern, "left")
        target = self.lower(pattern, declares=True)
        opening += (Assign(target.start, target.end, (target,), Name(start, end, word)), *self.defaults())
        return Parameter(start, end, word, types.get(word, ""), default)


def _kept(parameter: Parameter) -> Assign:
    """Return ``this.name = name`` for a parameter that is an attribute, too."""
    start, end, name = parameter.start, parameter.end, parameter.name
    target = Member(start, end, Name(start, end, "this"), name)
    return Assign(start, end, (target,), Name(start, end, name))
