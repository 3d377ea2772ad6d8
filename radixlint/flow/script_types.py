"""Types of TypeScript as far as they are written out: the fields of an object type, of an interface in the same file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

_OBJECTS: Final = ("object_type", "interface_body")


class Types:
    """The types that a file declares at its top."""

    __slots__ = ("_named", "_root")

    def __init__(self, root: Tree) -> None:
        self._root = root
        self._named: dict[str, Tree] | None = None

    def fields_of(self, annotation: Tree | None) -> dict[str, str]:
        """Return the type of each field of an annotated object, as written; empty if it is not known here."""
        inner = written_type(annotation)
        if inner is not None and inner.type == "type_identifier":
            if self._named is None:
                self._named = dict(_declared(self._root))
            inner = self._named.get(text_of(inner))
        if inner is None or inner.type not in _OBJECTS:
            return {}
        found = {}
        for child in inner.named_children:
            name, type_ = child.child_by_field_name("name"), written_type(child.child_by_field_name("type"))
            if child.type == "property_signature" and name is not None and type_ is not None:
                found[text_of(name)] = text_of(type_)
        return found


def written_type(annotation: Tree | None) -> Tree | None:
    """Return the type behind the colon of an annotation."""
    if annotation is None or annotation.type != "type_annotation":
        return annotation
    return next(iter(annotation.named_children), None)


def text_of(tree: Tree) -> str:
    """Return the source of a node."""
    return (tree.text or b"").decode("utf-8", "replace")


def _declared(root: Tree) -> Iterator[tuple[str, Tree]]:
    for child in root.named_children:
        declared = child.child_by_field_name("declaration") if child.type == "export_statement" else child
        if declared is None or declared.type not in ("interface_declaration", "type_alias_declaration"):
            continue
        name, body = declared.child_by_field_name("name"), declared.child_by_field_name("body")
        value = body or declared.child_by_field_name("value")
        if name is not None and value is not None:
            yield text_of(name), value
