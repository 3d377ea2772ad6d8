"""A passage is text taken from a file that knows where each of its code points stands there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import overload

from msgspec import Struct

from radixlint.errors import SourceError
from radixlint.prompt import Control, Segment, SourceText, Span


class Ground:
    """A file's text with its line starts; offsets count code points from 0."""

    def __init__(self, source: SourceText) -> None:
        self.path = source.path
        self.text = source.text

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        found = self.text.find("\n")
        while found != -1:
            starts.append(found + 1)
            found = self.text.find("\n", found + 1)
        return starts

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of ``offset``."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, which are from 1."""
        return self._starts[line - 1] + column - 1

    def span(self, start: int, end: int) -> Span:
        """Return the span of the half-open range."""
        starts = self._starts
        line = bisect_right(starts, start)
        if line == len(starts) or end < starts[line]:
            first = starts[line - 1]
            return Span(self.path, line, start - first + 1, line, end - first + 1)
        return Span(self.path, line, start - starts[line - 1] + 1, *self.place(end))


class Places(Sequence[tuple[int, int]]):
    """The places of offsets in a file, each worked out when it is asked for: of a text of thousands hardly one is."""

    __slots__ = ("_ground", "_rows")

    def __init__(self, ground: Ground, rows: Sequence[int]) -> None:
        self._ground = ground
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> tuple[int, int]: ...

    @overload
    def __getitem__(self, index: slice) -> Places: ...

    def __getitem__(self, index: int | slice) -> tuple[int, int] | Places:
        if isinstance(index, slice):
            return Places(self._ground, self._rows[index])
        return self._ground.place(self._rows[index])

    def __eq__(self, other: object) -> bool:
        return tuple(self) == (tuple(other) if isinstance(other, Places) else other)

    def __hash__(self) -> int:
        return hash(tuple(self))


class Passage(Struct, frozen=True):
    """Text and its way back to the file.

    ``base`` is the offset of the first code point where the text stands in the file as it is; else ``table`` holds the
    offset of each code point and, last, the offset behind the text.
    """

    text: str
    ground: Ground
    base: int = 0
    table: Sequence[int] | None = None

    def offset(self, index: int) -> int:
        """Return the file offset of code point ``index``; ``len(text)`` gives the end."""
        return self.base + index if self.table is None else self.table[min(index, len(self.table) - 1)]

    def place(self, index: int) -> tuple[int, int]:
        """Return line and column in the file of code point ``index``."""
        return self.ground.place(self.offset(min(index, len(self.text))))

    def span(self, start: int, end: int) -> Span:
        """Return the span in the file of ``text[start:end]``."""
        if self.table is None:
            return self.ground.span(self.base + start, self.base + max(start, end))
        first, last = self.offset(start), self.offset(end)
        # Behind a newline the next code point stands after an indentation that is not part of this text.
        if end > start and self.ground.text[self.offset(end - 1)] == "\n":
            last = self.offset(end - 1) + 1
        return self.ground.span(first, max(first, last))

    def offsets(self, start: int, end: int) -> Sequence[tuple[int, int]]:
        """Return a place for each code point of ``text[start:end]``; empty where the text stands in the file as it is."""
        if self.table is None:
            return ()
        rows = self.table[start:end]
        if self.ground.text.startswith(self.text[start:end], rows[0] if rows else 0):
            return ()
        return Places(self.ground, rows)

    def part(self, start: int, end: int) -> Passage:
        """Return ``text[start:end]`` as a passage of its own."""
        if self.table is None:
            return Passage(self.text[start:end], self.ground, self.base + start)
        return Passage(self.text[start:end], self.ground, 0, self.table[start : end + 1])

    def literal(self, start: int, end: int, controls: tuple[Control, ...] = ()) -> Segment:
        """Return ``text[start:end]`` as a literal segment at its place, inside of ``controls``."""
        offsets = self.offsets(start, end)
        return Segment(self.text[start:end], self.span(start, end), controls=controls, offsets=offsets)

    def error(self, message: str, index: int, hint: str | None = None) -> SourceError:
        """Return the error to raise for a fault at code point ``index``."""
        line, column = self.place(max(0, index))
        return SourceError(message, line=line, column=column, hint=hint)


def whole(source: SourceText) -> Passage:
    """Return the whole file as a passage."""
    return Passage(source.text, Ground(source))
