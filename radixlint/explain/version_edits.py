"""What differs between two versions of one message: where, how much of each, and whether the rest goes on alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from radixlint.pieces import Item

_VALUE_LINES: Final = 4


class EditKind(StrEnum):
    """How the pieces of two versions differ."""

    VALUE = "value"
    """A few lines stand in the place of as many others."""
    BLOCK = "block"
    """Lines stand in the place of others, of another number."""
    ORDER = "order"
    """The same lines in another order."""
    INSERTION = "insertion"
    REMOVAL = "removal"


class MessageEdit(Struct, frozen=True):
    """The first difference: pieces ``start`` to ``end`` stand where the earlier version has ``start`` to ``their_end``.

    ``realigned`` says that behind it both go on with the same piece.
    """

    kind: EditKind
    start: int
    end: int
    their_end: int
    realigned: bool


def message_edit(mine: Item, theirs: Item) -> MessageEdit | None:
    """Return the first difference between two versions of a message, None if their pieces are equal."""
    own, other = [p.key for p in mine.pieces], [p.key for p in theirs.pieces]
    if own == other:
        return None
    start = _common(own, other)
    behind = _common(own[start:][::-1], other[start:][::-1])
    middle, their_middle = own[start : len(own) - behind], other[start : len(other) - behind]
    if not middle or not their_middle:
        kind = EditKind.INSERTION if middle else EditKind.REMOVAL
        return MessageEdit(kind, start, start + len(middle), start + len(their_middle), behind > 0)
    if Counter(middle) == Counter(their_middle):
        return MessageEdit(EditKind.ORDER, start, start + len(middle), start + len(their_middle), behind > 0)
    length, their_length = _replaced(middle, their_middle)
    realigned = length < len(middle) or behind > 0
    is_value = length == their_length <= _VALUE_LINES
    kind = EditKind.VALUE if is_value else EditKind.BLOCK
    if not length or not their_length:
        kind = EditKind.INSERTION if length else EditKind.REMOVAL
    return MessageEdit(kind, start, start + length, start + their_length, realigned)


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many leading keys two sequences share."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _replaced(own: Sequence[int], other: Sequence[int]) -> tuple[int, int]:
    """Return how many leading keys of each stand in front of the first that both have, all of them if they share none.

    Of several candidates the one that leaves fewest keys out of both is taken. Keys that occur more than once (empty
    lines) meet anywhere, so they do not count.
    """
    counts = Counter(other)
    twice = Counter(own)
    places = {key: at for at, key in enumerate(other) if counts[key] == 1}
    best = len(own), len(other)
    for at, key in enumerate(own):
        if at >= sum(best):
            break
        found = places.get(key)
        if found is not None and twice[key] == 1 and at + found < sum(best):
            best = at, found
    return best
