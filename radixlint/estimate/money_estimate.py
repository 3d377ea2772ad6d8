"""What a log's prompt tokens cost under one price list: now, without caching, and with every shareable token read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.result.evidence import Evidence
from radixlint.result.money import BilledTokens, Money, PriceFactors
from radixlint.traffic import Match, Usage

_PER_MILLION: Final = 1_000_000


def estimate_money(
    matches: Sequence[Match],
    prices: PriceFactors,
    *,
    provider: str,
    model: str | None = None,
    usages: Sequence[Usage | None] = (),
    written: Sequence[tuple[int, int]] = (),
) -> Money:
    """Return the bill for requests of one model at one provider.

    ``usages`` are what the server reported, ``written`` the simulated writes (all, and those of them for the longer time to
    live), both in the order of the requests. Reported counts are used if every request has them, else the simulated
    ones; writes that cost more than plain input and were not reported stay unknown. Without ``matches`` (a log of usage alone)
    the requests that report count, and what is shareable is unknown. A price that is unknown leaves out every figure that
    needs it.
    """
    billed = _reported(usages, prices, needs_all=bool(matches)) or _simulated(matches, written, prices)
    shareable_rate = _shareable_rate(matches)
    now, best = _now_factor(billed, prices), _shareable_factor(shareable_rate, prices)
    without_usd = _usd(billed.prompt_tokens, prices.input_usd)
    output_tokens = _output_tokens(usages)
    return Money(
        provider=provider,
        model=model,
        billed=billed,
        prices=prices,
        output_tokens=output_tokens,
        shareable_rate=shareable_rate,
        now_factor=now,
        shareable_factor=best,
        break_even_rate=break_even_rate(prices.write_factor, prices.read_factor),
        long_break_even_rate=break_even_rate(prices.long_write_factor, prices.read_factor),
        traffic_rate=_traffic_rate(billed, prices),
        now_usd=_times(now, without_usd),
        without_usd=without_usd,
        shareable_usd=_times(best, without_usd),
        output_cost_usd=_usd(output_tokens, prices.output_usd),
    )


def break_even_rate(write_factor: float | None, read_factor: float | None) -> float | None:
    """Return read / (read + written) above which caching saves input money: (w-1)/(w-r), 0 where writes are free.

    It assumes that every token not read is written. None if a price is unknown, or if reads save nothing.

    >>> break_even_rate(2.0, 0.0), break_even_rate(1.0, 0.5), break_even_rate(1.25, 1.0)
    (0.5, 0.0, None)
    """
    if write_factor is None or read_factor is None or read_factor >= 1:
        return None
    return max(0.0, write_factor - 1) / (write_factor - read_factor) if write_factor > 1 else 0.0


def _reported(usages: Sequence[Usage | None], prices: PriceFactors, *, needs_all: bool) -> BilledTokens | None:
    """Return what the server counted, None if it did not do so for all requests; writes stay None where it leaves them out."""
    known = [u for u in usages if u is not None and u.prompt_tokens is not None and u.cached_tokens is not None]
    if not known or (needs_all and len(known) < len(usages)):
        return None
    has_writes = prices.write_factor == 1.0 or all(u.written_tokens is not None for u in known)
    return BilledTokens(
        requests=len(known),
        prompt_tokens=sum(u.prompt_tokens or 0 for u in known),
        read_tokens=sum(u.cached_tokens or 0 for u in known),
        written_tokens=sum(u.written_tokens or 0 for u in known) if has_writes else None,
        written_long_tokens=sum(u.written_long_tokens or 0 for u in known),
        evidence=Evidence.MEASURED,
    )


def _simulated(matches: Sequence[Match], written: Sequence[tuple[int, int]], prices: PriceFactors) -> BilledTokens:
    is_counted = len(written) == len(matches)
    return BilledTokens(
        requests=len(matches),
        prompt_tokens=sum(m.prompt_tokens for m in matches),
        read_tokens=sum(m.engine_tokens for m in matches),
        written_tokens=sum(short for short, _ in written) if is_counted else 0 if prices.write_factor == 1.0 else None,
        written_long_tokens=sum(long for _, long in written) if is_counted else 0,
        evidence=Evidence.SIMULATED,
    )


def _now_factor(billed: BilledTokens, prices: PriceFactors) -> float | None:
    """Return the cost a prompt token in units of the plain price; None if a price or a count it needs is unknown."""
    if billed.written_tokens is None or not billed.prompt_tokens:
        return None
    parts = (
        (billed.plain_tokens, 1.0),
        (billed.read_tokens, prices.read_factor),
        (billed.written_tokens - billed.written_long_tokens, prices.write_factor),
        (billed.written_long_tokens, prices.long_write_factor),
    )
    if any(tokens and factor is None for tokens, factor in parts):
        return None
    return sum(tokens * (factor or 0.0) for tokens, factor in parts) / billed.prompt_tokens


def _shareable_rate(matches: Sequence[Match]) -> float | None:
    prompt_tokens = sum(m.prompt_tokens for m in matches)
    return sum(m.shareable_tokens for m in matches) / prompt_tokens if prompt_tokens else None


def _traffic_rate(billed: BilledTokens, prices: PriceFactors) -> float | None:
    """Return read / (read + written), None where writes are free, not counted, or nothing was read or written."""
    if billed.written_tokens is None or prices.write_factor == 1.0:
        return None
    traffic_tokens = billed.read_tokens + billed.written_tokens
    return billed.read_tokens / traffic_tokens if traffic_tokens else None


def _shareable_factor(shareable_rate: float | None, prices: PriceFactors) -> float | None:
    if shareable_rate is None or prices.read_factor is None or prices.write_factor is None:
        return None
    return shareable_rate * prices.read_factor + (1 - shareable_rate) * prices.write_factor


def _output_tokens(usages: Sequence[Usage | None]) -> int | None:
    counted = [u.output_tokens for u in usages if u is not None and u.output_tokens is not None]
    return sum(counted) if counted and len(counted) == len(usages) else None


def _times(factor: float | None, usd: float | None) -> float | None:
    return None if factor is None or usd is None else factor * usd


def _usd(tokens: int | None, usd_per_million: float | None) -> float | None:
    return None if tokens is None or usd_per_million is None else tokens * usd_per_million / _PER_MILLION
