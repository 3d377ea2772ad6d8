"""What numbers in one place do from request to request: count, or go up and down."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise
from statistics import fmean, median
from typing import Final

from msgspec import Struct

from radixlint.result.cause import Confidence

# No part of a date, a version or an id; a short unit may follow.
_NUMBER: Final = re.compile(
    r"(?<![A-Za-z0-9.,])(?<!\d-)[-+]?(?:\d{1,3}(?:[,_]\d{3})+|\d+)(?:\.\d+)?(?!\.\d|-\d)"
    r"(?=[.,]?(?:%|[A-Za-z°µ]{1,3}(?![A-Za-z0-9])|(?![A-Za-z0-9])))"
)
_MOST_FORMS: Final = 4
_MOST_READ: Final = 2_048
_MEASURED_DIGITS: Final = 4
_FEW_STEPS: Final = 6
_SAME_WAY_RATE: Final = 0.85
_CHANGING_RATE: Final = 0.5
_EVEN_RATE: Final = 0.8
_SMALL_STEP: Final = 10.0
_SMALL_STEP_RATE: Final = 0.1
_SMOOTH_RATE: Final = 0.2
_NARROW_RATE: Final = 0.25


class NumberRun(Struct, frozen=True):
    """How the number that changes most moves: ``counts`` by steps of one sign (``is_falling``: down), or wanders.

    ``is_measured`` says that neighbours are near each other, or that it has a unit or decimals: no random digits do.
    """

    counts: bool
    is_falling: bool
    is_measured: bool
    confidence: Confidence


class _Count(Struct, frozen=True):
    is_falling: bool
    confidence: Confidence


def number_run(values: Sequence[str], partings: Iterable[Sequence[Hashable | None]]) -> NumberRun | None:
    """Return what the numbers in ``values`` (in request order) do; None if the values differ in more than numbers.

    Of many requests the first are read. Each of ``partings`` gives every request a group: a counter may run in each group
    on its own (None is no group).
    """
    columns = _changing_columns(values[:_MOST_READ])
    if not columns:
        return None
    column = max(columns, key=lambda numbers: sum(one != other for one, other in pairwise(numbers)))
    text = values[0]
    is_share = any(match.end() < len(text) and text[match.end()] == "%" for match in _NUMBER.finditer(text))
    count = None if is_share else _best_count(column, partings)
    if count is not None:
        return NumberRun(True, count.is_falling, False, count.confidence)
    return NumberRun(False, False, is_share or _is_measured(column), Confidence.MEDIUM)


def _changing_columns(values: Sequence[str]) -> list[list[float]]:
    """Return the numbers by their place in the value, where they change; none if the texts around them have many forms."""
    forms, rows = set(), {}
    for value in dict.fromkeys(values):
        forms.add(_NUMBER.sub("#", value))
        rows[value] = [float(re.sub("[,_]", "", found)) for found in _NUMBER.findall(value)]
    widths = {len(row) for row in rows.values()}
    if len(forms) > max(1, min(_MOST_FORMS, len(rows) // 2)) or len(widths) > 1:
        return []
    columns = ([rows[value][place] for value in values] for place in range(widths.pop()))
    return [column for column in columns if len(set(column)) > 1]


def _best_count(column: Sequence[float], partings: Iterable[Sequence[Hashable | None]]) -> _Count | None:
    found = _count([column])
    for parting in partings:
        if found is not None:
            break
        groups: dict[Hashable, list[float]] = {}
        for number, group in zip(column, parting, strict=False):
            if group is not None:
                groups.setdefault(group, []).append(number)
        found = _count(list(groups.values()))
    return found or _restarted(column)


def _count(sequences: Sequence[Sequence[float]]) -> _Count | None:
    """Return the count that all ``sequences`` show: most steps have one sign, and most requests make one."""
    steps = [other - one for sequence in sequences for one, other in pairwise(sequence)]
    moves = [step for step in steps if step]
    if not moves or len(moves) < _CHANGING_RATE * len(steps):
        return None
    falls = sum(step < 0 for step in moves)
    one_way = max(falls, len(moves) - falls)
    is_few = len(moves) <= _FEW_STEPS
    if one_way < len(moves) * (1.0 if is_few else _SAME_WAY_RATE):
        return None
    largest = max(abs(number) for sequence in sequences for number in sequence)
    # Any few numbers may stand in order: only small steps tell then.
    if is_few and median(map(abs, moves)) > max(_SMALL_STEP, _SMALL_STEP_RATE * largest):
        return None
    is_even = Counter(map(abs, moves)).most_common(1)[0][1] >= _EVEN_RATE * len(moves)
    is_sure = len(moves) >= _FEW_STEPS - 1 and (is_even or one_way == len(moves))
    return _Count(falls > len(moves) / 2, Confidence.HIGH if is_sure else Confidence.MEDIUM)


def _restarted(column: Sequence[float]) -> _Count | None:
    """Return the count of tries or turns: it rises by one, and starts again at its least number."""
    least = min(column)
    rises = [other - one for one, other in pairwise(column) if other > one]
    is_reset = all(other == least for one, other in pairwise(column) if other < one)
    if len(set(column)) < 3 or not is_reset or not all(rise == 1 for rise in rises):
        return None
    return _Count(False, Confidence.MEDIUM)


def _is_measured(column: Sequence[float]) -> bool:
    low, high = min(column), max(column)
    steps = [abs(other - one) for one, other in pairwise(column)]
    # Random fractions have all the digits there are.
    has_decimals = any(number % 1 for number in column) and all(number == round(number, _MEASURED_DIGITS) for number in column)
    is_narrow = high - low <= _NARROW_RATE * max(abs(low), abs(high))
    return has_decimals or is_narrow or fmean(steps) <= _SMOOTH_RATE * (high - low)
