"""Matches and the log's own counters to the figures of a report: rates, sums, agreement, namespaces.

``matches`` are as long as ``requests`` everywhere, None for a request whose prompt is not in the log.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import fmean, median
from typing import Final

from radixlint.result.groups import Part
from radixlint.result.hit_rates import HitRates
from radixlint.result.measurement import UsageAgreement
from radixlint.traffic import TOKEN_BYTES, Match, Request

UNKNOWN_RATES: Final = HitRates(None, None, None)
Matches = Sequence[Match | None]


def hit_rates(requests: Sequence[Request], matches: Matches) -> HitRates:
    """Return matched tokens / prompt tokens; reported: cached / prompt tokens over the requests that say how many."""
    known = [m for m in matches if m is not None]
    prompt_tokens = sum(m.prompt_tokens for m in known)
    reported = [pair for pair in map(_reported, requests, matches) if pair is not None]
    return HitRates(
        shareable=_ratio(sum(m.shareable_tokens for m in known), prompt_tokens),
        engine=_ratio(sum(m.engine_tokens for m in known), prompt_tokens),
        reported=_ratio(sum(cached for cached, _ in reported), sum(prompt for _, prompt in reported)),
    )


def request_hit_rates(requests: Sequence[Request], matches: Matches) -> HitRates:
    """Return the unweighted means over requests of what ``hit_rates`` weighs by tokens."""
    asked = [m for m in matches if m is not None and m.prompt_tokens]
    reported = [pair for pair in map(_reported, requests, matches) if pair is not None]
    return HitRates(
        shareable=fmean(m.shareable_tokens / m.prompt_tokens for m in asked) if asked else None,
        engine=fmean(m.engine_tokens / m.prompt_tokens for m in asked) if asked else None,
        reported=fmean(cached / prompt for cached, prompt in reported) if reported else None,
    )


def reported_tokens(requests: Sequence[Request], matches: Matches) -> tuple[int | None, int | None, int]:
    """Return cached tokens as reported, the same less our engine tokens, and how many requests report them.

    The difference is over the requests that have both, None if there are none.
    """
    pairs = [(p[0], m) for p, m in zip(map(_reported, requests, matches), matches, strict=True) if p is not None]
    if not pairs:
        return None, None, 0
    both = [cached - m.engine_tokens for cached, m in pairs if m is not None]
    return sum(cached for cached, _ in pairs), sum(both) if both else None, len(pairs)


def output_tokens(requests: Sequence[Request]) -> tuple[int | None, int]:
    """Return the output tokens the log tells of (usage, else ids) and over how many requests; None for none."""
    known = [count for count in map(_output_tokens, requests) if count is not None]
    return (sum(known), len(known)) if known else (None, 0)


def prompt_tokens(request: Request, match: Match | None) -> int | None:
    """Return the length of the prompt: ours where the prompt is known, else as reported."""
    if match is not None:
        return match.prompt_tokens
    return None if request.usage is None else request.usage.prompt_tokens


def part(requests: Sequence[Request], matches: Matches) -> Part:
    """Return the figures of some requests, measured where they stand in the whole log."""
    known = [m for m in matches if m is not None]
    lengths = [prompt_tokens(r, m) or 0 for r, m in zip(requests, matches, strict=True)]
    return Part(
        requests=len(requests),
        prompt_tokens=sum(lengths),
        shareable_tokens=sum(m.shareable_tokens for m in known) if known else None,
        engine_tokens=sum(m.engine_tokens for m in known) if known else None,
        reported_tokens=reported_tokens(requests, matches)[0],
        uncached_tokens=_sum_known(map(_uncached, requests, matches)),
        hit_rate=hit_rates(requests, matches),
    )


def usage_agreements(requests: Sequence[Request], matches: Matches) -> tuple[UsageAgreement, ...]:
    """Return how our prompt tokens compare with the reported ones: over all, then by log format and model if there are several.

    Empty if the log reports none. The 95th percentile is the smallest ratio that at least 95 % of the requests do not
    exceed.
    """
    ratios: dict[tuple[str, str | None], list[float]] = {}
    for request, match in zip(requests, matches, strict=True):
        if match is not None and request.usage is not None and request.usage.prompt_tokens:
            ratios.setdefault((request.format, request.model), []).append(match.prompt_tokens / request.usage.prompt_tokens)
    if not ratios:
        return ()
    every = _agreement([ratio for some in ratios.values() for ratio in some])
    if len(ratios) < 2:
        return (every,)
    return (every, *(replace(_agreement(some), format=form, model=model) for (form, model), some in ratios.items()))


def namespaces(requests: Sequence[Request]) -> tuple[int, int]:
    """Return how many namespaces there are, and the most that the requests of one model have."""
    by_model: dict[str | None, set[str]] = {}
    for request in requests:
        by_model.setdefault(request.model, set()).add(request.namespace)
    return len(set().union(*by_model.values())), max(map(len, by_model.values()), default=0)


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


def _uncached(request: Request, match: Match | None) -> int | None:
    reported = _reported(request, match)
    if reported is not None:
        return reported[1] - reported[0]
    return None if match is None else match.prompt_tokens - match.engine_tokens


def _sum_known(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _output_tokens(request: Request) -> int | None:
    if request.usage is not None and request.usage.output_tokens is not None:
        return request.usage.output_tokens
    return len(request.output_ids) // TOKEN_BYTES or None


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
