"""A parsed JSON or YAML document: strings, lists and mappings with their places in the file."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from radixlint.passage import Passage


class Leaf(Struct, frozen=True, gc=False):
    """A scalar: its value as text, and its half-open range in the file, quotes included."""

    passage: Passage
    start: int
    end: int
    is_text: bool = True


class Listing(Struct, frozen=True, gc=False):
    """A list and its half-open range in the file."""

    items: tuple[Tree, ...]
    start: int
    end: int


class Table(Struct, frozen=True, gc=False):
    """A mapping and its half-open range in the file; of two equal keys the last counts."""

    pairs: tuple[tuple[str, Tree], ...]
    start: int
    end: int

    def get(self, key: str) -> Tree | None:
        """Return the value of ``key``, None if it is not there."""
        for name, value in reversed(self.pairs):
            if name == key:
                return value
        return None

    def text(self, key: str) -> str | None:
        """Return the string under ``key``, None if there is none."""
        value = self.get(key)
        return value.passage.text if isinstance(value, Leaf) and value.is_text else None


Tree = Leaf | Listing | Table


def leaves(tree: Tree) -> Iterator[Leaf]:
    """Yield every string of ``tree`` in the order of the file."""
    if isinstance(tree, Leaf):
        if tree.is_text:
            yield tree
        return
    for child in tree.items if isinstance(tree, Listing) else [value for _, value in tree.pairs]:
        yield from leaves(child)
