"""Cut fixed text into parts that know their places: what placeholders in a format string need."""

from __future__ import annotations

from msgspec.structs import replace

from radixlint.prompt import Segment, Span


def cut(segment: Segment, start: int, end: int) -> Segment:
    """Return the part of a literal from code point ``start`` to ``end``, with its own place."""
    line, column = place(segment, start)
    end_line, end_column = place(segment, end)
    span = Span(segment.span.path, line, column, end_line, end_column)
    return replace(segment, text=segment.text[start:end], span=span, offsets=segment.offsets[start:end])


def place(segment: Segment, offset: int) -> tuple[int, int]:
    """Return line and column of code point ``offset`` of a literal; its length gives the end."""
    if segment.offsets:
        if offset < len(segment.offsets):
            return segment.offsets[offset]
        return segment.span.end_line, segment.span.end_column
    ahead = segment.text[:offset]
    if "\n" not in ahead:
        return segment.span.line, segment.span.column + offset
    return segment.span.line + ahead.count("\n"), offset - ahead.rfind("\n")
