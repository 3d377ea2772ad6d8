"""Find times and ids in fixed text: what a request body as sent shows of a value that was filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from radixlint.late_pattern import late_pattern
from radixlint.prompt import Origin

_MONTH: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_DAY: Final = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*"
_CLOCK: Final = (
    r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:\s?(?:[AaPp][Mm]\b|[AaPp]\.[Mm]\.))?"
    r"(?:\s?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)\b)?"
)
_ISO: Final = (
    r"\b(?:19|20)\d\d[-/](?:0[1-9]|1[0-2])[-/](?:0[1-9]|[12]\d|3[01])(?:T|,?\s(?:at\s)?)"
    r"(?:[01]\d|2[0-3]):?[0-5]\d(?::?[0-5]\d(?:[.,]\d+)?)?(?:\s?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)(?!\w))?"
)
_WORDY: Final = (
    rf"\b(?:{_DAY},?\s{{1,3}})?(?:\d{{1,2}}(?:st|nd|rd|th)?\s{_MONTH}|{_MONTH}\s{{1,2}}\d{{1,2}}(?:st|nd|rd|th)?),?\s{{1,3}}"
    rf"(?:(?:(?:19|20)\d\d,?\s{{1,3}})?(?:at\s)?{_CLOCK}(?:\s(?:(?:UTC|GMT)\s)?(?:19|20)\d\d)?"
    r"|(?:19|20)\d\d,?\s{1,3}(?:at\s)?(?:1[0-2]|0?[1-9])\s?(?:[AaPp][Mm]\b|[AaPp]\.[Mm]\.))"
)
_COMPACT: Final = (
    r"\b(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d(?:\.\d+)?)?"
    r"(?:Z|[+-]\d\d:?\d\d)?(?!\w)"
)
_SLASHED: Final = rf"\b\d{{1,2}}[/.]\d{{1,2}}[/.](?:19|20)\d\d,?\s{{1,3}}(?:at\s)?{_CLOCK}"
_LABELLED: Final = rf"(?i:\b(?:current|local|now|utc|server|system)\s{{1,3}}time(?:\sis)?\s?[:=]?\s?)(?P<clock>{_CLOCK})"
# "Time" alone also labels what is fixed, such as an opening hour; nobody fixes one to the second.
_STAMPED: Final = (
    r"(?i:(?<![A-Za-z])(?:time|clock|it\sis|it's)\s?[:=]?\s{0,3})(?P<stamp>(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?)(?![\w:])"
)
_EPOCH: Final = (
    r"(?i:(?<![A-Za-z])(?:time|timestamp|ts|epoch|unix|now|clock|at|as\sof)(?:\sis)?[\"'\s:=(>]{1,4})"
    r"(?P<epoch>1[5-9]\d{8}(?:\.\d+)?)\b(?!\.?\d)"
    r"|(?m:^)[ \t\"'(\[]{0,8}(?P<alone>1[5-9]\d{8}(?:\.\d+)?)(?=[ \t\"')\],.]{0,8}(?m:$))"
    r"|(?<![\w.-])(?P<millis>1[5-9]\d{11})(?![\w-])"
)
_UUID: Final = r"(?<![0-9A-Za-z-])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![0-9A-Za-z-])"
_HEX: Final = r"(?<![0-9A-Za-z/+#])(?:[0-9a-f]{24,}|[0-9A-F]{24,})(?![0-9A-Za-z/+])"

_CROCKFORD: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ULID: Final = r"(?<![0-9A-Za-z])(?P<ulid>[0-7](?:[0-9A-HJKMNP-TV-Z]{25}|[0-9a-hjkmnp-tv-z]{25}))(?![0-9A-Za-z])"
_ULID_TIME_CHARS: Final = 10
_PLAUSIBLE_MS: Final = range(1_400_000_000_000, 2_000_000_000_000)

_CLOCKS: Final = late_pattern("|".join((_ISO, _COMPACT, _WORDY, _SLASHED, _LABELLED, _STAMPED, _EPOCH)))
_IDS: Final = late_pattern(f"{_UUID}|{_HEX}|{_ULID}")
# What a program says of the talk in brackets; turns that are counted one by one are a script of one.
_TURN: Final = late_pattern(r"\[\s?(?i:turn)\s\d{1,5}(?:\s?(?:/|of)\s?\d{1,5})?\s?\]")
_FILLED: Final = late_pattern(
    r"\[\s?(?i:context|compressed|compacted|history|tokens?|budget|window)\b[^\[\]\n%\d]{0,20}\d{1,3}(?:\.\d+)?\s?%"
    r"[^\[\]\n]{0,20}\]"
)
# Opening hours and shifts: a clock to a clock.
_RANGE_TO: Final = late_pattern(
    r"\s?(?:to|until|till|through|and|[-\u2013\u2014])\s?(?:[01]?\d|2[0-3])(?::[0-5]\d|\s?[AaPp]\.?[Mm]\b)"
)
# A list of numbers, one a line, is no clock.
_NUMBER_AHEAD: Final = late_pattern(r"^[ \t]*\d+[ \t,.]*\n[ \t\"'(\[]*$", re.MULTILINE)
_NUMBER_BEHIND: Final = late_pattern(r"[ \t\"')\],.]*\n[ \t]*\d+[ \t,.]*$", re.MULTILINE)
_EXAMPLE: Final = late_pattern(
    r"(?i)(?:\be\.?\s?g\b|\bexamples?\b|\bfor instance\b|\bsuch as\b|\bformat\b|\bsample\b|\blike\b)[^\n]{0,24}$"
)
_DIGEST: Final = late_pattern(
    r"(?i)(?:sha-?\d*|commit|digest|checksum|revision|rev|hash|etag|fingerprint|build|version)[\"'\s:=#(]*(?:sha\d+:)?$"
)
_MIDNIGHT: Final = late_pattern(r"T?00:?00(?::?00)?(?:\.0+)?\s?(?:Z|UTC|GMT|[+-]00:?00)?$")
_CONTEXT_CHARS: Final = 48
_MIN_DISTINCT_DIGITS: Final = 7


class VolatileText(Struct, frozen=True):
    """A piece of text that differs between calls: half-open range in code points, and what it is."""

    start: int
    end: int
    origin: Origin


def find_volatile(text: str) -> Iterator[VolatileText]:
    """Yield times (a date without time is none), ids and counters of a talk in ``text``, in order, examples and digests aside."""
    found = [*_times(text), *_identifiers(text), *(_counters(text) if "[" in text else ())]
    end = 0
    for piece in sorted(found, key=lambda p: (p.start, -p.end)):
        if piece.start >= end:
            yield piece
            end = piece.end


def _times(text: str) -> Iterator[VolatileText]:
    for match in _CLOCKS.finditer(text):
        name = match.lastgroup
        start, end = match.span(name) if name else match.span()
        is_fixed = _EXAMPLE.search(text, max(0, start - _CONTEXT_CHARS), start) or _MIDNIGHT.search(match.group())
        is_listed = name == "alone" and _is_in_list(text, start, end)
        if not is_fixed and not is_listed and not _RANGE_TO.match(text, end):
            yield VolatileText(start, end, Origin.CLOCK)


def _counters(text: str) -> Iterator[VolatileText]:
    for pattern in (_TURN, _FILLED):
        found = list(pattern.finditer(text))
        start, end = found[0].span() if len(found) == 1 else (0, 0)
        if end and not _EXAMPLE.search(text, max(0, start - _CONTEXT_CHARS), start):
            yield VolatileText(start, end, Origin.COUNTER)


def _is_in_list(text: str, start: int, end: int) -> bool:
    ahead = text[max(0, start - _CONTEXT_CHARS) : start]
    return bool(_NUMBER_AHEAD.search(ahead) or _NUMBER_BEHIND.match(text, end))


def _is_plausible_ulid(text: str) -> bool:
    """Whether the time in a ULID, milliseconds in Crockford's base 32, is one of our years."""
    milliseconds = 0
    for character in text[:_ULID_TIME_CHARS].upper():
        milliseconds = milliseconds * 32 + _CROCKFORD.index(character)
    return milliseconds in _PLAUSIBLE_MS


def _identifiers(text: str) -> Iterator[VolatileText]:
    for match in _IDS.finditer(text):
        start, end = match.span()
        before = max(0, start - _CONTEXT_CHARS)
        is_real = len(set(match.group().lower()) - {"-"}) >= _MIN_DISTINCT_DIGITS and any(c.isalpha() for c in match.group())
        is_fixed = _EXAMPLE.search(text, before, start) or _DIGEST.search(text, before, start)
        is_ulid = match.lastgroup == "ulid"
        if is_real and not is_fixed and (not is_ulid or _is_plausible_ulid(match.group())):
            yield VolatileText(start, end, Origin.ID)
