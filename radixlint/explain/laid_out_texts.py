"""The laid-out text of each request, and which piece and line of it a place is in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from msgspec import Struct

from radixlint.layout import Layout, Piece
from radixlint.recent import Recent
from radixlint.traffic import Request

_KEPT_CHARACTERS: Final = 2 << 20
_KEPT_TEXTS: Final = 64
_MOST_CHARACTERS: Final = 64 << 20
_CHUNK: Final = 4_096
_LINE_END: Final = "\n"
# A value starts behind one of these; what stands between them (digits, dashes, colons) belongs to it.
_BORDERS: Final = frozenset(" \t\n\"'{}[](),<>|=")
_LONGEST_VALUE_HEAD: Final = 40


_LaidOut = tuple[str, tuple[Piece, ...], list[int]]


class Place(Struct, frozen=True):
    """A place in a laid-out text: the piece and line it is in, and where that line starts (in code points)."""

    where: str
    line_start: int


class LaidOutTexts:
    """Texts by position in ``requests``, as ``layout`` makes them; a request of ids has the empty text. Recent texts are kept.

    A prompt that was logged as the engine read it is one piece.
    """

    def __init__(self, requests: Sequence[Request], layout: Layout) -> None:
        self._requests = requests
        self._layout = layout
        self._recent: Recent[int, _LaidOut] = Recent(_KEPT_CHARACTERS, values=_KEPT_TEXTS, most=_MOST_CHARACTERS)

    def text(self, position: int) -> str:
        """Return the prompt of request ``position`` as one text."""
        return self._read(position)[0]

    def place(self, position: int, offset: int) -> Place:
        """Return the place of the code point at ``offset``; the end of the text belongs to its last piece."""
        text, pieces, starts = self._read(position)
        number = max(0, bisect_right(starts, offset) - 1)
        piece, start = pieces[number], starts[number]
        content = start + piece.mark_characters
        line_start = max(start, text.rfind("\n", start, offset) + 1)
        # A tool is compact JSON: it has no lines.
        if piece.tool is not None or offset < content:
            return Place(piece.where, line_start)
        return Place(f"{piece.where} line {text.count(_LINE_END, content, offset) + 1}", line_start)

    def content_start(self, position: int, offset: int) -> int:
        """Return ``offset``, or the end of the layout's mark if it lies in one: marks are not the log's."""
        _, pieces, starts = self._read(position)
        number = max(0, bisect_right(starts, offset) - 1)
        return max(offset, starts[number] + pieces[number].mark_characters)

    def _read(self, position: int) -> _LaidOut:
        found = self._recent.get(position)
        if found is None:
            found = self._lay_out(position)
            self._recent.keep(position, found, len(found[0]))
        return found

    def _lay_out(self, position: int) -> _LaidOut:
        request = self._requests[position]
        if request.rendered is not None:
            return request.rendered, (Piece("prompt", request.rendered),), [0]
        if request.token_ids is not None or request.block_ids is not None:
            return "", (Piece("token ids", ""),), [0]
        pieces = self._layout.lay_out(request)
        starts = list(accumulate((len(p.text) for p in pieces[:-1]), initial=0))
        return "".join(p.text for p in pieces), pieces, starts


def common_length(one: str, other: str) -> int:
    """Return how many leading code points two texts share.

    >>> common_length("abcd", "abxd"), common_length("ab", "abc")
    (2, 2)
    """
    end = min(len(one), len(other))
    low = 0
    while low < end and one[low : low + _CHUNK] == other[low : low + _CHUNK]:
        low += _CHUNK
    low, high = min(low, end), min(low + _CHUNK, end)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def value_start(text: str, offset: int) -> int:
    """Return where the value that holds ``offset`` starts, so that a clock is shown whole and not from its last digit."""
    least = max(0, offset - _LONGEST_VALUE_HEAD)
    start = offset
    while start > least and text[start - 1] not in _BORDERS:
        start -= 1
    return start if start > least or least == 0 else offset


def value_end(text: str, offset: int) -> int:
    """Return where the value that starts at ``offset`` ends; ``offset`` itself if none does."""
    end = offset
    while end < len(text) and text[end] not in _BORDERS:
        end += 1
    return end
