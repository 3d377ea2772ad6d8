"""When a request was made: numbers and ISO text to seconds since the epoch."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER: Final = re.compile(r"[0-9]+(\.[0-9]*)?\Z")
_LEAP_SECOND: Final = re.compile(r"(:\d\d:)60")
# [Europe/Berlin] and the like, after RFC 9557.
_ZONE_NAME: Final = re.compile(r"\[[^\]]*\]\Z")
# Seconds until the year 5138, then milli-, micro- and nanoseconds: a present date is read right in each.
_UNITS: Final = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9))


def parse_time(value: object) -> tuple[float | None, bool]:
    """Return the time in seconds since the epoch, None if it cannot be read, and whether its zone was missing.

    Numbers (also as text) are seconds, milli-, micro- or nanoseconds by their size. Text is ISO 8601; a time without
    a zone is read as UTC. A leap second is the second after :59.

    >>> parse_time("1970-01-01T00:00:05"), parse_time(1796119204000), parse_time("yesterday")
    ((5.0, True), (1796119204.0, False), (None, False))
    """
    if isinstance(value, bool):
        return None, False
    if isinstance(value, int | float):
        return _from_number(value), False
    if not isinstance(value, str):
        return None, False
    text = value.strip()
    return (_from_number(float(text)), False) if _NUMBER.match(text) else _from_iso(text)


def _from_number(value: float) -> float | None:
    if value < 0:
        return None
    for limit, divisor in _UNITS:
        if value < limit:
            return float(value / divisor)
    return None


def _from_iso(text: str) -> tuple[float | None, bool]:
    plain, leaps = _LEAP_SECOND.subn(r"\g<1>59", _ZONE_NAME.sub("", text))
    try:
        moment = datetime.fromisoformat(plain)
        is_naive = moment.tzinfo is None
        since = (moment.replace(tzinfo=UTC) if is_naive else moment) - _EPOCH
    except (ValueError, OverflowError):
        return None, False
    return since.total_seconds() + leaps, is_naive
