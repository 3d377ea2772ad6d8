"""From an offset in a chat template to the tag or the text there, and its place in the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from radixlint.late_pattern import late_pattern
from radixlint.prompt import ChatTemplate, Prompt, Span, lines_of

_TAG: Final = late_pattern(r"\{\{(?:'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|[^'\"])*?\}\}", re.DOTALL)
_ESCAPE: Final = late_pattern(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL)


def span_at(prompt: Prompt, template: ChatTemplate, offset: int) -> Span:
    """Return the span of the printing tag around ``offset``, or of the text from there to the end of its line."""
    text = template.text
    # The place of an expression is that of its first name or string, which stands in the tag.
    opening = text.rfind("{{", 0, offset)
    tag = _TAG.match(text, opening) if opening >= 0 else None
    if tag is not None and tag.start() < offset < tag.end():
        return _span(prompt, template, tag.start(), tag.end())
    end = min((at for at in (text.find("\n", offset), text.find("{", offset + 1)) if at >= 0), default=len(text))
    return _span(prompt, template, offset, max(offset + 1, end))


def segment_at(prompt: Prompt, span: Span) -> int:
    """Return the index of the segment that stands at ``span``, of the nearest in front of it otherwise."""
    start = (span.line, span.column)
    found = [i for i, s in enumerate(prompt.segments) if (s.span.line, s.span.column) <= start]
    around = [i for i in found if start < (prompt.segments[i].span.end_line, prompt.segments[i].span.end_column)]
    return (around or found or [0])[-1]


def _span(prompt: Prompt, template: ChatTemplate, start: int, end: int) -> Span:
    first, last = _place(prompt, template, start), _place(prompt, template, end)
    return Span(prompt.path, *first, *last)


def _place(prompt: Prompt, template: ChatTemplate, offset: int) -> tuple[int, int]:
    """Return line and column in the file of ``offset``; in JSON text a character may be written as several."""
    starts = [0, *(match.end() for match in re.finditer("\n", template.text))]
    number = bisect_right(starts, offset) - 1
    line, column = template.line_places[number]
    inside = template.text[starts[number] : offset]
    written = lines_of(prompt.source.text)[line - 1] if prompt.source else ""
    if written.startswith(template.text[starts[number] :].split("\n", 1)[0], column - 1):
        return line, column + len(inside)
    at = column - 1
    for _ in inside:
        match = _ESCAPE.match(written, at)
        at = match.end() if match else at + 1
    return line, at + 1
