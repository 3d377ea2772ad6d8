"""Text and Markdown with ``{name}`` fields of ``str.format``; a file without a field, or without signs of a prompt, is none."""

from __future__ import annotations

from msgspec.structs import replace

from radixlint.late_pattern import late_pattern
from radixlint.passage import whole
from radixlint.prompt import Confidence, Prompt, Segment, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._fences import fenced_lines
from radixlint.sources._placeholders import Style, field_style, read_fields
from radixlint.sources._prompt_signs import judge_text

NAME = "field-text"
SUFFIXES = frozenset((".md", ".markdown", ".txt"))
_INLINE_CODE = late_pattern(r"(?<!`)`([^`]+)`(?!`)")


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the text as one prompt if it holds a field; never fails."""
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    style = field_style(source.text)
    if style is Style.NONE:
        return None
    judged = judge_text(source)
    if judged.is_other:
        return None
    segments = read_fields(whole(source), style)
    if not name.lower().endswith(".txt"):
        lines = source.text.split("\n")
        fenced = fenced_lines(lines)
        segments = tuple(_doubted(segment, lines, fenced) for segment in segments)
    return SourceRead(NAME, judged.told((Prompt(source.path, name, NAME, segments),)))


def _doubted(segment: Segment, lines: list[str], fenced: frozenset[int]) -> Segment:
    """Doubt a field among code: ``GET /v1/{id}`` is likelier an example; a field that fills its line or quotes is none."""
    span = segment.span
    if segment.is_literal or span.line != span.end_line:
        return segment
    start, end = span.column - 1, span.end_column - 1
    line = lines[span.line - 1]
    if span.line - 1 in fenced and line.strip() != line[start:end]:
        return replace(segment, confidence=Confidence.LOW, reason="it stands among code")
    codes = [code.span(1) for code in _INLINE_CODE.finditer(line)]
    is_inside = any(a <= start and end <= b and (a, b) != (start, end) for a, b in codes)
    return replace(segment, confidence=Confidence.LOW, reason="it stands in inline code") if is_inside else segment
