"""Checks of a log against earlier reports: how far the rate may fall, and that no break is new."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Final

from radixlint.api.gate_baseline import Baseline, Place, differences, place_of
from radixlint.api.gate_checks import ROUNDING, GateChecks, Unable, not_checked
from radixlint.result.breaks import Break
from radixlint.result.gate import GateCheck

RATE: Final = "baseline-rate"
BREAKS: Final = "baseline-breaks"
_ALIKE: Final = "measure both alike, or write a new baseline"


def unreadable(unable: Unable) -> tuple[GateCheck, GateCheck]:
    """Return both checks as not made."""
    return not_checked(RATE, "rate", None, unable), not_checked(BREAKS, "breaks", 0, unable)


class Comparison:
    """Compares a measured log with ``baselines``, each with its name."""

    def __init__(self, checks: GateChecks, baselines: list[tuple[str, Baseline]]) -> None:
        self._checks, self._baselines = checks, baselines
        told = [f"{name} {one}" for name, baseline in baselines for one in differences(baseline, checks.log)]
        self._unlike = Unable("; ".join(told), _ALIKE) if told else None

    def checks(self) -> Iterator[GateCheck]:
        """Yield the checks; breaks are left out where neither log tells any."""
        yield self._rate()
        if self._checks.log.breaks is not None or any(one.is_explained for _, one in self._baselines):
            yield self._new_breaks()

    def _rate(self) -> GateCheck:
        checks, kind = self._checks, self._checks.rate.kind
        figure = checks.known_rate()
        if isinstance(figure, Unable) or self._unlike:
            return not_checked(RATE, "rate", None, figure if isinstance(figure, Unable) else self._unlike or Unable(""))
        others = [name for name, one in self._baselines if one.counted != checks.options.scope]
        if others:
            flags = "--warm, --skip-first and --first-of-turn must be the same"
            return not_checked(
                RATE, "rate", None, Unable(f"{', '.join(others)} has its rate over other requests ({flags})", _ALIKE)
            )
        silent = [name for name, one in self._baselines if one.rate(kind) is None]
        if silent:
            return not_checked(RATE, "rate", None, Unable(f"{', '.join(silent)} has no {kind} rate", "--rate names another"))
        rates = [rate for _, one in self._baselines if (rate := one.rate(kind)) is not None]
        middle, tolerance = median(rates), checks.options.tolerance
        limit = middle - tolerance
        if limit <= 0:
            told = f"a baseline of {middle:.1%} less {tolerance:.1%} is nothing that a rate could miss"
            return not_checked(RATE, "rate", None, Unable(told, "write one from a log that shares more, or give --min-hit-rate"))
        whose = f"median {middle:.1%} of {len(rates)} baselines" if len(rates) > 1 else f"baseline {middle:.1%}"
        words = f"{kind}, {whose} less {tolerance:.1%}"
        return checks.judged(RATE, "rate", figure, limit, figure >= limit - ROUNDING, words, self._grown())

    def _new_breaks(self) -> GateCheck:
        checks = self._checks
        unable = checks.without_breaks() or self._unlike
        silent = [name for name, one in self._baselines if not one.is_explained]
        if unable is None and silent:
            unable = Unable(f"{', '.join(silent)} does not tell its breaks", "write one from a log with texts, without --top 0")
        if unable:
            return not_checked(BREAKS, "breaks", 0, unable)
        known = {place for _, one in self._baselines for place in one.lost_rates()}
        # A baseline that lists its largest breaks alone may have had any smaller one.
        floor = max(one.unlisted_rate for _, one in self._baselines)
        new = [place for place in checks.worst() if _place(place) not in known and checks.lost_rate(place) > floor]
        words = f"not in {'the baseline' if len(self._baselines) == 1 else 'any baseline'}, {checks.filter_words()}"
        if floor:
            words += f"; a baseline does not list what lost less than {floor:.2%} of its tokens"
        return checks.judged(BREAKS, "breaks", len(new), 0, not new, words, new)

    def _grown(self) -> list[Break]:
        """Return the breaks that lose a greater share than in any baseline, those that grew most first."""
        before: dict[Place, float] = {}
        for _, one in self._baselines:
            for place, rate in one.lost_rates().items():
                before[place] = max(rate, before.get(place, 0.0))
        growth = [(self._checks.lost_rate(one) - before.get(_place(one), 0.0), one) for one in self._checks.worst()]
        return [one for grew, one in sorted(growth, key=lambda pair: -pair[0]) if grew > ROUNDING]


def _place(place: Break) -> Place:
    return place_of(place.cause, place.where)
