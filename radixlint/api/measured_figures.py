"""Matches and the log's own counters to the figures of a report: rates, sums, agreement, namespaces.

``matches`` are as long as ``requests`` everywhere, None for a request whose prompt is not in the log.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import Final, Protocol

from radixlint.result.evidence import Evidence
from radixlint.result.groups import Part
from radixlint.result.hit_rates import HitRates
from radixlint.result.measurement import UsageAgreement
from radixlint.traffic import TOKEN_BYTES, Match, Request

UNKNOWN_RATES: Final = HitRates(None, None, None)
Matches = Sequence[Match | None]


def hit_rates(requests: Iterable[Request], matches: Iterable[Match | None]) -> HitRates:
    """Return matched tokens / prompt tokens; reported: cached / prompt tokens over the requests that say how many."""
    return _sums(requests, matches).hit_rates()


def request_hit_rates(requests: Sequence[Request], matches: Matches) -> HitRates:
    """Return the unweighted means over requests of what ``hit_rates`` weighs by tokens."""
    asked = [array("d"), array("d")]
    for match in matches:
        if match is not None and match.prompt_tokens:
            asked[0].append(match.shareable_tokens / match.prompt_tokens)
            asked[1].append(match.engine_tokens / match.prompt_tokens)
    pairs = map(_reported, requests, matches)
    reported = array("d", (pair[0] / pair[1] for pair in pairs if pair is not None))
    return HitRates(*(fmean(rates) if rates else None for rates in (*asked, reported)))


def reported_tokens(requests: Sequence[Request], matches: Matches) -> tuple[int | None, int | None, int]:
    """Return cached tokens as reported, the same less our engine tokens, and how many requests report them.

    The difference is over the requests that have both, None if there are none.
    """
    sums = _sums(requests, matches)
    difference = sums.difference_tokens if sums.both else None
    return (sums.cached_tokens, difference, sums.reporting) if sums.reporting else (None, None, 0)


def output_tokens(requests: Sequence[Request]) -> tuple[int | None, int]:
    """Return the output tokens the log tells of (usage, else ids) and over how many requests; None for none."""
    known = [count for count in map(_output_tokens, requests) if count is not None]
    return (sum(known), len(known)) if known else (None, 0)


def prompt_tokens(request: Request, match: Match | None) -> int | None:
    """Return the length of the prompt: ours where the prompt is known, else as reported."""
    if match is not None:
        return match.prompt_tokens
    return None if request.usage is None else request.usage.prompt_tokens


def part(requests: Iterable[Request], matches: Iterable[Match | None]) -> Part:
    """Return the figures of some requests, measured where they stand in the whole log."""
    sums = _sums(requests, matches)
    return Part(
        requests=sums.requests,
        prompt_tokens=sums.length_tokens,
        shareable_tokens=sums.shareable_tokens if sums.known else None,
        engine_tokens=sums.engine_tokens if sums.known else None,
        reported_tokens=sums.cached_tokens if sums.reporting else None,
        uncached_tokens=sums.uncached_tokens if sums.known or sums.reporting else None,
        hit_rate=sums.hit_rates(),
    )


class Counted(Protocol):
    """What has a length in our tokens."""

    @property
    def prompt_tokens(self) -> int: ...


def tokenizer_evidence(
    evidence: Evidence, requests: Sequence[Request], matches: Sequence[Counted | None], agreement: UsageAgreement | None = None
) -> Evidence:
    """Return how sure the tokens are: as ``evidence`` says, but assumed where their number is not what the server reports.

    ``agreement`` is that of all ``requests`` where it is known already.
    """
    told = agreement or next(iter(usage_agreements(requests, matches)), None)
    return Evidence.ASSUMED if told is not None and told.is_off else evidence


def usage_agreements(requests: Sequence[Request], matches: Sequence[Counted | None]) -> tuple[UsageAgreement, ...]:
    """Return how our prompt tokens compare with the reported ones: over all, then by log format and model if there are several.

    Empty if the log reports none. The 95th percentile is the smallest ratio that at least 95 % of the requests do not
    exceed.
    """
    ratios: dict[tuple[str, str | None], array[float]] = {}
    for request, match in zip(requests, matches, strict=True):
        if match is not None and request.usage is not None and request.usage.prompt_tokens:
            some = ratios.setdefault((request.format, request.model), array("d"))
            some.append(match.prompt_tokens / request.usage.prompt_tokens)
    if not ratios:
        return ()
    every = _agreement(itertools.chain.from_iterable(ratios.values()))
    if len(ratios) < 2:
        return (every,)
    return (every, *(replace(_agreement(some), format=form, model=model) for (form, model), some in ratios.items()))


def namespaces(requests: Sequence[Request]) -> tuple[int, int]:
    """Return how many namespaces there are, and the most that the requests of one model have."""
    by_model: dict[str | None, set[str]] = {}
    for request in requests:
        by_model.setdefault(request.model, set()).add(request.namespace)
    return len(set().union(*by_model.values())), max(map(len, by_model.values()), default=0)


@dataclass(slots=True)
class _Sums:
    """Sums over requests: all, the ``known`` ones that have a match, the ``reporting`` ones, and those that have ``both``."""

    requests: int = 0
    length_tokens: int = 0
    known: int = 0
    prompt_tokens: int = 0
    shareable_tokens: int = 0
    engine_tokens: int = 0
    reporting: int = 0
    cached_tokens: int = 0
    reported_prompt_tokens: int = 0
    both: int = 0
    difference_tokens: int = 0
    uncached_tokens: int = 0

    def add(self, request: Request, match: Match | None) -> None:
        reported = _reported(request, match)
        self.requests += 1
        self.length_tokens += prompt_tokens(request, match) or 0
        if match is not None:
            self.known += 1
            self.prompt_tokens += match.prompt_tokens
            self.shareable_tokens += match.shareable_tokens
            self.engine_tokens += match.engine_tokens
        if reported is not None:
            self.reporting += 1
            self.cached_tokens += reported[0]
            self.reported_prompt_tokens += reported[1]
            self.uncached_tokens += reported[1] - reported[0]
        elif match is not None:
            self.uncached_tokens += match.prompt_tokens - match.engine_tokens
        if reported is not None and match is not None:
            self.both += 1
            self.difference_tokens += reported[0] - match.engine_tokens

    def hit_rates(self) -> HitRates:
        return HitRates(
            shareable=_ratio(self.shareable_tokens, self.prompt_tokens),
            engine=_ratio(self.engine_tokens, self.prompt_tokens),
            reported=_ratio(self.cached_tokens, self.reported_prompt_tokens),
        )


def _sums(requests: Iterable[Request], matches: Iterable[Match | None]) -> _Sums:
    # One pass, for matches may be made anew each time they are looked at.
    sums = _Sums()
    for request, match in zip(requests, matches, strict=True):
        sums.add(request, match)
    return sums


def _agreement(ratios: Iterable[float]) -> UsageAgreement:
    rising = sorted(ratios)
    return UsageAgreement(len(rising), median(rising), rising[math.ceil(0.95 * len(rising)) - 1])


def _reported(request: Request, match: Match | None) -> tuple[int, int] | None:
    """Return reported cached tokens and the prompt tokens they are a part of, None if nothing is reported.

    Without the server's own length ours takes its place where it can: ids are the server's, a text may have other tokens.
    """
    usage = request.usage
    if usage is None or usage.cached_tokens is None:
        return None
    length = usage.prompt_tokens
    if length is None and match is not None and (request.token_ids is not None or request.block_ids is not None):
        length = match.prompt_tokens
    return (usage.cached_tokens, length) if length and length >= usage.cached_tokens else None


def _output_tokens(request: Request) -> int | None:
    if request.usage is not None and request.usage.output_tokens is not None:
        return request.usage.output_tokens
    return len(request.output_ids) // TOKEN_BYTES or None


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
