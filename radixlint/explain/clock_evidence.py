"""Whether the values of one place are a clock: they read as times, and they go forward with the requests or their times."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from radixlint.explain.clock_values import DAY_S, GRANULARITIES_S, clocks_in
from radixlint.result.cause import Confidence

_READ_RATE: Final = 0.9
_RISING_RATE: Final = 0.8
_SURE_RISES: Final = 4
_FAR_RISING_RATE: Final = 0.9
_MOST_READ: Final = 512
# What is longer is a text that has a time in it.
_LONGEST_VALUE: Final = 400
_SLACK_S: Final = 120.0
_WITH_DIGITS: Final = re.compile(r"\S*\d\S*")
_COARSER: Final = tuple(sorted(GRANULARITIES_S, key=GRANULARITIES_S.__getitem__, reverse=True))


class ClockEvidence(Struct, frozen=True):
    """How fine the clock is (a key of ``GRANULARITIES_S``), and how sure it is that it is one."""

    granularity: str
    confidence: Confidence


class _Reading(Struct, frozen=True):
    granularity: str
    moment_s: float | None
    is_dated: bool
    rest: str


def clock_evidence(values: Sequence[str], times_s: Sequence[float | None]) -> ClockEvidence | None:
    """Return what says that ``values`` (in request order, with the requests' times) are a clock; None if they are none.

    High: it mostly rises with the order, or keeps its distance to the times. Medium: it reads as a time. Of many
    requests an even sample is read.
    """
    step = -(-len(values) // _MOST_READ)
    values, times_s = values[::step], times_s[::step]
    best: ClockEvidence | None = None
    for is_day_first in (False, True) if any("/" in value for value in values) else (False,):
        found = _evidence(values, times_s, is_day_first)
        if best is None or (found is not None and found.confidence is Confidence.HIGH):
            best = found
    return best


def _evidence(values: Sequence[str], times_s: Sequence[float | None], is_day_first: bool) -> ClockEvidence | None:
    known = {value: _reading(value, is_day_first) for value in dict.fromkeys(values)}
    rows = [(reading, time_s) for value, time_s in zip(values, times_s, strict=True) if (reading := known[value]) is not None]
    if len(rows) < max(2.0, _READ_RATE * len(values)) or not _is_clock_that_changes(values, known):
        return None
    readings = [reading for reading, _ in rows]
    granularity = _granularity(readings)
    pairs = [(r.moment_s, time_s) for r, time_s in rows if r.moment_s is not None]
    moments = [moment for moment, _ in pairs]
    is_dated = all(reading.is_dated for reading in readings)
    timed = [(moment, time_s) for moment, time_s in pairs if time_s is not None]
    if len(set(values)) < 3:
        is_follower = _follows(timed, GRANULARITIES_S[granularity], is_dated)
        return None if not is_follower and _is_replaced_once(values, moments, granularity) else _medium(granularity)
    if _follows(timed, GRANULARITIES_S[granularity], is_dated) or _rises(moments, is_dated):
        return ClockEvidence(granularity, Confidence.HIGH)
    return _medium(granularity)


def _medium(granularity: str) -> ClockEvidence:
    return ClockEvidence(granularity, Confidence.MEDIUM)


def _reading(value: str, is_day_first: bool) -> _Reading | None:
    clocks = clocks_in(value, is_day_first=is_day_first) if len(value) <= _LONGEST_VALUE else []
    if not clocks:
        return None
    days = next((clock.days for clock in clocks if clock.days is not None), None)
    day_s = next((clock.day_s for clock in clocks if clock.day_s is not None), None)
    moment_s = None if days is None and day_s is None else (days or 0) * DAY_S + (day_s or 0.0)
    rest, end = "", 0
    for clock in clocks:
        rest, end = f"{rest}{value[end : clock.start]}\0", clock.end
    finest = min((clock.granularity for clock in clocks), key=GRANULARITIES_S.__getitem__)
    return _Reading(finest, moment_s, days is not None, rest + value[end:])


def _is_clock_that_changes(values: Sequence[str], known: dict[str, _Reading | None]) -> bool:
    """Whether the values differ by their times, and the text beside these has few forms (numbers and ids aside)."""
    readings = [known[value] for value in values]
    changes = [(one, other) for one, other in pairwise(readings) if one != other]
    moves = sum(one is not None and other is not None and _differ_in_time(one, other) for one, other in changes)
    forms = {_WITH_DIGITS.sub("#", reading.rest) for reading in known.values() if reading is not None}
    return 2 * moves >= len(changes) and len(forms) <= max(1, len(known) // 3)


def _differ_in_time(one: _Reading, other: _Reading) -> bool:
    # Names of weekdays have no moment: the text itself tells them apart.
    return one.moment_s is None or one.moment_s != other.moment_s


def _granularity(readings: Sequence[_Reading]) -> str:
    """Return the finest granularity that is printed, or a coarser one if all finer digits are always zero."""
    finest = min((reading.granularity for reading in readings), key=GRANULARITIES_S.__getitem__)
    moments = {reading.moment_s for reading in readings if reading.moment_s is not None}
    if len(moments) < 3:
        return finest
    whole = (name for name in _COARSER if all(moment % GRANULARITIES_S[name] == 0 for moment in moments))
    coarsest = next(whole, finest)
    return max(finest, coarsest, key=GRANULARITIES_S.__getitem__)


def _is_replaced_once(values: Sequence[str], moments: Sequence[float], granularity: str) -> bool:
    """Whether a time stood still in several requests, and then another one did: when something was built or started."""
    changes = sum(one != other for one, other in pairwise(values))
    if changes != 1 or len(values) < 4 or granularity == "day":
        return False
    step_s = abs(moments[-1] - moments[0]) if moments else 0.0
    return granularity not in ("minute", "hour") or step_s != GRANULARITIES_S[granularity]


def _follows(timed: Sequence[tuple[float, float]], granule_s: float, is_dated: bool) -> bool:
    """Whether the values keep one distance to the requests' times (any: zones are not known)."""
    if len(timed) < 2:
        return False
    spread_s = _middle_range([time_s for _, time_s in timed])
    distances = [moment_s - time_s for moment_s, time_s in timed]
    if not is_dated:
        distances = [(distance - distances[0] + DAY_S / 2) % DAY_S for distance in distances]
    return spread_s > granule_s and _middle_range(distances) <= granule_s + min(_SLACK_S, spread_s / 4)


def _middle_range(numbers: Sequence[float]) -> float:
    """Return the range of the middle four fifths (of all, if they are fewer than ten)."""
    ranked, cut = sorted(numbers), len(numbers) // 10
    return ranked[-1 - cut] - ranked[cut]


def _rises(moments: Sequence[float], is_dated: bool) -> bool:
    """Whether most steps go up, and nearly all from one half to the other: so values that come in turns do not rise."""
    line, days = list(moments[:1]), 0
    for one, other in pairwise(moments):
        # Without a date midnight is a step back by nearly a day.
        days += not is_dated and other - one < -DAY_S / 2
        line.append(other + days * DAY_S)
    steps = [other - one for one, other in pairwise(line) if other != one]
    half = len(line) // 2
    far = [other > one for one, other in zip(line, line[-half:], strict=False)]
    is_rising = sum(step > 0 for step in steps) >= _RISING_RATE * len(steps)
    return len(steps) >= _SURE_RISES and is_rising and sum(far) >= _FAR_RISING_RATE * len(far)
