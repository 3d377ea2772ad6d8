"""Times and dates in the forms people write them: where they stand, how fine they are, and how a value reads without them."""

from __future__ import annotations

import re
from calendar import timegm
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final

from msgspec import Struct

from radixlint.explain.clock_patterns import AFTERNOON, ALONE, JOINT, LATE_YEAR, MONTHS, PACKED_DATE, PATTERNS, WEAK
from radixlint.logs import parse_time

GRANULARITIES_S: Final = {"millisecond": 0.001, "second": 1.0, "minute": 60.0, "hour": 3_600.0, "day": 86_400.0}
DAY_S: Final = 86_400
_NAME: Final = re.compile(r"[^\W\d_]+")
_DIGITS: Final = re.compile(r"\d+")


class Clock(Struct, frozen=True):
    """A time or date in a text: half-open range in code points, and the range of its time of day (empty if it has none).

    ``granularity`` is a key of ``GRANULARITIES_S``. ``days`` counts from the epoch, None without a calendar date; ``day_s`` are
    the seconds into the day, None without a time; both in UTC where the zone is given as a number, else as written.
    """

    start: int
    end: int
    time_start: int
    time_end: int
    granularity: str
    days: int | None = None
    day_s: float | None = None
    is_epoch: bool = False


class _Part(Struct, frozen=True):
    kind: str
    start: int
    end: int
    match: re.Match[str]
    # Counts only beside a date.
    is_weak: bool = False


def clocks_in(text: str, start: int = 0, end: int | None = None, *, is_day_first: bool = False) -> list[Clock]:
    """Return the times and dates between ``start`` and ``end``, in order; a date and a time side by side are one.

    ``is_day_first`` says how to read ``03/04/2026``.

    >>> [(c.granularity, text[c.start:c.end]) for text in ["at 2026-03-03 08:14 UTC, 3"] for c in clocks_in(text)]
    [('minute', '2026-03-03 08:14 UTC')]
    """
    stop = len(text) if end is None else end
    clocks = [_clock(text, parts, is_day_first) for parts in _joined(text, _parts(text, start, stop))]
    return [clock for clock in clocks if clock is not None]


def date_only(value: str) -> str | None:
    """Return ``value`` with the time of day left out and all else kept; None if it holds no date or no time of day.

    Unix times become those of their day's start, in UTC.

    >>> date_only("Tue, 03 Mar 2026 08:14:09 GMT"), date_only("03/03/2026"), date_only("1772525649")
    ('Tue, 03 Mar 2026', None, '1772496000')
    """
    clocks = clocks_in(value)
    timed = [clock for clock in clocks if clock.day_s is not None]
    if not timed or all(clock.days is None for clock in clocks):
        return None
    for clock in reversed(timed):
        kept = _day_start(value[clock.start : clock.end]) if clock.is_epoch else ""
        value = value[: clock.time_start] + kept + value[clock.time_end :]
    return value


