"""Write text in the plain form of its bytes: one kind of line end, no hidden characters, composed letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._source_lines import SourceLines
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Prompt, Segment, Span
from radixlint.result.finding import Edit
from radixlint.stake.cause_place import span_at

_FORMS: Final = late_pattern(
    "(?P<hidden>[\u200b\u2060\ufeff\u00ad])|(?<=[A-Za-z,;]{2})[\u00a0\u202f](?=[A-Za-z]{2})|[A-Za-z][\u0300-\u036f]+"
)


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to set."""


def edits(prompt: Prompt, hit: Hit, _params: Params) -> tuple[Edit, ...] | None:
    """Return the edits of the text that holds the hit, or of the file's line ends for a hit at its top."""
    source = prompt.source
    if source is None or hit.span.path != prompt.path:
        return None
    lines = SourceLines(prompt)
    whole = Span(prompt.path, 1, 1, len(lines.lines), len(lines.lines[-1]) + 1)
    if len(source.line_ends) > 1:
        ends = Span(prompt.path, 1, len(lines.lines[0]) + 1, whole.end_line, whole.end_column)
        return (Edit(ends, lines.text(ends), source.line_ends[0]),)
    found = tuple(_letters(hit.segment, lines)) if hit.segment.is_literal else ()
    if any((edit.span.line, edit.span.column) == (hit.span.line, hit.span.column) for edit in found):
        return found
    if (hit.span.line, hit.span.column) == (1, 1) and (source.has_byte_order_mark or source.line_ends != ("\n",)):
        return (Edit(whole, source.text, "\n"),)
    return None


def _letters(segment: Segment, lines: SourceLines) -> Iterator[Edit]:
    """Yield an edit for each character that is written as itself in the source."""
    for found in _FORMS.finditer(segment.text):
        first, last = span_at(segment, found.start()), span_at(segment, found.end() - 1)
        span = Span(first.path, first.line, first.column, last.end_line, last.end_column)
        plain = "" if found["hidden"] else unicodedata.normalize("NFC", found.group()) if len(found.group()) > 1 else " "
        if first.path == lines.path and lines.text(span) == found.group() != plain:
            yield Edit(span, plain)
