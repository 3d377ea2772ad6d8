"""One log before and from a time on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from msgspec import structs

from radixlint.errors import ConfigError, LogError
from radixlint.logs import on_the_day, parse_time, read_as, time_of_day
from radixlint.traffic import LogRead

_WHERE: Final = "--split-at"
_FORMS: Final = "write 2026-03-02, 2026-03-02T09:00:00Z, 09:00 (UTC, if the log is of one day) or seconds"
# Before it a time is no date of a log, but seconds since some start.
_EARLIEST_DATE_S: Final = 946_684_800


def split(read: LogRead, split_at: str) -> tuple[LogRead, LogRead]:
    """Return the requests before a time, and those from then on. A time of day alone is UTC, on the one day of the log.

    Raises:
        ConfigError: it is no time, or a time of day and the log is of several days.
        LogError: one part is empty, or the log has requests without a time.
    """
    clock = time_of_day(split_at)
    time_s = None if clock is not None else parse_time(split_at)[0]
    if time_s is None and clock is None:
        raise ConfigError(f"{split_at!r} is no time", where=_WHERE, hint=_FORMS)
    times_s = [request.time_s for request in read.requests if request.time_s is not None]
    if len(times_s) < len(read.requests):
        raise LogError("requests without a time cannot be told apart by it", where=_WHERE, hint="give two logs")
    notes = read.notes
    if clock is not None and times_s:
        time_s = on_the_day(clock, min(times_s), max(times_s), where=_WHERE, text=split_at)
        notes = (read_as(split_at, time_s), *notes)
    before = tuple(request for request in read.requests if (request.time_s or 0.0) < (time_s or 0.0))
    after = read.requests[len(before) :]
    if not before or not after:
        hint = f"the log runs from {_shown(min(times_s))} to {_shown(max(times_s))}" if times_s else None
        raise LogError(f"all requests are {'from then on' if after else 'earlier'}", where=f"{_WHERE} {split_at}", hint=hint)
    # What was read is told once: by the earlier part.
    later = structs.replace(read, requests=after, records=0, read=0, notes=(), alterations=())
    return structs.replace(read, requests=before, read=read.records_read, notes=notes), later


def _shown(time_s: float) -> str:
    return f"{time_s:,.0f} s" if time_s < _EARLIEST_DATE_S else f"{datetime.fromtimestamp(time_s, UTC):%Y-%m-%d %H:%M:%S} UTC"
