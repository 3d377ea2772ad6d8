"""What ``check-log`` decided about a log: one verdict a check, with the figure, the limit and what is to blame."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from radixlint.result.breaks import Break, Cleared
from radixlint.result.cause import Cause
from radixlint.result.evidence import Evidence
from radixlint.result.hit_rates import HitRates
from radixlint.result.measurement import EngineUsed, WaterfallEntry

PROMPT_CAUSES: Final = tuple(
    cause.value
    for cause in (
        *(Cause.CLOCK, Cause.ID, Cause.LIVE_STATE, Cause.COUNTER, Cause.TOOL_ORDER, Cause.TOOL_SET, Cause.KEY_ORDER),
        *(Cause.TEXT_FORM, Cause.HISTORY_REWRITTEN, Cause.BLOCK_MOVED, Cause.RETRIEVAL_BEFORE_HISTORY),
        *(Cause.TENANT_BEFORE_SHARED, Cause.SECTION_ORDER, Cause.CHAT_TEMPLATE, Cause.SIDE_CALL, Cause.MARKER, Cause.UNKNOWN),
    )
)
"""The causes that breaks have: to count others, which no break can have, would be a check that never fails."""


class CheckStatus(StrEnum):
    """How a check ended: to fail, something must have been measured."""

    PASSED = "passed"
    FAILED = "failed"
    COULD_NOT_CHECK = "could-not-check"


class RateKind(StrEnum):
    """Which of the hit rates is checked."""

    SHAREABLE = "shareable"
    ENGINE = "engine"
    REPORTED = "reported"

    @property
    def evidence(self) -> Evidence:
        """Who counted."""
        return Evidence.MEASURED if self is RateKind.REPORTED else Evidence.SIMULATED


@dataclass(frozen=True, slots=True)
class Scope:
    """Which requests count in the rate: all, or not the cold ones, or those alone that open a turn.

    ``skip_first`` requests of each session (of each application where none is named) are left out, ``is_warm`` leaves out
    the first of each application, ``is_first_of_turn`` those that go on with the results of tools.
    """

    skip_first: int = 0
    is_warm: bool = False
    is_first_of_turn: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many requests do not count in the rate, and why."""

    reason: str
    requests: int


@dataclass(frozen=True, slots=True)
class GatedRate:
    """The rate that is checked, over the ``requests`` that count; tokens are sums over these, None where nothing is known.

    ``hit_rate`` has all three rates over the requests that are in scope, ``rate`` is the checked one. ``why`` says why
    this kind was taken.
    """

    kind: RateKind
    why: str
    requests: int
    left_out: tuple[LeftOut, ...]
    rate: float | None
    prompt_tokens: int | None
    uncached_tokens: int | None
    hit_rate: HitRates


@dataclass(frozen=True, slots=True)
class GateCheck:
    """One check: ``figure`` against ``limit``, both in ``unit`` (``rate``, ``tokens`` or ``breaks``), None where not known.

    ``what`` says in words what was compared, or why it could not be; ``hint`` what to do then. ``breaks`` are the places
    to blame for a failure, the worst first, ``evidence`` the class of ``figure``.
    """

    name: str
    status: CheckStatus
    unit: str
    what: str
    figure: float | None = None
    limit: float | None = None
    hint: str = ""
    evidence: Evidence | None = None
    breaks: tuple[Break, ...] = ()


@dataclass(frozen=True, slots=True)
class GatedLog:
    """The log that was checked, as far as a verdict rests on it.

    ``measured_requests`` have their prompts in the log. ``breaks`` are all that lost tokens, None where the log does not tell
    causes.
    """

    input_format: str
    records: int
    read: int
    skipped: tuple[tuple[str, int], ...]
    requests: int
    measured_requests: int
    prompt_tokens: int
    engine: EngineUsed
    layout: str
    tokenizer: str
    waterfall: tuple[WaterfallEntry, ...]
    breaks: tuple[Break, ...] | None
    cleared: tuple[Cleared, ...]
    notes: tuple[str, ...]
    alterations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GateReport:
    """All that one ``check-log`` run has to say of the logs ``paths``; ``log`` and ``rate`` are None where none could be read."""

    checks: tuple[GateCheck, ...]
    scope: Scope
    rate: GatedRate | None
    log: GatedLog | None
    baselines: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()

    @property
    def status(self) -> CheckStatus:
        """Failed if a check failed, else could not check if one could not be made, else passed."""
        found = {check.status for check in self.checks}
        for status in (CheckStatus.FAILED, CheckStatus.COULD_NOT_CHECK):
            if status in found:
                return status
        return CheckStatus.PASSED if self.checks else CheckStatus.COULD_NOT_CHECK
