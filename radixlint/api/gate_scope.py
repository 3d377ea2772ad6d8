"""Which requests count in the rate that is checked, and what it is over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.api.measured_figures import Matches, part
from radixlint.api.measured_groups import is_first_of_turn
from radixlint.plural import counted
from radixlint.result.gate import GatedRate, LeftOut, RateKind, Scope
from radixlint.result.groups import Part
from radixlint.result.measurement import AnalyzeReport
from radixlint.traffic import Match, Request

_UNTOLD: Final = {
    RateKind.SHAREABLE: "their prompts are not in the log",
    RateKind.ENGINE: "their prompts are not in the log",
    RateKind.REPORTED: "they report no cached tokens",
}
_COLD: Final = "the first of their application"
_EARLY: Final = "among the first of their session or application"
_LATER: Final = "they go on with the result of a tool"
_NO_TURN: Final = "the log does not tell whose turn it is"


def gated_rate(requests: Sequence[Request], report: AnalyzeReport, kind: RateKind | None, scope: Scope) -> GatedRate:
    """Return the rate of ``kind`` over those of ``requests`` that are in ``scope``; ``report`` measured them.

    None takes the reported rate where every request reports its cached tokens, else the engine's.
    """
    matches = _matches(requests, report)
    kind, why = (kind, "asked for") if kind else _usual(requests, matches)
    kept, left_out = _kept(requests, _applications(requests, matches, report), scope)
    telling = [position for position in kept if _rate(_part(requests, matches, [position]), kind) is not None]
    if len(telling) < len(kept):
        left_out[_UNTOLD[kind]] = len(kept) - len(telling)
    counted = _part(requests, matches, telling)
    prompt_tokens, uncached_tokens = _tokens(counted, kind) if telling else (None, None)
    return GatedRate(
        kind=kind,
        why=why,
        requests=len(telling),
        left_out=tuple(LeftOut(reason, count) for reason, count in left_out.items()),
        rate=_rate(counted, kind),
        prompt_tokens=prompt_tokens,
        uncached_tokens=uncached_tokens,
        hit_rate=_part(requests, matches, kept).hit_rate,
    )


def _matches(requests: Sequence[Request], report: AnalyzeReport) -> Matches:
    """Return how each request was answered; the rows of a report go by the index of the request."""
    found: list[Match | None] = [None] * len(requests)
    order = sorted(range(len(requests)), key=lambda position: requests[position].index)
    for position, row in zip(order, report.rows, strict=True):
        if row.prompt_tokens is not None and row.shareable_tokens is not None and row.engine_tokens is not None:
            found[position] = Match(row.index, row.prompt_tokens, row.shareable_tokens, row.engine_tokens)
    return found


def _usual(requests: Sequence[Request], matches: Matches) -> tuple[RateKind, str]:
    reporting = sum(_part(requests, matches, [i]).hit_rate.reported is not None for i in range(len(requests)))
    if requests and reporting == len(requests):
        return RateKind.REPORTED, "every request reports its cached tokens"
    told = f"only {reporting:,} of {counted(len(requests), 'request')} report" if reporting else "no request reports"
    return RateKind.ENGINE, f"{told} what was cached"


def _applications(requests: Sequence[Request], matches: Matches, report: AnalyzeReport) -> list[tuple[str, int | None]]:
    """Return what each request warms up with: its namespace, and in it those with the same tools and instructions."""
    numbers = iter(report.applications)
    return [
        (request.namespace, None if match is None else next(numbers, None))
        for request, match in zip(requests, matches, strict=True)
    ]


def _kept(
    requests: Sequence[Request], applications: Sequence[tuple[str, int | None]], scope: Scope
) -> tuple[list[int], Counter[str]]:
    """Return the positions that are in ``scope``, and how many are not by reason; ``requests`` are in order of time."""
    kept: list[int] = []
    left_out: Counter[str] = Counter()
    for position, reason in enumerate(_reasons(requests, applications, scope)):
        if reason is None:
            kept.append(position)
        else:
            left_out[reason] += 1
    return kept, left_out


def _reasons(requests: Sequence[Request], applications: Sequence[tuple[str, int | None]], scope: Scope) -> Iterator[str | None]:
    seen: Counter[object] = Counter()
    for request, application in zip(requests, applications, strict=True):
        owner = application if request.session is None else (request.namespace, request.session)
        is_cold = scope.is_warm and not seen["application", application]
        is_early = seen["owner", owner] < scope.skip_first
        seen["application", application] += 1
        seen["owner", owner] += 1
        if is_cold:
            yield _COLD
        elif is_early:
            yield _EARLY
        elif scope.is_first_of_turn and not request.messages:
            yield _NO_TURN
        else:
            yield _LATER if scope.is_first_of_turn and not is_first_of_turn(request) else None


def _part(requests: Sequence[Request], matches: Matches, positions: Sequence[int]) -> Part:
    return part((requests[i] for i in positions), (matches[i] for i in positions))


def _rate(counted: Part, kind: RateKind) -> float | None:
    rates = counted.hit_rate
    by_kind = {RateKind.SHAREABLE: rates.shareable, RateKind.ENGINE: rates.engine, RateKind.REPORTED: rates.reported}
    return by_kind[kind]


def _tokens(counted: Part, kind: RateKind) -> tuple[int, int]:
    """Return prompt and uncached tokens of requests that all tell those of ``kind``."""
    if kind is RateKind.REPORTED:
        # All of these report, so what is uncached is by their own counter.
        assert counted.uncached_tokens is not None
        assert counted.reported_tokens is not None
        return counted.uncached_tokens + counted.reported_tokens, counted.uncached_tokens
    matched = counted.engine_tokens if kind is RateKind.ENGINE else counted.shareable_tokens
    assert matched is not None
    return counted.prompt_tokens, counted.prompt_tokens - matched
