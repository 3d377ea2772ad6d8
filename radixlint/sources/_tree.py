"""A parsed JSON or YAML document: strings, lists and mappings with their places in the file."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground, Passage

# A string within it may hold braces; a mapping or filter within it is in single ones.
_SLOT = late_pattern(r"(?:\{\{(?:\"[^\"\n]*+\"|'[^'\n]*+'|[^\"'{}]|\{[^{}]*+\})*+\}\})++")


class Leaf(Struct, frozen=True, gc=False):
    """A scalar: its value as text, and its half-open range in the file, quotes included.

    ``is_slot`` says that it is a ``{{ }}`` placeholder without quotes, which a template engine fills with any value.
    """

    passage: Passage
    start: int
    end: int
    is_text: bool = True
    is_slot: bool = False


def slot_at(ground: Ground, at: int) -> Leaf | None:
    """Return the placeholders that stand at ``at`` without quotes, None if there are none."""
    match = _SLOT.match(ground.text, at) if ground.text.startswith("{{", at) else None
    return None if match is None else Leaf(Passage(match.group(), ground, at), at, match.end(), is_slot=True)


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