def _day_start(digits: str) -> str:
    whole = digits.split(".")[0]
    unit = 10 ** (len(whole) - 10)
    return str(int(whole) // (DAY_S * unit) * DAY_S * unit)


def _parts(text: str, start: int, end: int) -> list[_Part]:
    """Return what is read as a date, a time, a weekday or a unix time, without overlaps, in order."""
    found: list[_Part] = []
    taken = bytearray(end - start)
    for kind, pattern, matches in _matches(text, start, end):
        for match in matches:
            first, last = match.span()
            if not any(taken[first - start : last - start]):
                taken[first - start : last - start] = b"\1" * (last - first)
                found.append(_Part(kind, first, last, match, pattern in WEAK))
    return sorted(found, key=lambda part: part.start)


def _matches(text: str, start: int, end: int) -> Iterator[tuple[str, re.Pattern[str], Iterable[re.Match[str]]]]:
    """Yield the matches of each pattern that can have any: to look for all of them at each place is slow."""
    names = set(_NAME.findall(text[start:end].lower()))
    digits = [match.start() for match in _DIGITS.finditer(text, start, end)]
    is_ascii = text.isascii()
    for kind, pattern, needed in PATTERNS:
        if needed and names.isdisjoint(needed) and (is_ascii or kind != "weekday"):
            continue
        first_group = next(iter(pattern.groupindex), "name")
        if first_group == "name" or (first_group == "q" and not is_ascii):
            yield kind, pattern, pattern.finditer(text, start, end)
        else:
            yield kind, pattern, filter(None, (pattern.match(text, at, end) for at in digits))


def _joined(text: str, parts: list[_Part]) -> Iterator[list[_Part]]:
    """Yield the parts that stand side by side, each kind once."""
    group: list[_Part] = []
    for part in parts:
        kinds = {other.kind for other in group}
        is_new_kind = part.kind not in kinds and ALONE.isdisjoint({part.kind, *kinds})
        if group and is_new_kind and JOINT.fullmatch(text, group[-1].end, part.start):
            group.append(part)
            continue
        if group:
            yield group
        group = [part]
    if group:
        yield group


def _clock(text: str, parts: list[_Part], is_day_first: bool) -> Clock | None:
    by_kind = {part.kind: part for part in parts}
    if "epoch" in by_kind:
        return _epoch_clock(by_kind["epoch"])
    if "packed" in by_kind:
        return _packed_clock(by_kind["packed"])
    day, time = by_kind.get("date"), by_kind.get("time")
    if day is None:
        parts = [part for part in parts if not part.is_weak]
        time = None if time is None or time.is_weak else time
    if not parts:
        return None
    start, end = parts[0].start, parts[-1].end
    year = None if day is None else day.match.groupdict().get("y")
    if day is not None and time is parts[-1] and year is None and (late := LATE_YEAR.match(text, end)):
        year, end = late["y"], late.end()
    days = None if day is None else _days(day.match, year, is_day_first)
    if day is not None and days is None:
        return None
    if time is None:
        return Clock(start, end, end, end, "day", days)
    granularity, day_s = _time_of_day(time.match)
    before = max((p.end for p in parts if p.end <= time.start), default=None)
    behind = min((p.start for p in parts if p.start >= time.end), default=None)
    # What joins the time to the date goes with it.
    cut = time.start if before is None else before
    cut_end = behind if before is None and behind is not None else time.end
    return Clock(start, end, cut, cut_end, granularity, days, day_s)


def _epoch_clock(part: _Part) -> Clock | None:
    seconds, _ = parse_time(part.match.group())
    if seconds is None:
        return None
    days, day_s = divmod(seconds, DAY_S)
    granularity = "millisecond" if part.match["f"] or part.match["f3"] else "second"
    return Clock(part.start, part.end, part.start, part.end, granularity, int(days), day_s, is_epoch=True)


def _packed_clock(part: _Part) -> Clock | None:
    days = _days(part.match, part.match["y"], is_day_first=False)
    granularity, day_s = _time_of_day(part.match)
    return None if days is None else Clock(part.start, part.end, part.start + PACKED_DATE, part.end, granularity, days, day_s)


def _days(match: re.Match[str], year_text: str | None, is_day_first: bool) -> int | None:
    """Return the days since the epoch, None if there is no such date; without a year it is that of 2000, a leap year."""
    found = match.groupdict()
    year = int(year_text or 2000)
    year += 2000 if year < 100 else 0
    if found.get("a"):
        month, day = int(found["a"]), int(found["b"])
        if month > 12 or (day <= 12 and (is_day_first or found.get("sep") in ("-", "."))):
            month, day = day, month
    else:
        month = MONTHS[found["name"].lower()] if found.get("name") else int(found["mo"])
        day = int(found.get("d") or 1)
    try:
        return timegm(date(year, month, day).timetuple()) // DAY_S
    except ValueError:
        return None


def _time_of_day(match: re.Match[str]) -> tuple[str, float]:
    found = match.groupdict()
    hour, half = int(found["h"]), (found.get("p") or "").lower()
    if half or found.get("q"):
        hour = hour % 12 + (12 if half.startswith("p") or found.get("q") in AFTERNOON else 0)
    seconds = 3_600.0 * hour + 60 * int(found.get("m") or 0) + int(found.get("s") or 0)
    fraction = found.get("f")
    if fraction:
        return "millisecond", seconds + float(f"0.{fraction}") - _offset_s(found.get("o"))
    granularity = "second" if found.get("s") else "minute" if found.get("m") else "hour"
    return granularity, seconds - _offset_s(found.get("o"))


def _offset_s(zone: str | None) -> int:
    if zone is None:
        return 0
    digits = zone[1:].replace(":", "")
    hours, minutes = (digits[:-2], digits[-2:]) if len(digits) > 2 else (digits, "0")
    return (1 if zone[0] == "+" else -1) * (3_600 * int(hours) + 60 * int(minutes))
