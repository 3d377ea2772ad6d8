"""Put a line break ahead of a value."""

from __future__ import annotations

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._source_lines import SourceLines
from radixlint.fixers._text_fields import field_at
from radixlint.prompt import Prompt, Span
from radixlint.result.finding import Edit


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to set."""


def edits(prompt: Prompt, hit: Hit, _params: Params) -> tuple[Edit, ...] | None:
    """Return the edit that inserts the break; None in a loop or condition, or where a break cannot be written."""
    lines = SourceLines(prompt).lines
    place = (hit.span.line, hit.span.column)
    field = field_at(prompt.path, lines, place) if lines and hit.span.path == prompt.path else None
    if field is None or hit.segment.controls or field.depths[field.index_at(place)]:
        return None
    text = "\\n" if field.is_quoted else f"\n{field.indent}"
    return (Edit(Span(prompt.path, *place, *place), text),)
