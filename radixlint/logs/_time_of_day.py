"""A time of day without its date: UTC, on the one day of a log."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from radixlint.errors import ConfigError

_CLOCK: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?Z?\Z")
# Before it a time is no date of a log, but seconds since some start.
_EARLIEST_DATE_S: Final = 946_684_800


def time_of_day(text: str) -> float | None:
    """Return the seconds since midnight of ``text``, None if it is no time of day alone.

    >>> time_of_day("09:10"), time_of_day("23:59:59Z"), time_of_day("2026-03-02")
    (33000.0, 86399.0, None)
    """
    found = _CLOCK.match(text.strip())
    if found is None:
        return None
    hour, minute, second = (int(part or 0) for part in found.groups())
    return timedelta(hours=hour, minutes=minute, seconds=second).total_seconds()


def on_the_day(since_midnight_s: float, first_s: float, last_s: float, *, where: str, text: str) -> float:
    """Return the time of day on the day of a log that runs from ``first_s`` to ``last_s``, seconds since the epoch.

    ``where`` and ``text`` are the option and its value, for errors.

    Raises:
        ConfigError: the log is of several days, or its times have no date.
    """
    if first_s < _EARLIEST_DATE_S:
        raise ConfigError("the times of the log have no date, so no time of day", where=where, hint="write seconds")
    days = [datetime.fromtimestamp(time_s, UTC).date() for time_s in (first_s, last_s)]
    if days[0] != days[1]:
        said = f"{text} is a time of day, and the log runs from {days[0]} to {days[1]}"
        raise ConfigError(said, where=where, hint=f"write the date as well, such as {days[1]}T{text.strip()}")
    midnight = datetime(days[0].year, days[0].month, days[0].day, tzinfo=UTC)
    return midnight.timestamp() + since_midnight_s


def read_as(text: str, time_s: float) -> str:
    """Return the sentence on how a time of day was read."""
    return f"{text} was read as {datetime.fromtimestamp(time_s, UTC):%Y-%m-%d %H:%M:%S} UTC: a time of day is UTC."
