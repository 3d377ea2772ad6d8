"""``simulate`` for people: one line a policy and cache size, and what the rates mean."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from radixlint.reports import TextStyle
from radixlint.reports._console_text import drawn
from radixlint.reports._engine_words import tokenizer_words
from radixlint.reports._figures import counted, percent
from radixlint.result.evidence import Evidence
from radixlint.result.simulation import SimulationReport, SimulationRun
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text

_BAR_CELLS: Final = 16


def render(report: SimulationReport, style: TextStyle) -> str:
    """Return the report as text; colours only if the style wants them."""
    return drawn(_lines(report, style), style)


def _lines(report: SimulationReport, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    yield from _head(report)
    yield Text()
    yield from _table(report)
    yield Text()
    yield from _basis(report, style)


def _head(report: SimulationReport) -> Iterator[Text]:
    from rich.text import Text

    if report.seed is None:
        share = f" ({report.read / report.records:.1%})" if report.records else ""
        line = Text().append(f"{report.read:,} of {counted(report.records, 'record')} read", "bold").append(share)
        line.append(f" · {safe_line(report.input_format)}")
    else:
        line = Text().append(f"workload {safe_line(report.source)}", "bold")
        line.append(f", seed {report.seed} · {counted(report.requests, 'request')}")
    yield line.append(f" · {counted(report.prompt_tokens, 'prompt token')}")
    skipped = report.records - report.read
    if skipped:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in report.skipped)
        yield Text().append(f"skipped {skipped:,}: ", "yellow").append(safe_line(reasons))
    longest, distinct = counted(report.longest_tokens, "token"), counted(report.distinct_tokens, "distinct token")
    yield Text(f"longest request {longest} · an unlimited cache would hold {distinct}")


def _table(report: SimulationReport) -> Iterator[Text]:
    from rich.text import Text

    formula = f" = cached tokens / prompt tokens over {counted(report.requests, 'request')}, the cold first one included"
    yield Text().append("Hit rate", "bold").append(formula, "dim")
    yield Text(f"  {'cache tokens':>12}  {'policy':<12}{'':{_BAR_CELLS}}{'hit rate':>9}{'cached':>13}{'evicted':>13}", "dim")
    for kv_tokens, runs in groupby(report.runs, key=lambda run: run.kv_tokens):
        yield from _size(kv_tokens, list(runs))


def _size(kv_tokens: int, runs: Sequence[SimulationRun]) -> Iterator[Text]:
    from rich.text import Text

    unfit, served = runs[0].unfit_requests, runs[0].served_requests
    if unfit and not served:
        yield Text(f"  {kv_tokens:>12,}  ").append("nothing served: every request is longer than this cache", "yellow")
        return
    for i, run in enumerate(runs):
        cells = round((run.hit_rate or 0.0) * _BAR_CELLS)
        line = Text(f"  {'' if i else f'{kv_tokens:,}':>12}  {run.policy:<12}")
        line.append("█" * cells, "green").append("·" * (_BAR_CELLS - cells), "dim")
        line.append(f"{percent(run.hit_rate):>9}", "bold green")
        yield line.append(f"{run.cached_tokens:>13,}{run.evicted_tokens:>13,}")
    if unfit:
        yield Text(f"  {'':>12}  {counted(unfit, 'request')} not served: longer than this cache", "yellow")


def _basis(report: SimulationReport, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    unit = "token by token" if report.page_tokens == 1 else f"pages of {report.page_tokens}"
    if report.engine == "vllm":
        unit = f"blocks of {report.page_tokens}"
    yield (
        Text()
        .append("Basis", "bold")
        .append(
            f"  {Evidence.SIMULATED.value}, {report.engine}, {unit} · tokenizer "
            f"{tokenizer_words(report.tokenizer, report.tokenizer_evidence)}"
        )
    )
    for sentence in (*_sentences(report), *report.notes):
        lines = textwrap.wrap(safe_line(sentence), max(20, style.width - 4), break_long_words=False, break_on_hyphens=False)
        for i, words in enumerate(lines):
            yield Text(f"{'  - ' if i == 0 else '    '}{words}", "dim")


def _sentences(report: SimulationReport) -> Iterator[str]:
    """Yield what the figures rest on, as far as it matters in this run."""
    yield f"Eviction: {report.eviction}; evicted counts dropped tokens."
    yield (
        "All requests wait from the start and run one at a time, to the end; the policy sorts the queue before each pick. "
        "Time, batches and routing are not modelled, so this says nothing about throughput."
    )
    if report.chunk_tokens is not None:
        yield _chunks(report.engine, report.chunk_tokens)
    if report.seed is None:
        yield (
            "Times in the log are not used beyond the order of arrival. So a later turn of a conversation waits before the "
            "reply to the earlier one exists, and an order that looks into the cache can gain more than real chats allow."
        )
    unsorted = max(report.runs, key=lambda run: run.unsorted_picks, default=None)
    if unsorted is not None and unsorted.unsorted_picks:
        yield (
            f"{unsorted.policy} does not sort a queue of more than "
            f"{counted(unsorted.served_requests - unsorted.unsorted_picks, 'request')}, as in the engine: "
            f"{unsorted.unsorted_picks:,} of {unsorted.served_requests:,} picks were made in order "
            "of arrival."
        )
    if any(run.unfit_requests for run in report.runs):
        yield "A request that does not fit into the empty cache is refused, as the engine does; its tokens count as not cached."


def _chunks(engine: str, chunk_tokens: int) -> str:
    if engine == "vllm":
        return f"Pieces of {counted(chunk_tokens, 'token')} change no hit in a pool of blocks that serves one request at a time."
    pieces = counted(chunk_tokens, "token")
    return f"Prompts are prefilled in pieces of {pieces}, cut to whole pages; each becomes a leaf of its own."
