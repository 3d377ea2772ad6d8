"""Lay two texts side by side: shared up to a place, a small difference, and shared again behind it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from msgspec import Struct

from radixlint.late_pattern import late_pattern

_WORD: Final = late_pattern(r"\w+|\s+|[^\w\s]")
_MOST_DIFFERENT_WORDS: Final = 24
_FEWEST_EQUAL_WORDS: Final = 12


class Alignment(Struct, frozen=True):
    """``start`` is the first difference, as an offset in both; the texts agree again at ``one_end`` and ``other_end``.

    ``pieces`` are the ranges of the other text that both have in common behind that, without further small differences.
    """

    start: int
    one_end: int
    other_end: int
    pieces: tuple[tuple[int, int], ...]

    def shared(self, other: str, behind: int = 0) -> str:
        """Return what ``other`` has in common behind the difference, without what stands ahead of its offset ``behind``."""
        return "".join(other[max(start, behind) : end] for start, end in self.pieces if end > behind)


def align(one: str, other: str) -> Alignment | None:
    """Return how two texts agree around their first differences; None if none is small, or one continues the other.

    >>> other = "Be kind. One two three four five six."
    >>> found = align("Be kin. One two three four five six.", other)
    >>> found.start, found.one_end, found.other_end, found.shared(other)[:8]
    (3, 6, 7, '. One tw')
    """
    a, b = _words(one), _words(other)
    at = _equal(a, b, 0, 0)
    if at == len(a) or at == len(b):
        return None
    found: list[tuple[int, int, int]] = []
    i = j = at
    while (agreed := _agreement(a, b, i, j)) is not None:
        found.append(agreed)
        i, j = agreed[0] + agreed[2], agreed[1] + agreed[2]
    if not found:
        return None
    starts = list(accumulate(map(len, b), initial=0))
    pieces = tuple((starts[right], starts[right + length]) for _, right, length in found)
    return Alignment(starts[at], starts[at] + len("".join(a[at : found[0][0]])), pieces[0][0], pieces)


@functools.lru_cache(maxsize=64)
def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _agreement(a: list[str], b: list[str], i: int, j: int) -> tuple[int, int, int] | None:
    """Return where the texts agree again behind a difference at ``i`` and ``j``, and for how many words."""
    if min(len(a) - i, len(b) - j) < _FEWEST_EQUAL_WORDS:
        return None
    there: dict[tuple[str, ...], list[int]] = {}
    for right, words in enumerate(_threes(b, j)):
        there.setdefault(words, []).append(right)
    pairs = [(left + right, left) for left, words in enumerate(_threes(a, i)) for right in there.get(words, ())]
    for total, left in sorted(pairs):
        length = _equal(a, b, i + left, j + total - left) if total else 0
        if length >= _FEWEST_EQUAL_WORDS:
            return i + left, j + total - left, length
    return None


def _threes(words: list[str], at: int) -> Iterator[tuple[str, ...]]:
    """Yield each word from ``at`` on that a difference may end at, with the two behind it."""
    near = words[at : at + _MOST_DIFFERENT_WORDS + 3]
    return zip(near, near[1:], near[2:], strict=False)


def _equal(a: list[str], b: list[str], i: int, j: int) -> int:
    """Return for how many words ``a`` from ``i`` and ``b`` from ``j`` on are equal."""
    most = min(len(a) - i, len(b) - j)
    done, step = 0, 8
    while done < most and step:
        step = min(step, most - done)
        if a[i + done : i + done + step] == b[j + done : j + done + step]:
            done, step = done + step, 2 * step
        else:
            step //= 2
    return done


def shared_length(one: str, other: str) -> int:
    """Return how many characters the two texts share from their start."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
