"""Write a call in a tag in another way, such as ``.items()`` as ``| dictsort``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._source_lines import SourceLines, tag_spans
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Prompt
from radixlint.result.finding import Edit

_TAG: Final = late_pattern(r"\{[%{].*[%}]\}\Z", re.DOTALL)
_QUOTED: Final = late_pattern(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\\\"(?:[^\"\\])*\\\"", re.DOTALL)
# A filter binds tighter than what may follow it here; behind it an index or an attribute would mean something else.
_ENDS: Final = late_pattern(r"\s*(?:\||-?[%}]\}|[),]|(?:if|else|recursive)\b)")


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: ``forms`` are regular expressions over source text, each with what takes the place of a match."""

    forms: dict[str, str]


def edits(prompt: Prompt, hit: Hit, params: Params) -> tuple[Edit, ...] | None:
    """Return the edit of the one match, in the tag itself or in one that sets what it prints; None if there is not just one."""
    lines = SourceLines(prompt)
    for span in tag_spans(prompt, hit):
        text = lines.text(span)
        if not _TAG.match(text):
            continue
        found = _matches(text, params.forms)
        if found:
            if len(found) > 1:
                return None
            match, form = found[0]
            return (Edit(lines.part(span, match.start(), match.end()), match.expand(form)),)
    return None


def _matches(text: str, forms: Mapping[str, str]) -> list[tuple[re.Match[str], str]]:
    quoted = [(match.start(), match.end()) for match in _QUOTED.finditer(text)]
    return [
        (match, written)
        for form, written in forms.items()
        for match in re.finditer(form, text)
        if not any(start < match.end() and match.start() < end for start, end in quoted if not _holds(match, start, end))
        and _ENDS.match(text, match.end())
    ]


def _holds(match: re.Match[str], start: int, end: int) -> bool:
    return match.start() <= start and end <= match.end()
