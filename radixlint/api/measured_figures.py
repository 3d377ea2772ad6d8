"""Matches and the log's own counters to the figures of a report: rates, waterfall, agreement, rows."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import fmean, median
from typing import Final

from radixlint.privacy import mask_secrets, name_masks
from radixlint.result.measurement import HitRates, RequestRow, UsageAgreement, WaterfallEntry
from radixlint.traffic import TOKEN_BYTES, Match, Request, TokenRequest

UNKNOWN_RATES: Final = HitRates(None, None, None)
_HASH_BYTES: Final = 8


def hit_rates(requests: Sequence[Request], matches: Sequence[Match]) -> HitRates:
    """Return matched tokens / prompt tokens; reported: cached / prompt tokens over the requests that say how many."""
    prompt_tokens = sum(m.prompt_tokens for m in matches)
    reported = [pair for pair in map(_reported, requests, matches) if pair is not None]
    return HitRates(
        shareable=_ratio(sum(m.shareable_tokens for m in matches), prompt_tokens),
        engine=_ratio(sum(m.engine_tokens for m in matches), prompt_tokens),
        reported=_ratio(sum(cached for cached, _ in reported), sum(prompt for _, prompt in reported)),
    )


def request_hit_rates(requests: Sequence[Request], matches: Sequence[Match]) -> HitRates:
    """Return the unweighted means over requests of what ``hit_rates`` weighs by tokens."""
    asked = [m for m in matches if m.prompt_tokens]
    reported = [pair for pair in map(_reported, requests, matches) if pair is not None]
    return HitRates(
        shareable=fmean(m.shareable_tokens / m.prompt_tokens for m in asked) if asked else None,
        engine=fmean(m.engine_tokens / m.prompt_tokens for m in asked) if asked else None,
        reported=fmean(cached / prompt for cached, prompt in reported) if reported else None,
    )


def reported_tokens(requests: Sequence[Request], matches: Sequence[Match]) -> tuple[int | None, int | None, int]:
    """Return cached tokens as reported, the same less our engine tokens, and how many requests report them."""
    pairs = [(p[0], m.engine_tokens) for p, m in zip(map(_reported, requests, matches), matches, strict=True) if p is not None]
    if not pairs:
        return None, None, 0
    cached = sum(c for c, _ in pairs)
    return cached, cached - sum(engine for _, engine in pairs), len(pairs)


def output_tokens(requests: Sequence[Request]) -> tuple[int | None, int]:
    """Return the output tokens the log tells of (usage, else ids) and over how many requests; None for none."""
    known = [count for count in map(_output_tokens, requests) if count is not None]
    return (sum(known), len(known)) if known else (None, 0)


def waterfall(matches: Sequence[Match]) -> tuple[WaterfallEntry, ...]:
    """Return hit, block-floor (shareable, but cut by block and tail) and the rest; they sum to the prompt tokens."""
    prompt, shareable, engine = (
        sum(m.prompt_tokens for m in matches),
        sum(m.shareable_tokens for m in matches),
        sum(m.engine_tokens for m in matches),
    )
    return (
        WaterfallEntry("hit", engine),
        WaterfallEntry("block-floor", shareable - engine),
        WaterfallEntry("unknown", prompt - shareable),
    )


def usage_agreement(requests: Sequence[Request], matches: Sequence[Match]) -> UsageAgreement | None:
    """Return how our prompt tokens compare with the reported ones, None if the log reports none.

    The 95th percentile is the smallest ratio that at least 95 % of the requests do not exceed.
    """
    ratios = sorted(
        m.prompt_tokens / r.usage.prompt_tokens
        for r, m in zip(requests, matches, strict=True)
        if r.usage is not None and r.usage.prompt_tokens
    )
    if not ratios:
        return None
    return UsageAgreement(len(ratios), median(ratios), ratios[math.ceil(0.95 * len(ratios)) - 1])


def namespaces(requests: Sequence[Request]) -> tuple[int, int]:
    """Return how many namespaces there are, and the most that the requests of one model have."""
    by_model: dict[str | None, set[str]] = {}
    for request in requests:
        by_model.setdefault(request.model, set()).add(request.namespace)
    return len(set().union(*by_model.values())), max(map(len, by_model.values()), default=0)


def request_rows(requests: Sequence[Request], matches: Sequence[Match]) -> tuple[RequestRow, ...]:
    """Return one row a request, in file order."""
    rows = [
        RequestRow(
            index=request.index,
            id=shown_id(request),
            prompt_tokens=match.prompt_tokens,
            shareable_tokens=match.shareable_tokens,
            engine_tokens=match.engine_tokens,
            reported_tokens=request.usage.cached_tokens if request.usage else None,
            cause=_cause(match),
        )
        for request, match in zip(requests, matches, strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: row.index))


def shown_id(request: Request) -> str | None:
    """Return a request's id as a row may hold it: what looks like a secret is masked."""
    return None if request.id is None else name_masks(mask_secrets(request.id))


def with_hashed_ids(rows: Sequence[RequestRow], requests: Iterable[TokenRequest]) -> tuple[RequestRow, ...]:
    """Return ``rows`` with a hash in the place of each id: equal ids stay equal, and say nothing else.

    The key is a hash of all ``requests`` of the log, so that who guesses ids without having it finds none.
    """
    whole = hashlib.blake2b()
    for request in requests:
        whole.update(request.tokens)
    key = whole.digest()
    return tuple(row if row.id is None else replace(row, id=_hashed(row.id, key)) for row in rows)


def _hashed(text: str, key: bytes) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=key, digest_size=_HASH_BYTES).hexdigest()


def _cause(match: Match) -> str:
    """Return the cause of most of what was computed: ``hit`` if nothing was."""
    floor_tokens = match.shareable_tokens - match.engine_tokens
    rest_tokens = match.prompt_tokens - match.shareable_tokens
    if not floor_tokens and not rest_tokens:
        return "hit"
    return "block-floor" if floor_tokens > rest_tokens else "unknown"


def _reported(request: Request, match: Match) -> tuple[int, int] | None:
    """Return reported cached tokens and the prompt tokens they are a part of, None if nothing is reported."""
    usage = request.usage
    if usage is None or usage.cached_tokens is None:
        return None
    prompt_tokens = match.prompt_tokens if usage.prompt_tokens is None else usage.prompt_tokens
    return (usage.cached_tokens, prompt_tokens) if prompt_tokens else None


def _output_tokens(request: Request) -> int | None:
    if request.usage is not None and request.usage.output_tokens is not None:
        return request.usage.output_tokens
    return len(request.output_ids) // TOKEN_BYTES or None


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
