"""A log's bill, as lines of text; every figure says whether its counts were reported or simulated."""

from __future__ import annotations

from collections.abc import Iterator

from radixlint.reports._figures import counted, percent, usd
from radixlint.reports._verdict_lines import is_above_shareable
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import AnalyzeReport
from radixlint.result.money import Money
from radixlint.safe_text import safe_line

_UNKNOWN = "unknown: a price or a count that it needs is not known"


def money_lines(money: Money, report: AnalyzeReport | None = None) -> Iterator[str]:
    """Yield the lines of the report: whose bill it is, the price factors, the three costs, the break-even point.

    With ``report`` it is told what the fixes of its breaks bring.

    Costs are of the class of their counts; the prices are those of a list, which is named.
    """
    of_model = f", {safe_line(money.model)}" if money.model else ""
    yield (
        f"Money at the prices of {safe_line(money.provider)}{of_model} ({counted(money.billed.requests, 'request')}, "
        f"{counted(money.prompt_tokens, 'prompt token')}, {money.evidence}):"
    )
    rows = list(_rows(money, report))
    width = max(len(label) for label, _ in rows)
    for label, value in rows:
        yield f"  {label:<{width}}  {value}"
    if report is not None and money.provider != report.engine.name and money.evidence is Evidence.MEASURED:
        yield f"  by the reported counts, not by the rules of {report.engine.name}"
    if money.without_usd is None:
        yield "  costs are in units of the plain input price; --prices FILE gives money"
    if money.prices.source:
        yield f"  prices: {safe_line(money.prices.source)}"
    if money.prices.limit:
        yield f"  {safe_line(money.prices.limit)}"


def _rows(money: Money, report: AnalyzeReport | None) -> Iterator[tuple[str, str]]:
    yield "price factors", f"{_factors(money)} ({Evidence.ASSUMED}: a price list)"
    yield "now", _cost(money.now_factor, money.now_usd, money.evidence)
    yield "without caching", _cost(1.0, money.without_usd, money.evidence)
    if money.shareable_rate is not None:
        others = " and every other one written" if (money.prices.write_factor or 0) > 1 else ""
        share = f": {percent(money.shareable_rate)} of all tokens{others}" if money.shareable_factor is not None else ""
        if report is not None and is_above_shareable(report):
            share += ", and the server read more (see Served)"
        yield "all shareable read", _cost(money.shareable_factor, money.shareable_usd, Evidence.SIMULATED) + share
        if report is not None and (mended := _mended(money, report)):
            yield "with the best fix", mended
    yield "break-even", _break_even(money)
    if money.output_cost_usd is not None:
        yield "answers", f"{usd(money.output_cost_usd)} ({Evidence.MEASURED}), whatever the cache does"


def _mended(money: Money, report: AnalyzeReport) -> str:
    """Return what the prompts cost with the fixes that bring most, or what tells it; empty where there is no fix."""
    best = report.together or next((place.remedies[0] for place in report.breaks if place.remedies), None)
    if best is None:
        return ""
    if best.before.cost and best.after.cost is not None:
        return (
            f"{best.after.cost / best.before.cost:.2f}x of what the log as sent costs in the same replay ({Evidence.SIMULATED})"
        )
    priced = f"; --engine {money.provider} tells what that costs" if report.engine.evidence is Evidence.ASSUMED else ""
    return f"{percent(best.after.shareable_rate)} of all tokens are shareable ({Evidence.SIMULATED}){priced}"


def _factors(money: Money) -> str:
    known = (
        ("read", money.prices.read_factor),
        ("write", money.prices.write_factor),
        ("long-lived write", money.prices.long_write_factor),
    )
    parts = [f"{name} {factor:.3g}x" for name, factor in known if factor is not None]
    missing = [name for name, factor in known[:2] if factor is None]
    return ", ".join([*parts, *(f"{name} not known" for name in missing)]) + " of plain input"


def _cost(factor: float | None, amount: float | None, evidence: Evidence) -> str:
    if factor is None:
        return _UNKNOWN
    return f"{factor:.3f}x ({evidence})" if amount is None else f"{factor:.3f}x, {usd(amount)} ({evidence})"


def _break_even(money: Money) -> str:
    if money.break_even_rate is None:
        return _UNKNOWN
    if money.break_even_rate == 0:
        return "0.0%: writes are free, every hit saves"
    text = f"{percent(money.break_even_rate)} of cache traffic, read / (read + written)"
    if money.long_break_even_rate is not None:
        text += f"; {percent(money.long_break_even_rate)} with the longer time to live"
    text += f" ({Evidence.ASSUMED})"
    if money.traffic_rate is None or money.now_factor is None:
        return f"{text}: above it caching saves input money"
    verdict = "saves" if money.now_factor < 1 else "loses" if money.now_factor > 1 else "neither saves nor loses"
    return f"{text}; this log {percent(money.traffic_rate)} ({money.evidence}): caching {verdict} input money"
