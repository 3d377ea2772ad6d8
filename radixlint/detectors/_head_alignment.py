"""Lay two texts side by side: shared up to a place, a small difference, and shared again behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_DIFFERENT_WORDS: Final = 24
_FEWEST_EQUAL_WORDS: Final = 12
_MOST_DIFFERENCES: Final = 4


@dataclass(frozen=True, slots=True)
class Alignment:
    """``start`` is the first difference, as an offset in both; the texts agree again at ``one_end`` and ``other_end``.

    ``shared`` is what they have in common behind that, without further small differences.
    """

    start: int
    one_end: int
    other_end: int
    shared: str


def align(one: str, other: str) -> Alignment | None:
    """Return how two texts agree around their first differences; None if none is small, or one continues the other.

    >>> found = align("Be kin. One two three four five six.", "Be kind. One two three four five six.")
    >>> found.start, found.one_end, found.other_end, found.shared[:8]
    (3, 6, 7, '. One tw')
    """
    mine, theirs = list(_WORD.finditer(one)), list(_WORD.finditer(other))
    a, b = [m[0] for m in mine], [m[0] for m in theirs]
    at = _equal(a, b, 0, 0)
    if at == len(a) or at == len(b):
        return None
    first: tuple[int, int] | None = None
    shared: list[str] = []
    i = j = at
    for _ in range(_MOST_DIFFERENCES):
        found = _agreement(a, b, i, j)
        if found is None:
            break
        i, j, length = found
        first = first or (i, j)
        shared += a[i : i + length]
        i, j = i + length, j + length
    if first is None:
        return None
    return Alignment(mine[at].start(), mine[first[0]].start(), theirs[first[1]].start(), "".join(shared))


def _agreement(a: list[str], b: list[str], i: int, j: int) -> tuple[int, int, int] | None:
    """Return where the texts agree again behind a difference at ``i`` and ``j``, and for how many words."""
    for total in range(1, 2 * _MOST_DIFFERENT_WORDS + 1):
        for left in range(max(0, total - _MOST_DIFFERENT_WORDS), min(total, _MOST_DIFFERENT_WORDS) + 1):
            p, q = i + left, j + total - left
            if a[p : p + 3] == b[q : q + 3] and p + 3 <= len(a) and q + 3 <= len(b):
                length = _equal(a, b, p, q)
                if length >= _FEWEST_EQUAL_WORDS:
                    return p, q, length
    return None


def _equal(a: list[str], b: list[str], i: int, j: int) -> int:
    start = i
    while i < len(a) and j < len(b) and a[i] == b[j]:
        i += 1
        j += 1
    return i - start
