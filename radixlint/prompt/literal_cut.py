"""Cut a literal into parts that know their places in the file, also where escapes make it longer there than it reads."""

from __future__ import annotations

from msgspec.structs import replace

from radixlint.prompt.prompt_terms import Span
from radixlint.prompt.prompt_unit import Segment


def cut(segment: Segment, start: int, end: int) -> Segment:
    """Return the part of a literal from code point ``start`` to ``end``, with its own place."""
    span = Span(segment.span.path, *place(segment, start), *_end_place(segment, end))
    return replace(
        segment,
        text=segment.text[start:end],
        span=span,
        offsets=segment.offsets[start:end],
        is_breakpoint=segment.is_breakpoint and end == len(segment.text),
    )


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


def _end_place(segment: Segment, end: int) -> tuple[int, int]:
    """Return where the code point ahead of ``end`` ends: at the next one, as it may be an escape, or on its own line."""
    found = place(segment, end)
    if not segment.offsets or end == 0:
        return found
    line, column = segment.offsets[end - 1]
    return found if found[0] == line else (line, column + 1)
