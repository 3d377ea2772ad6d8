"""Checks of a measured log against limits: a figure each, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from radixlint.api.gate_options import BreakFilter, GateOptions
from radixlint.plural import counted
from radixlint.result.breaks import Break
from radixlint.result.evidence import Evidence
from radixlint.result.gate import CheckStatus, GateCheck, GatedLog, GatedRate

ROUNDING: Final = 1e-9
"""What sums and divisions of floats may lose."""
_SHOWN_BREAKS: Final = 5
_NO_ZERO: Final = "mend the breaks first, or name another --rate"
_LEAST_REQUESTS: Final = 2


@dataclass(frozen=True, slots=True)
class Unable:
    """Why something could not be checked, and what to do."""

    reason: str
    hint: str = ""


def not_checked(name: str, unit: str, limit: float | None, unable: Unable) -> GateCheck:
    """Return a check that could not be made."""
    return GateCheck(name, CheckStatus.COULD_NOT_CHECK, unit, unable.reason, limit=limit, hint=unable.hint)


def too_few(requests: int, what: str, options: GateOptions) -> Unable | None:
    """Return why so few requests say nothing; None if they are enough."""
    least = max(_LEAST_REQUESTS, options.min_requests)
    if requests >= least:
        return None
    hint = "give a longer log" if least == _LEAST_REQUESTS else "give a longer log, or a smaller --min-requests"
    return Unable(f"{counted(requests, 'request')} {what}, at least {least:,} are needed", hint)


class GateChecks:
    """What single checks have in common.

    Args:
        options: the limits.
        log: what was measured.
        rate: the rate that is checked.
        unfit: why nothing at all can be checked, None if something can.
    """

    def __init__(self, options: GateOptions, log: GatedLog, rate: GatedRate, unfit: Unable | None) -> None:
        self.options, self.log, self.rate = options, log, rate
        self._unfit = unfit

    def hit_rate(self, limit: float) -> GateCheck:
        """Check that the rate is at least ``limit``."""
        figure = self.known_rate()
        if isinstance(figure, Unable):
            return not_checked("hit-rate", "rate", limit, figure)
        return self.judged("hit-rate", "rate", figure, limit, figure >= limit - ROUNDING, self._rate_words(), self.worst())

    def uncached_tokens(self, limit: int) -> GateCheck:
        """Check that at most ``limit`` tokens were computed."""
        figure = self.known_rate()
        if isinstance(figure, Unable):
            return not_checked("uncached-tokens", "tokens", limit, figure)
        tokens = self.rate.uncached_tokens or 0
        return self.judged("uncached-tokens", "tokens", tokens, limit, tokens <= limit, self._rate_words(), self.worst())

    def breaks(self, limit: int) -> GateCheck:
        """Check that at most ``limit`` breaks count."""
        unable = self.without_breaks()
        if unable:
            return not_checked("breaks", "breaks", limit, unable)
        found = self.worst()
        return self.judged("breaks", "breaks", len(found), limit, len(found) <= limit, self.filter_words(), found)

    def writable(self, others: Sequence[GateCheck]) -> GateCheck:
        """Check that there is something for a later log to be compared with, and that the ``others`` have passed."""
        figure = self.known_rate()
        if not isinstance(figure, Unable) and any(check.status is not CheckStatus.PASSED for check in others):
            figure = Unable("not written: another check did not pass")
        elif not isinstance(figure, Unable) and figure <= 0:
            figure = Unable(f"a {self.rate.kind} rate of 0 is no baseline: no later log could fall below it", _NO_ZERO)
        if isinstance(figure, Unable):
            return not_checked("write-baseline", "rate", None, figure)
        return self.judged("write-baseline", "rate", figure, None, True, self._rate_words(), ())

    def known_rate(self) -> float | Unable:
        """Return the rate, or why it says nothing."""
        rate = self.rate
        if self._unfit:
            return self._unfit
        if rate.rate is None:
            others = [name for name in ("shareable", "engine", "reported") if getattr(rate.hit_rate, name) is not None]
            reasons = "; ".join(f"{one.requests:,} left out: {one.reason}" for one in rate.left_out)
            told = f" ({reasons})" if reasons else ""
            return Unable(f"the {rate.kind} rate is not known{told}", f"--rate {' or '.join(others)} is known" if others else "")
        return too_few(rate.requests, "in the rate", self.options) or rate.rate

    def without_breaks(self) -> Unable | None:
        """Return why breaks cannot be counted, None if they can."""
        if self._unfit:
            return self._unfit
        if self.log.breaks is None:
            told = "breaks are told from texts or token ids, and the log holds neither"
            return Unable(told, "a limit on the hit rate needs neither")
        if not self.log.prompt_tokens:
            return Unable("as laid out, no prompt holds a token", "--layout or --chat-template may leave all of it out")
        return too_few(self.log.measured_requests, "with a prompt in the log", self.options)

    def worst(self) -> list[Break]:
        """Return the breaks that count, most lost tokens first."""
        which = self.options.counted_breaks
        kept = [
            place
            for place in self.log.breaks or ()
            if place.lost_tokens >= max(1, which.min_lost_tokens)
            and self.lost_rate(place) >= which.min_lost_rate
            and (not which.causes or place.cause in which.causes)
        ]
        return sorted(kept, key=lambda place: -place.lost_tokens)

    def lost_rate(self, place: Break) -> float:
        """Return what ``place`` lost as a share of all prompt tokens."""
        return place.lost_tokens / max(1, self.log.prompt_tokens)

    def _rate_words(self) -> str:
        return f"{self.rate.kind}, {self.rate.requests:,} of {counted(self.log.requests, 'request')}"

    def filter_words(self) -> str:
        """Return which breaks count, in words."""
        return _filter_words(self.options.counted_breaks)

    def judged(
        self, name: str, unit: str, figure: float, limit: float | None, is_met: bool, what: str, to_blame: Sequence[Break]
    ) -> GateCheck:
        """Return a check that was made."""
        status = CheckStatus.PASSED if is_met else CheckStatus.FAILED
        evidence = Evidence.SIMULATED if unit == "breaks" else self.rate.kind.evidence
        blamed = () if is_met else tuple(to_blame[:_SHOWN_BREAKS])
        return GateCheck(name, status, unit, what, figure, limit, evidence=evidence, breaks=blamed)


def _filter_words(which: BreakFilter) -> str:
    words = ["of any cause"] if not which.causes else [f"by {', '.join(which.causes)}"]
    if which.min_lost_tokens > 1:
        words.append(f"from {counted(which.min_lost_tokens, 'lost token')} on")
    if which.min_lost_rate:
        words.append(f"from {which.min_lost_rate:.1%} of the prompt tokens on")
    return ", ".join(words)
