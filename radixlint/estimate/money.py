"""What a log's prompt tokens cost under one price list: now, without caching, and with every shareable token read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from radixlint.result.evidence import Evidence
from radixlint.result.money import Money, PriceFactors
from radixlint.traffic import Match, Usage

_PER_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class _Counts:
    """Tokens on the bill; ``written_tokens`` is None where writes have a price and nobody counted them."""

    requests: int
    prompt_tokens: int
    read_tokens: int
    written_tokens: int | None
    written_long_tokens: int
    evidence: Evidence

    @property
    def plain_tokens(self) -> int:
        return max(0, self.prompt_tokens - self.read_tokens - (self.written_tokens or 0))


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
    ones; writes must be among them where they cost more than plain input. Without ``matches`` (a log of usage alone)
    the requests that report count, and what is shareable is unknown. A price that is unknown leaves out every figure that
    needs it.
    """
    counts = _reported(usages, prices, needs_all=bool(matches)) or _simulated(matches, written, prices)
    simulated_tokens = sum(m.prompt_tokens for m in matches)
    shareable_rate = sum(m.shareable_tokens for m in matches) / simulated_tokens if simulated_tokens else None
    now, best = _now_factor(counts, prices), _shareable_factor(shareable_rate, prices)
    without_usd = None if prices.input_usd is None else counts.prompt_tokens * prices.input_usd / _PER_MILLION
    output_tokens = _output_tokens(usages)
    traffic_tokens = counts.read_tokens + (counts.written_tokens or 0)
    is_traffic_known = bool(traffic_tokens) and (counts.written_tokens is not None and prices.write_factor != 1.0)
    return Money(
        provider=provider,
        model=model,
        requests=counts.requests,
        prompt_tokens=counts.prompt_tokens,
        read_tokens=counts.read_tokens,
        written_tokens=counts.written_tokens,
        written_long_tokens=counts.written_long_tokens,
        shareable_rate=shareable_rate,
        output_tokens=output_tokens,
        read_factor=prices.read_factor,
        write_factor=prices.write_factor,
        long_write_factor=prices.long_write_factor,
        input_usd=prices.input_usd,
        now_factor=now,
        shareable_factor=best,
        break_even_rate=break_even_rate(prices.write_factor, prices.read_factor),
        long_break_even_rate=break_even_rate(prices.long_write_factor, prices.read_factor),
        traffic_rate=counts.read_tokens / traffic_tokens if is_traffic_known else None,
        now_usd=_times(now, without_usd),
        without_usd=without_usd,
        shareable_usd=_times(best, without_usd),
        output_cost_usd=_times(output_tokens, None if prices.output_usd is None else prices.output_usd / _PER_MILLION),
        evidence=counts.evidence,
        price_source=prices.source,
        limit=prices.limit,
    )


def break_even_rate(write_factor: float | None, read_factor: float | None) -> float | None:
    """Return read / (read + written) above which caching saves input money: (w-1)/(w-r), 0 where writes are free.

    It assumes that every token not read is written. None if a price is unknown, or if reads save nothing.

    >>> break_even_rate(1.25, 0.1), break_even_rate(1.0, 0.5), break_even_rate(1.25, 1.0)
    (0.21739130434782608, 0.0, None)
    """
    if write_factor is None or read_factor is None or read_factor >= 1:
        return None
    return max(0.0, write_factor - 1) / (write_factor - read_factor) if write_factor > 1 else 0.0


def _reported(usages: Sequence[Usage | None], prices: PriceFactors, *, needs_all: bool) -> _Counts | None:
    """Return what the server counted, None if it did not count all that the prices need, or not for all requests."""
    known = [u for u in usages if u is not None and u.prompt_tokens is not None and u.cached_tokens is not None]
    has_writes = all(u.written_tokens is not None for u in known)
    if not known or (needs_all and len(known) < len(usages)) or not (has_writes or prices.write_factor == 1.0):
        return None
    return _Counts(
        requests=len(known),
        prompt_tokens=sum(u.prompt_tokens or 0 for u in known),
        read_tokens=sum(u.cached_tokens or 0 for u in known),
        written_tokens=sum(u.written_tokens or 0 for u in known),
        written_long_tokens=sum(u.written_long_tokens or 0 for u in known),
        evidence=Evidence.MEASURED,
    )


def _simulated(matches: Sequence[Match], written: Sequence[tuple[int, int]], prices: PriceFactors) -> _Counts:
    is_counted = len(written) == len(matches)
    return _Counts(
        requests=len(matches),
        prompt_tokens=sum(m.prompt_tokens for m in matches),
        read_tokens=sum(m.engine_tokens for m in matches),
        written_tokens=sum(short for short, _ in written) if is_counted else 0 if prices.write_factor == 1.0 else None,
        written_long_tokens=sum(long for _, long in written) if is_counted else 0,
        evidence=Evidence.SIMULATED,
    )


def _now_factor(counts: _Counts, prices: PriceFactors) -> float | None:
    """Return the cost a prompt token in units of the plain price; None if a price or a count it needs is unknown."""
    if counts.written_tokens is None or not counts.prompt_tokens:
        return None
    parts = (
        (counts.plain_tokens, 1.0),
        (counts.read_tokens, prices.read_factor),
        (counts.written_tokens - counts.written_long_tokens, prices.write_factor),
        (counts.written_long_tokens, prices.long_write_factor),
    )
    if any(tokens and factor is None for tokens, factor in parts):
        return None
    return sum(tokens * (factor or 0.0) for tokens, factor in parts) / counts.prompt_tokens


def _shareable_factor(shareable_rate: float | None, prices: PriceFactors) -> float | None:
    if shareable_rate is None or prices.read_factor is None or prices.write_factor is None:
        return None
    return shareable_rate * prices.read_factor + (1 - shareable_rate) * prices.write_factor


def _output_tokens(usages: Sequence[Usage | None]) -> int | None:
    counted = [u.output_tokens for u in usages if u is not None and u.output_tokens is not None]
    return sum(counted) if counted and len(counted) == len(usages) else None


def _times(amount: float | None, price: float | None) -> float | None:
    return None if amount is None or price is None else amount * price
