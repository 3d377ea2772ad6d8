"""How fine a clock is printed: the format's codes decide whether the text changes within a day."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from radixlint.late_pattern import late_pattern
from radixlint.lifetime.name_words import words

# strftime codes of an hour or finer, and the composite codes that hold one.
_PERCENT: Final = late_pattern(r"%[-_#0^:EO]*([A-Za-z+])")
_FINE_CODES: Final = frozenset("HIklMSfpPXcsTRrN+Z")
_SECONDS_CODES: Final = frozenset("STsrX")
_SECONDS_LETTERS: Final = late_pattern(r"[Hh]:mm:ss|H:i:s|\d:04:05")
_DAY_CODES: Final = frozenset("YyGgCmbBhdejaAuwUWVDFxv")
# Letter formats as in moment, Java, .NET and Go: YYYY-MM-DD HH:mm:ss, 2006-01-02 15:04.
_FINE_LETTERS: Final = late_pattern(r"HH|hh|mm:?ss|h:mm|15:04|3:04|ss")
_DAY_LETTERS: Final = late_pattern(r"[Yy]{2,4}|MMM|D{2,}|dd|2006|Jan\b")
TOLD_BY_MOMENTS: Final = words(
    "ctime getTime getHours getMinutes getSeconds getMilliseconds toISOString toJSON toLocaleString toLocaleTimeString toString "
    "toTimeString toUTCString valueOf"
)
"""Methods of a moment that tell it; of the clock itself they tell the time."""


def is_day_format(text: str) -> bool:
    """Whether a format string prints nothing finer than a day.

    >>> is_day_format("%Y-%m-%d"), is_day_format("%d %b %Y %H:%M"), is_day_format("UTC")
    (True, False, False)
    """
    codes = set(_PERCENT.findall(text))
    if codes:
        return bool(codes & _DAY_CODES) and not codes & _FINE_CODES
    return bool(_DAY_LETTERS.search(text)) and not _FINE_LETTERS.search(text)


def is_time_format(text: str) -> bool:
    """Whether a format string prints an hour or finer."""
    codes = set(_PERCENT.findall(text))
    return bool(codes & _FINE_CODES) if codes else bool(_FINE_LETTERS.search(text))


def prints_seconds(formats: Iterable[str]) -> bool:
    """Whether one of the formats given to a moment prints its seconds."""
    return any(_SECONDS_CODES & set(_PERCENT.findall(text)) or _SECONDS_LETTERS.search(text) for text in formats)


def prints_days_only(formats: Iterable[str]) -> bool:
    """Whether the formats given to a clock print days, and none prints anything finer."""
    texts = list(formats)
    return any(is_day_format(t) for t in texts) and not any(is_time_format(t) for t in texts)
