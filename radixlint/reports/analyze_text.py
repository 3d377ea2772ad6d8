"""``analyze`` for people: the answer first, then breaks and fixes, where the tokens go, the rates, and what they rest on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from radixlint.reports import TextStyle
from radixlint.reports._break_lines import break_lines, cleared_lines
from radixlint.reports._cause_words import words_of
from radixlint.reports._console_text import drawn
from radixlint.reports._curve_lines import curve_lines
from radixlint.reports._engine_words import engine_log_lines, engine_words, off_ratio, tokenizer_words
from radixlint.reports._estimate_lines import estimate_lines
from radixlint.reports._figures import counted, percent
from radixlint.reports._money_lines import money_lines
from radixlint.reports._once_lines import once_lines
from radixlint.reports._part_lines import part_lines
from radixlint.reports._prefix_tree_text import tree_lines
from radixlint.reports._verdict_lines import is_above_shareable, verdict_lines, who_filled_it
from radixlint.result.cause import Cause
from radixlint.result.estimate import Estimate
from radixlint.result.evidence import Evidence
from radixlint.result.hit_rates import HitRates
from radixlint.result.measurement import AnalyzeReport
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text

_BAR_CELLS: Final = 24
_WIDE_CELLS: Final = 92
"""From this width on the words behind a whole bar have room."""
_LABEL_CELLS: Final = 18
_WHY_UNKNOWN: Final = {
    "shareable": "the log holds no prompts",
    "engine": "the log holds no prompts",
    "reported": "the log reports no cached tokens",
}


def render(report: AnalyzeReport, style: TextStyle) -> str:
    """Return the report as text of ``style.width`` columns; colours only if the style wants them."""
    return drawn(_lines(report, style), style)


def _lines(report: AnalyzeReport, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    yield from _head(report)
    yield Text()
    yield from verdict_lines(report)
    if report.is_explained and report.hit_rate.shareable is not None:
        yield Text()
        yield from break_lines(report, style)
        yield from once_lines(report)
    if report.cleared:
        yield Text()
        yield from cleared_lines(report)
    if report.measured_requests:
        yield Text()
        yield from _waterfall(report, style)
    yield Text()
    yield from _rates(report)
    if report.measured_requests:
        yield from _sizes(report)
    if report.curve is not None:
        yield Text()
        yield from curve_lines(report.curve, style)
    yield from part_lines(report, style)
    yield from _engine_log(report)
    for bill in report.money:
        yield Text()
        yield from map(Text, money_lines(bill, report))
    if report.estimate is not None:
        yield Text()
        yield from _worth(report, report.estimate)
    if report.tree is not None:
        yield Text()
        yield Text("Prefix tree", "bold").append("  simulated, requests × tokens of the stretch, most requests first", "dim")  # noqa: RUF001
        yield from tree_lines(report.tree, style.width)
    yield Text()
    yield from _basis(report)


def _head(report: AnalyzeReport) -> Iterator[Text]:
    from rich.text import Text

    skipped = report.records - report.read
    share = f" ({report.read / report.records:.1%})" if report.records else ""
    read = f"{report.read:,} of {counted(report.records, 'record')} read" if report.records else "No requests in the log"
    line = Text().append(read, "bold").append(share)
    tokens = f" · {counted(report.prompt_tokens, 'prompt token')}" if report.prompt_tokens or report.requests else ""
    yield line.append(f" · {safe_line(report.input_format)}{tokens}")
    if skipped:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in report.skipped)
        yield Text().append(f"skipped {skipped:,}: ", "yellow").append(safe_line(reasons))


def _rates(report: AnalyzeReport) -> Iterator[Text]:
    from rich.text import Text

    if report.hit_rate == HitRates(None, None, None):
        why = "two requests are the least that can share a prefix"
        if not report.requests:
            why = "the log holds no requests, only the engine's own statistics"
        elif report.requests > 1:
            why = "the log holds neither prompts nor counts of cached tokens"
        yield Text().append("Hit rate: not enough data", "bold yellow").append(f"  {why}", "dim")
        return
    over = (
        f"over {counted(report.requests, 'request')}, the cold first one included"
        if report.requests
        else "of the statistics lines"
    )
    yield Text().append("Hit rate", "bold").append(f" = matched tokens / prompt tokens {over}", "dim")
    yield Text(f"  {'':<10}{'tokens':>14}{'rate':>9}{'last half':>11}{'by request':>12}", "dim")
    rows = (
        ("shareable", report.shareable_tokens, f"{Evidence.SIMULATED.value}, unlimited cache"),
        ("engine", report.engine_tokens, f"{Evidence.SIMULATED.value}, {engine_words(report.engine)}"),
        ("reported", report.reported_tokens, f"{Evidence.MEASURED.value}, {_reporting(report)}"),
    )
    for name, tokens, words in rows:
        if tokens is None:
            yield Text(f"  {name:<10}{'unknown':>14}  {_WHY_UNKNOWN[name]}", "dim")
            continue
        rates = [getattr(part, name) for part in (report.hit_rate, report.last_half, report.request_hit_rate)]
        if rates[0] is None:
            yield Text(f"  {name:<10}{'unknown':>14}  a single request has no earlier one to share with", "dim")
            continue
        line = Text(f"  {name:<10}{tokens:>14,}").append(f"{percent(rates[0]):>9}", "bold green")
        yield line.append(f"{percent(rates[1]):>11}{percent(rates[2]):>12}").append(f"  {words}", "dim")
    yield Text("  last half: the later half of the requests, warmed by the first; by request: unweighted mean", "dim")
    if report.provider_hint is not None:
        yield Text(f"  {safe_line(report.provider_hint)}", "yellow")


def _reporting(report: AnalyzeReport) -> str:
    if not report.requests:
        return "cached / (cached + new) over all statistics lines"
    return f"told by {counted(report.reporting_requests, 'request')}"


def _waterfall(report: AnalyzeReport, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    yield Text("Where the prompt tokens go", "bold").append(f"  simulated, adds up to {report.prompt_tokens:,}", "dim")
    bar_cells = _BAR_CELLS if style.width >= _WIDE_CELLS else _BAR_CELLS // 2
    for entry in report.waterfall:
        if not entry.tokens and entry.cause != "hit":
            continue
        share = entry.tokens / report.prompt_tokens if report.prompt_tokens else 0.0
        cells = round(share * bar_cells)
        color = "green" if entry.cause == "hit" else "yellow"
        label, meaning = words_of(entry, is_explained=report.is_explained)
        if report.is_partial and entry.cause == Cause.NEW_CONTENT:
            meaning += " in this part of the log"
        line = Text(f"  {label:<{_LABEL_CELLS}}").append("█" * cells, color).append("·" * (bar_cells - cells), "dim")
        yield line.append(f"{entry.tokens:>14,}{percent(share):>9}").append(f"  {meaning}", "dim")
    yield from _against_reported(report)


def _against_reported(report: AnalyzeReport) -> Iterator[Text]:
    from rich.text import Text

    apart = report.unexplained_tokens
    if apart is None:
        return
    if not apart and not report.reported_tokens:
        yield Text("  the server reports no cached tokens, as simulated", "dim")
        return
    than = "more" if apart > 0 else "fewer"
    words = f"{counted(abs(apart), f'{than} cached token')} than" if apart else "exactly as many cached tokens as"
    who = f": {who_filled_it(report)}" if apart > 0 and is_above_shareable(report) else ""
    yield Text(f"  the server reports {words} simulated{who}", "dim")
    if report.agreement is not None and report.agreement.is_off:
        ratio = off_ratio(report.agreement)
        yield Text(f"  but the server counts in tokens of its own: ours / reported {ratio} (see Basis)", "yellow")


def _sizes(report: AnalyzeReport) -> Iterator[Text]:
    from rich.text import Text

    half = counted(report.longest_shared_tokens, "token") if report.longest_shared_tokens else "none"
    stored = f"distinct tokens stored: {report.distinct_tokens:,}"
    yield Text(f"  longest prefix that half of the requests share: {half}; {stored}").append("  simulated", "dim")
    hit = f"  whole blocks hit: {report.engine_blocks:,}; the prompts take {report.blocks:,}, partly filled last ones included"
    yield Text(hit).append("  simulated", "dim")


def _engine_log(report: AnalyzeReport) -> Iterator[Text]:
    from rich.text import Text

    for entry in report.engine_log:
        first, *rest = engine_log_lines(entry)
        yield Text()
        yield Text("The engine's own statistics", "bold").append(f"  measured, {first}", "dim")
        yield from (Text(f"  {line}") for line in rest)


def _worth(report: AnalyzeReport, estimate: Estimate) -> Iterator[Text]:
    from rich.text import Text

    yield Text("What reuse is worth", "bold").append(f"  engine hits of {report.engine.name}", "dim")
    yield from (Text(f"  {line}") for line in estimate_lines(estimate, report.shared_prefix_memory))


def _basis(report: AnalyzeReport) -> Iterator[Text]:
    from rich.text import Text

    tokenizer = tokenizer_words(report.tokenizer, report.tokenizer_evidence)
    words = f"layout {safe_line(report.layout)} · tokenizer {tokenizer}"
    yield Text("Basis", "bold").append(f"  {words if report.measured_requests else 'no prompts in the log'}")
    if report.agreement is not None:
        yield Text(
            f"  our prompt tokens / reported: median {report.agreement.median_ratio:.3f}, 95th percentile "
            f"{report.agreement.p95_ratio:.3f} over {counted(report.agreement.requests, 'request')}"
        ).append("  measured", "dim")
        yield from _doubted(report)
    yield from (Text("  - ", "dim").append(safe_line(note)) for note in report.notes)


def _doubted(report: AnalyzeReport) -> Iterator[Text]:
    """Yield the parts of the log whose tokens are off, where it has several."""
    from rich.text import Text

    for part in report.agreements:
        if part.is_off:
            whose = ", ".join(safe_line(name) for name in (part.format, part.model) if name)
            yield Text(f"    off for {whose or 'requests without a model'}: {off_ratio(part)}", "yellow")
