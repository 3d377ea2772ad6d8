"""Where what changes often belongs in a prompt: at the end of the newest user turn, or of the text where there are no turns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from radixlint.fixers._line_manners import is_cue, is_enclosed
from radixlint.fixers._source_lines import SourceLines
from radixlint.fixers._text_fields import Place, TextField, field_at
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Origin, Prompt, Role, Segment

# Marks of turns that this file writes itself: which text is whose turn is then not known for sure.
_TURN_MARKS: Final = late_pattern(r"<\|\w+\|>|\[/?INST\]|<(?:start|end)_of_turn>|\{%-?\s*extends\b")
_TAGS_ONLY: Final = late_pattern(r"(?:\s|\{%.*?%\}|\{#.*?#\}|\{\{[-~]?\s*(?:/\w+|end)\s*[-~]?\}\})*\Z")
_TRIMMED: Final = late_pattern(r"[-~][%}]\}\s*\Z")
_LEADS: Final = late_pattern(r"#{1,6}\s|<[A-Za-z][\w.-]*>\Z")


@dataclass(frozen=True, slots=True)
class Destination:
    """Behind which line of which text to write."""

    field: TextField
    index: int


def end_of_turn(prompt: Prompt, message: int) -> Destination | None:
    """Return the end of the last user message, or of the last message if there is none and ``message`` is it; None if unsure."""
    segments = prompt.segments
    users = [s for s in segments if s.role is Role.USER]
    has_turns = any(s.role is not Role.TEXT for s in segments)
    last = users[-1].message if users else segments[-1].message
    if not users and last != message:
        return None
    if not has_turns and any(_TURN_MARKS.search(s.text) for s in segments if s.is_literal):
        return None
    closing = [s for s in segments if s.message == last and s.text.strip()]
    if not closing or closing[-1].span.path != prompt.path:
        return None
    lines = SourceLines(prompt)
    place = _last_place(closing[-1])
    field = field_at(prompt.path, lines.lines, place)
    return _behind_blocks(field, place) if field is not None else None


def _last_place(segment: Segment) -> Place:
    """Return the place of the last character of a segment that is no blank."""
    if segment.is_literal:
        at = len(segment.text.rstrip()) - 1
        if segment.offsets:
            return segment.offsets[at]
        before = segment.text[:at]
        line = segment.span.line + before.count("\n")
        return line, (at - before.rfind("\n") if "\n" in before else segment.span.column + at)
    return segment.span.end_line, segment.span.end_column - 1


def _behind_blocks(field: TextField, place: Place) -> Destination | None:
    """Return the end of the line of ``place``, or of the blocks that are open there, or ahead of a cue for the answer."""
    index = field.index_at(place)
    piece = field.pieces[index]
    rest = piece.text[place[1] - piece.end[1] :] if place[1] < piece.end[1] else ""
    if not _TAGS_ONLY.match(rest[1:]):
        return None
    while field.depths[index + 1]:
        index += 1
        if index == len(field.pieces):
            return None
    while index > 0 and (is_cue(field.pieces[index].text) or not field.pieces[index].text.strip()):
        index -= 1
    is_glued = _TRIMMED.search(field.pieces[index].text) or is_enclosed([p.text for p in field.pieces[: index + 1]])
    return None if is_glued or field.depths[index + 1] else Destination(field, index)


def ahead_of_input(prompt: Prompt, place: Place) -> Destination | None:
    """Return the end of the line ahead of the last input value behind ``place`` and of its label; None if there is none."""
    lines = SourceLines(prompt)
    inputs: Iterable[Segment] = (s for s in reversed(prompt.segments) if s.origin is Origin.INPUT and not s.is_literal)
    value = next((s for s in inputs if s.span.path == prompt.path and (s.span.line, s.span.column) > place), None)
    field = field_at(prompt.path, lines.lines, (value.span.line, value.span.column)) if value is not None else None
    if value is None or field is None or value.controls:
        return None
    index = field.index_at((value.span.line, value.span.column)) - 1
    while index >= 0 and (is_cue(field.pieces[index].text) or _LEADS.match(field.pieces[index].text.strip())):
        index -= 1
    if index < 0 or field.depths[index + 1] or _TRIMMED.search(field.pieces[index].text):
        return None
    return Destination(field, index)
