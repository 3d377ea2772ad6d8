"""Print the date of a clock and leave its time out: ``'%Y-%m-%d %H:%M'`` becomes ``'%Y-%m-%d'``."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._source_lines import SourceLines, tag_spans
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Prompt
from radixlint.result.finding import Edit

_FORMAT: Final = late_pattern(r"""(?P<quote>\\?["'])(?P<format>(?:(?!["'\\]).)*%(?:(?!["'\\]).)*)(?P=quote)""")
_CODE: Final = r"%[-_#0^]?"
_TIME: Final = _CODE + r"(?:[HIklMSfpPXTRrsNZ]|z|:z)"
_DAY: Final = late_pattern(_CODE + r"[YyGgCmbBhdejaAuwUWVDFx]")
# The time with the words and signs that tie it to the date on its side: ` %H:%M:%S`, `T%H:%M`, `, %I %p`, ` at %H:%M UTC`.
_CLOCK: Final = rf"{_TIME}(?:[\s:.,]*{_TIME})*(?:\s*(?:UTC|GMT|Z)\b)?"
_BEHIND: Final = late_pattern(rf"(?:T|[\s,;@|-]*(?:\bat\b)?\s*[(\[]?){_CLOCK}[)\]]?\Z")
_AHEAD: Final = late_pattern(rf"\A{_CLOCK}(?:[\s,;@|-]*(?:\bon\b)?\s*)")


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to set."""


def edits(prompt: Prompt, hit: Hit, _params: Params) -> tuple[Edit, ...] | None:
    """Return the edit of the one format string in the tag, or in one that sets what it prints; None if the date is not apart."""
    lines = SourceLines(prompt)
    for span in tag_spans(prompt, hit):
        found = [match for match in _FORMAT.finditer(lines.text(span)) if re.search(_TIME, match["format"])]
        if found:
            date = date_of(found[0]["format"]) if len(found) == 1 else None
            return (Edit(lines.part(span, *found[0].span("format")), date),) if date else None
    return None


def date_of(form: str) -> str | None:
    """Return a format without its time, None if no date stands apart in it.

    >>> date_of("%Y-%m-%d %H:%M"), date_of("%H:%M, %d %B"), date_of("%H:%M"), date_of("%d.%m.%YT%H:%M:%SZ")
    ('%Y-%m-%d', '%d %B', None, '%d.%m.%Y')
    """
    for pattern in (_BEHIND, _AHEAD):
        rest = pattern.sub("", form, count=1)
        if rest != form and _DAY.search(rest) and not re.search(_TIME, rest):
            return rest
    return None
