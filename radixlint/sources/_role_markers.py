"""Lines such as ``system:`` or ``# user:`` alone on a line, which say who speaks in the text below them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground
from radixlint.prompt import Role, Segment, SourceText, Span

ROLES = {
    "human": Role.USER,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "function": Role.TOOL,
    **{role.value: role for role in Role if role not in (Role.TOOLS, Role.TEXT)},
}
_MARKER = late_pattern(
    r"^[ \t]*(?:\#[ \t]*)?(system|developer|user|human|assistant|ai|model|function|tool)"
    r"[ \t]{0,8}(?:\[[^\]\n]{0,200}\])?[ \t]{0,8}:[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
# Comments and tags that print nothing may stand ahead of the first marker, and front matter.
_SILENT = late_pattern(r"\s*(?:\{\#.*?\#\}\s*|\{%.*?%\}\s*|---[ \t]*\n.*?^---[ \t]*\n\s*)*", re.DOTALL | re.MULTILINE)


def has_marker_ahead(text: str) -> bool:
    """Whether the first thing that ``text`` says is a role marker."""
    start = _SILENT.match(text)
    at = start.end() if start is not None else 0
    return _MARKER.match(text, text.rfind("\n", 0, at) + 1) is not None


def with_roles(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Return ``segments`` with roles and messages as the markers in their literal text say; the markers are left out."""
    found: list[Segment] = []
    role, message, is_line_start = Role.TEXT, 0, True
    for index, segment in enumerate(segments):
        if not segment.is_literal:
            found.append(replace(segment, role=role, message=message))
            is_line_start = False
            continue
        follows = segments[index + 1] if index + 1 < len(segments) else None
        is_line_end = follows is None or (follows.is_literal and follows.text.startswith("\n"))
        start, length = 0, len(segment.text)
        cut = _Cutter(segment)
        for marker in _MARKER.finditer(segment.text):
            if not (marker.start() or is_line_start) or not (marker.end() < length or is_line_end):
                continue
            if marker.start() > start:
                found.append(replace(cut.part(start, marker.start()), role=role, message=message))
            role, message = ROLES[marker[1].lower()], message + 1
            start = min(marker.end() + 1, length)
        if start < length:
            found.append(replace(cut.part(start, length), role=role, message=message))
        is_line_start = segment.text.endswith("\n") if segment.text else is_line_start
    return tuple(found)


class _Cutter:
    """Cuts parts out of a literal segment, each with its place."""

    def __init__(self, segment: Segment) -> None:
        self.segment = segment
        self.lines = Ground(SourceText(segment.span.path, segment.text))

    def part(self, start: int, end: int) -> Segment:
        """Return ``text[start:end]``."""
        segment, span = self.segment, self.segment.span
        if (start, end) == (0, len(segment.text)):
            return segment
        places = segment.offsets[start:end]
        if places:
            last = segment.offsets[end] if end < len(segment.offsets) else (span.end_line, span.end_column)
            placed = Span(span.path, *places[0], *max(places[0], last))
        else:
            placed = Span(span.path, *self._place(start), *self._place(end))
        return replace(segment, text=segment.text[start:end], offsets=places, span=placed)

    def _place(self, at: int) -> tuple[int, int]:
        line, column = self.lines.place(at)
        span = self.segment.span
        return (span.line, span.column + column - 1) if line == 1 else (span.line + line - 1, column)
