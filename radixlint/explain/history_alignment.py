"""Which messages of one history stand in another, in the same order."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from radixlint.pieces import Item, PieceKind

_TELLING_CHARACTERS: Final = 12


class Alignment(Struct, frozen=True):
    """Pairs of places (theirs, mine) of equal items, rising in both; ``moved`` are places in mine of items left out in both."""

    pairs: tuple[tuple[int, int], ...]
    moved: frozenset[int]


def aligned(theirs: Sequence[Item], mine: Sequence[Item]) -> Alignment:
    """Return which items of two histories are equal and in the same order.

    An item that occurs once in each and holds a text of at least 12 code points, or calls, is an anchor; equal items beside
    anchors follow. Time grows as the number of items, and as its logarithm.
    """
    old, new = [item.number for item in theirs], [item.number for item in mine]
    once = {number for number, count in Counter(old).items() if count == 1}
    places = {number: at for at, number in enumerate(old) if number in once and _is_telling(theirs[at])}
    counts = Counter(new)
    anchors = [(places[number], at) for at, number in enumerate(new) if number in places and counts[number] == 1]
    pairs = _spread(_longest_rising(anchors), old, new)
    met = {a for a, _ in pairs}
    own = {b for _, b in pairs}
    return Alignment(tuple(pairs), frozenset(b for a, b in anchors if a not in met and b not in own))


def _is_telling(item: Item) -> bool:
    return any(piece.kind is PieceKind.CALL for piece in item.pieces) or len(item.text) >= _TELLING_CHARACTERS


def _longest_rising(anchors: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of ``anchors`` whose first numbers rise; their second ones rise already."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for at, (old, _) in enumerate(anchors):
        length = bisect_left(ends, old)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [old]
        last[length : length + 1] = [at]
    found: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        found.append(anchors[at])
        at = before[at]
    return found[::-1]


def _spread(anchors: Sequence[tuple[int, int]], old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int]]:
    """Return the anchors with the equal items in front of and behind each."""
    pairs: list[tuple[int, int]] = []
    if not anchors:
        return pairs
    nexts = [*anchors[1:], (len(old), len(new))]
    floor = -1, -1
    for (a, b), (next_a, next_b) in zip(anchors, nexts, strict=True):
        front: list[tuple[int, int]] = []
        x, y = a - 1, b - 1
        while x > floor[0] and y > floor[1] and old[x] == new[y]:
            front.append((x, y))
            x, y = x - 1, y - 1
        pairs += [*front[::-1], (a, b)]
        x, y = a + 1, b + 1
        while x < next_a and y < next_b and old[x] == new[y]:
            pairs.append((x, y))
            x, y = x + 1, y + 1
        floor = pairs[-1]
    return pairs
