"""Trim the tags of a condition that prints nothing but blanks, so that no outcome prints any: ``{% if x -%}``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._source_lines import SourceLines
from radixlint.fixers._tag_depth import block_end
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Prompt, Span
from radixlint.result.finding import Edit

# Tags that print nothing themselves; all others may.
_TAG: Final = late_pattern(
    r"\{#.*?(?P<note>[-+]?)#\}|\{%[-+]?\s*(?:(?:if|elif|elsif|else|endif|unless|endunless|do)\b|(?:set|assign)\b[^%]*=).*?(?P<trim>[-+]?)%\}",
    re.DOTALL,
)
# In a string with escapes a line break is written as one.
_BLANKS: Final = late_pattern(r"(?:\s|\\[nrt])*")


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to set."""


def edits(prompt: Prompt, hit: Hit, _params: Params) -> tuple[Edit, ...] | None:
    """Return an edit for each tag of the block with blanks behind it; None if there is more in it than blanks and such tags."""
    lines = SourceLines(prompt)
    if not lines.lines or hit.span.path != prompt.path:
        return None
    rest = Span(prompt.path, hit.span.line, hit.span.column, len(lines.lines), len(lines.lines[-1]) + 1)
    text = lines.text(rest)
    end = block_end(text, 0)
    tags = list(_TAG.finditer(text, 0, end)) if end is not None else []
    if not tags or tags[0].start() or tags[-1].end() != end or not all(map(_is_blank, *zip(*pairwise(tags), strict=True))):
        return None
    return tuple(Edit(lines.part(rest, *place), "-") for place in _places(tags)) or None


def _is_blank(tag: re.Match[str], behind: re.Match[str]) -> bool:
    return _BLANKS.fullmatch(tag.string, tag.end(), behind.start()) is not None


def _places(tags: list[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """Yield where a tag with blanks behind it says how it trims, if it does not trim them."""
    for tag, behind in pairwise(tags):
        sign = "note" if tag["trim"] is None else "trim"
        if tag.end() < behind.start() and tag[sign] != "-":
            yield tag.span(sign)
