"""Print the date of a clock and leave its time out: ``.isoformat()`` becomes ``.date().isoformat()``, ``%H:%M`` goes."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._code_place import CodePlace, code_place
from radixlint.fixers._date_in_script import date_in_script
from radixlint.fixers.date_only import date_of
from radixlint.prompt import Prompt, Span
from radixlint.result.finding import Edit

_MOMENT: Final = re.compile(r"(?:\w+\.)*(?:now|utcnow)\([^()]*(?:\([^()]*\)[^()]*)*\)")
_ISO: Final = re.compile(r"\.isoformat\([^()]*\)")
_QUOTED: Final = r"""(?P<quote>\\?["'])(?P<format>(?:(?!["'\\]).)*%(?:(?!["'\\]).)*)(?P=quote)"""
_FORMAT: Final = re.compile(rf"\.strftime\(\s*{_QUOTED}")
_FORMAT_ANYWHERE: Final = re.compile(_QUOTED)
_SPEC: Final = re.compile(r":(?P<format>[^{}\"'\\]*%[^{}\"'\\]*)\}")


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to set."""


def edits(prompt: Prompt, hit: Hit, _params: Params) -> tuple[Edit, ...] | None:
    """Return the edit where the clock is read and printed in one expression; None where it is kept first, or no date is apart."""
    if prompt.dialect == "script":
        return date_in_script(prompt, hit)
    place = code_place(prompt, hit.span)
    if place is None or place.span.line != place.span.end_line:
        return None
    if hit.segment.kept and not place.before.endswith("{"):
        # What is kept under a name may be read by other code as the moment that it is.
        return None
    raw = place.raw
    moment = _MOMENT.match(raw)
    rest = (raw[moment.end() :] if moment else raw) + place.after
    start = place.span.column + (moment.end() if moment else 0)
    if moment and (iso := _ISO.match(rest)):
        return (_edit(place, start, start + iso.end(), ".date().isoformat()"),)
    if moment and rest.startswith("}") and place.before.endswith("{"):
        return (_edit(place, start, start, ".date()"),)
    found = (_SPEC.match(rest) or _FORMAT.match(rest)) if moment else _FORMAT_ANYWHERE.search(raw)
    date = date_of(found["format"]) if found else None
    if found is None or date is None:
        return None
    return (_edit(place, start + found.start("format"), start + found.end("format"), date),)


def _edit(place: CodePlace, start: int, end: int, text: str) -> Edit:
    line = place.span.line
    return Edit(Span(place.span.path, line, start, line, end), text)
