"""What is written out: strings, templates, arrays, objects and JSX elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from radixlint.flow.program import (
    Call,
    Collection,
    Constant,
    Display,
    Element,
    Entry,
    Joined,
    Mapping,
    Name,
    Node,
    Other,
    Printed,
    Spread,
    Text,
)
from radixlint.flow.script_literals import attribute_text, child_text, unescaped
from radixlint.flow.script_tree import first, has_word, inner, parts

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

    from radixlint.flow.script_expressions import Expressions

_TEXTS: Final = ("jsx_text", "html_character_reference", "comment")


class Displays:
    """Lowers literals; ``around`` lowers what stands in them."""

    __slots__ = ("around",)

    def __init__(self, around: Expressions) -> None:
        self.around = around

    def word(self, start: int, end: int) -> Text:
        """Return a plain word as text."""
        return Text(start, end, self.around.passage.part(start, end))

    def string(self, tree: Tree, start: int, end: int) -> Node:
        """Return a string."""
        return Text(start, end, unescaped(self.around.passage, start + 1, max(start + 1, end - 1)))

    def template(self, tree: Tree, start: int, end: int, *, is_raw: bool = False) -> Node:
        """Return a template: its values, and the texts between them."""
        passage, at, last = self.around.passage, start + 1, max(start + 1, end - 1)
        found: list[Node] = []
        for child in tree.named_children:
            if child.type != "template_substitution":
                continue
            first_, behind = self.around.range(child)
            if at < first_:
                found.append(Text(at, first_, unescaped(passage, at, first_, is_raw=is_raw)))
            found.append(Printed(first_, behind, self.around.lower(first(child))))
            at = behind
        if not found:
            return Text(start, end, unescaped(passage, at, last, is_raw=is_raw))
        if at < last:
            found.append(Text(at, last, unescaped(passage, at, last, is_raw=is_raw)))
        return Joined(start, end, tuple(found))

    def array(self, tree: Tree, start: int, end: int) -> Node:
        """Return an array."""
        return Display(start, end, Collection.LIST, self.around.each(parts(tree)))

    def mapping(self, tree: Tree, start: int, end: int) -> Node:
        """Return an object."""
        return Mapping(start, end, tuple(self._entries(tree)))

    def _entries(self, tree: Tree) -> Iterator[Entry]:
        around = self.around
        for child in parts(tree):
            start, end = around.range(child)
            if child.type == "pair":
                yield Entry(start, end, around.key(inner(child, "key")), self._named(child))
            elif child.type == "shorthand_property_identifier":
                yield Entry(start, end, self.word(start, end), Name(start, end, around.text[start:end]))
            elif child.type == "spread_element":
                yield Entry(start, end, None, around.lower(first(child)))
            elif child.type == "method_definition" and not has_word(child, "set"):
                key = around.key(inner(child, "name"))
                function = around.functions.function(child, start, end)
                # What a getter gives is read like any value.
                yield Entry(start, end, key, Call(start, end, function, ()) if has_word(child, "get") else function)

    def _named(self, pair: Tree) -> Node:
        value = inner(pair, "value")
        key = inner(pair, "key")
        if key.type == "property_identifier" and self.around.functions.is_function(value):
            start, end = self.around.range(key)
            return self.around.functions.named(value, self.around.text[start:end])
        return self.around.lower(value)

    def element(self, tree: Tree, start: int, end: int) -> Node:
        """Return a JSX element; a fragment has no name."""
        opening = tree.child_by_field_name("open_tag") or tree
        name = opening.child_by_field_name("name")
        word = "" if name is None else self._source(name)
        attributes = tuple(self._attributes(opening, name))
        children = () if opening is tree else tuple(self._children(tree))
        return Element(start, end, word, attributes, children)

    def _source(self, tree: Tree) -> str:
        start, end = self.around.range(tree)
        return self.around.text[start:end]

    def _attributes(self, opening: Tree, name: Tree | None) -> Iterator[Entry]:
        for child in parts(opening):
            start, end = self.around.range(child)
            if child.type == "jsx_attribute":
                key, *values = parts(child)
                value = self._attribute(values[0]) if values else Constant(start, end, True)
                yield Entry(start, end, self.word(*self.around.range(key)), value)
            elif child.type == "jsx_expression":
                yield Entry(start, end, None, self._spread(child))

    def _attribute(self, tree: Tree) -> Node:
        start, end = self.around.range(tree)
        if tree.type == "string":
            return Text(start, end, attribute_text(self.around.passage, start + 1, max(start + 1, end - 1)))
        return self.around.lower(tree)

    def _spread(self, tree: Tree) -> Node:
        value = self.around.lower(first(tree))
        return value.value if isinstance(value, Spread) else value

    def _children(self, tree: Tree) -> Iterator[Node]:
        closing = tree.child_by_field_name("close_tag")
        at = self.around.range(inner(tree, "open_tag"))[1]
        for child in tree.named_children[1:]:
            start, end = self.around.range(child)
            if child.type in _TEXTS:
                continue
            yield from self._text(at, start)
            if child != closing and child.type != "jsx_closing_element" and (child.type != "jsx_expression" or parts(child)):
                yield self.around.lower(child)
            at = end

    def _text(self, start: int, end: int) -> Iterator[Text]:
        if start < end:
            passage = child_text(self.around.passage, start, end)
            if passage.text:
                yield Text(start, end, passage)

    def filled(self, tree: Tree, start: int, end: int) -> Node:
        """Return the value in ``{value}`` between tags or behind an attribute."""
        found = parts(tree)
        return self.around.lower(found[0]) if found else Other(start, end, ())
