"""Text and Markdown with ``{name}`` fields of ``str.format``; a file without a field, or without signs of a prompt, is none."""

from __future__ import annotations

import re
from dataclasses import replace

from radixlint.prompt import Confidence, Prompt, Segment, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._passage import whole
from radixlint.sources._placeholders import Style, field_style, read_fields
from radixlint.sources._prompt_signs import is_prompt

NAME = "field-text"
SUFFIXES = frozenset((".md", ".markdown", ".txt"))
# Documents of a project by their usual names; braces in them are examples.
_DOCUMENTS = frozenset(
    ("readme", "changelog", "contributing", "license", "security", "code_of_conduct", "history", "requirements", "notice")
)
_INLINE_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the text as one prompt if it holds a field; never fails."""
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    style = field_style(source.text)
    if style is Style.NONE or name.split(".", 1)[0].lower() in _DOCUMENTS or not is_prompt(source, style):
        return None
    segments = read_fields(whole(source), style)
    if not name.lower().endswith(".txt"):
        lines = source.text.split("\n")
        segments = tuple(_doubted(segment, lines) for segment in segments)
    return SourceRead(NAME, (Prompt(source.path, name, NAME, segments),))


def _doubted(segment: Segment, lines: list[str]) -> Segment:
    """Doubt a field inside inline code that holds more than the field: ``GET /v1/{id}`` is likelier an example."""
    span = segment.span
    if segment.is_literal or span.line != span.end_line:
        return segment
    start, end = span.column - 1, span.end_column - 1
    codes = [code.span(1) for code in _INLINE_CODE.finditer(lines[span.line - 1])]
    is_inside = any(a <= start and end <= b and (a, b) != (start, end) for a, b in codes)
    return replace(segment, confidence=Confidence.LOW, reason="it stands in inline code") if is_inside else segment
