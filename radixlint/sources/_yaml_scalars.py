"""Find the place of every character of a YAML scalar: indentation, folding and escapes taken back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import overload

import yaml

from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground, Passage

_PROPERTIES = late_pattern(r"(?:[&!][^\s]*\s+)*")
_HEADER = late_pattern(r"[|>][-+0-9]*[ \t]*(?:#[^\n]*)?\n?")
_ESCAPE_WIDTH = {"x": 4, "u": 6, "U": 10}
_CONTINUED = late_pattern(r"\\[ \t]*\n\s*")


class LineRows(Sequence[int]):
    """Offsets of a text that lost its indentation: the same way ahead for all of a line, so hardly one is worked out."""

    __slots__ = ("_first", "_heads", "_last", "_shifts")

    def __init__(self, heads: list[int], shifts: list[int], first: int, last: int) -> None:
        self._heads, self._shifts, self._first, self._last = heads, shifts, first, last

    def __len__(self) -> int:
        return self._last - self._first

    @overload
    def __getitem__(self, index: int) -> int: ...

    @overload
    def __getitem__(self, index: slice) -> LineRows: ...

    def __getitem__(self, index: int | slice) -> int | LineRows:
        if isinstance(index, slice):
            start, stop, _ = index.indices(len(self))
            return LineRows(self._heads, self._shifts, self._first + start, self._first + max(start, stop))
        at = self._first + range(len(self))[index]
        return at + self._shifts[bisect_right(self._heads, at) - 1]


def extent(event: yaml.Event) -> tuple[int, int]:
    """Return the half-open range of an event in the file."""
    first, last = event.start_mark, event.end_mark
    return (first.index if first else 0), (last.index if last else 0)


def placed(ground: Ground, event: yaml.ScalarEvent) -> Passage:
    """Return the scalar's value with a place for each code point; all at its start where no way back is found."""
    first, end = extent(event)
    match = _PROPERTIES.match(ground.text, first, end)
    start = match.end() if match else first
    value = event.value
    if event.style in ("|", ">"):
        header = _HEADER.match(ground.text, start, end)
        start = header.end() if header else start
    else:
        start += len(event.style or "")
    if ground.text.startswith(value, start):
        return Passage(value, ground, start)
    table: Sequence[int] | None = _block(ground.text, value, start, end) if event.style == "|" else None
    table = table or _aligned(ground.text, value, start, end, event.style or "")
    return Passage(value, ground, start, table or [start] * (len(value) + 1))


def _block(text: str, value: str, start: int, end: int) -> Sequence[int] | None:
    """Return the offsets of a literal block: every line stands behind the same indentation."""
    lines = text[start:end].split("\n")
    leads = [len(line) - len(line.lstrip(" ")) for line in lines]
    deepest = min((lead for lead, line in zip(leads, lines, strict=True) if line.strip()), default=0)
    for indent in range(deepest, -1, -1):
        cuts = [min(indent, lead) for lead in leads]
        kept = [line[cut:] for line, cut in zip(lines, cuts, strict=True)]
        if "\n".join(kept).startswith(value):
            written = [0, *accumulate(len(line) + 1 for line in lines)]
            heads = [0, *accumulate(len(line) + 1 for line in kept)]
            shifts = [start + at + cut - head for at, cut, head in zip(written, [*cuts, 0], heads, strict=True)]
            return LineRows(heads, shifts, 0, len(value) + 1)
    return None


def _aligned(text: str, value: str, start: int, end: int, style: str) -> list[int] | None:
    """Walk value and source side by side; the source may hold more white space, and escapes in double quotes."""
    table: list[int] = []
    at = start
    for character in value:
        if style == '"':
            continued = _CONTINUED.match(text, at, end)
            at = continued.end() if continued else at
        while at < end and text[at] != character and text[at] in " \t\n" and not (character == " " and text[at] == "\n"):
            at += 1
        if at >= end:
            return None
        width = _width(text, at, character, style)
        if width is None:
            return None
        table.append(at)
        at += width
    return [*table, at]


def _width(text: str, at: int, character: str, style: str) -> int | None:
    """Return how many characters of the source stand for ``character``; None if they do not."""
    if style == '"' and text[at] == "\\":
        return _ESCAPE_WIDTH.get(text[at + 1], 2)
    if style == "'" and text[at : at + 2] == "''":
        return 2
    folded = character == " " and text[at] == "\n"
    return 1 if text[at] == character or folded else None
