"""Take away the blanks at the place of a hit."""

from __future__ import annotations

import re

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._source_lines import SourceLines
from radixlint.prompt import Prompt, Span
from radixlint.result.finding import Edit


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to set."""


def edits(prompt: Prompt, hit: Hit, _params: Params) -> tuple[Edit, ...] | None:
    """Return the edit that removes them; None where the source has an escape in their place."""
    lines = SourceLines(prompt).lines
    if not lines or hit.span.path != prompt.path:
        return None
    line, column = hit.span.line, hit.span.column
    blanks = re.match(r"[ \t]*", lines[line - 1][column - 1 :])
    if blanks is None or not blanks.group():
        return None
    return (Edit(Span(prompt.path, line, column, line, column + blanks.end()), ""),)
