"""Small questions about the trees of tree-sitter, and which names a function binds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node as Tree


def parts(tree: Tree) -> list[Tree]:
    """Return the named children, less comments and what does not parse."""
    return [child for child in tree.named_children if child.type not in ("comment", "html_comment", "ERROR")]


class IncompleteTree(Exception):  # noqa: N818 - it is a state of the tree, not a fault of the user's
    """A part that the grammar asks for is missing, as happens around what does not parse."""


def inner(tree: Tree, field: str) -> Tree:
    """Return the child in a field.

    Raises:
        IncompleteTree: there is none.
    """
    found = tree.child_by_field_name(field)
    if found is None:
        raise IncompleteTree
    return found


def first(tree: Tree) -> Tree:
    """Return the first named child that is no comment; raises as ``inner``."""
    for child in tree.named_children:
        if child.type != "comment":
            return child
    raise IncompleteTree


def has_word(tree: Tree, word: str) -> bool:
    """Whether a keyword such as ``static`` stands directly in ``tree``."""
    return any(child.type == word for child in tree.children if not child.is_named)


class Scopes:
    """Which names the function being lowered declares and which it only assigns: those are of a function or module around."""

    __slots__ = ("_stack",)

    def __init__(self) -> None:
        self._stack: list[tuple[set[str], set[str]]] = [(set(), set())]

    def enter(self) -> None:
        """Begin a function."""
        self._stack.append((set(), set()))

    def leave(self) -> tuple[str, ...]:
        """End a function and return the names of others that it assigns, sorted."""
        declared, assigned = self._stack.pop()
        return tuple(sorted(assigned - declared))

    def declare(self, name: str) -> None:
        """Note that the function has a name of its own."""
        self._stack[-1][0].add(name)

    def assign(self, name: str) -> None:
        """Note that the function assigns a name."""
        self._stack[-1][1].add(name)
