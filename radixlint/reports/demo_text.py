"""The demo on one screen: the load, one table, what a prefix costs, what the figures show."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from radixlint.reports import TextStyle
from radixlint.reports._console_text import drawn
from radixlint.reports._figures import binary_size
from radixlint.result.evidence import Evidence
from radixlint.result.simulation import DemoColumn, DemoReport

if TYPE_CHECKING:
    from rich.text import Text

_LABELS: Final = {"rag": "ordered", "rag-scrambled": "scrambled"}
_LOW_RATE: Final = 0.5


def render(report: DemoReport, style: TextStyle) -> str:
    """Return the report as text; colours only if the style wants them."""
    return drawn(_lines(report, style), style)


def _lines(report: DemoReport, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    yield Text("Order, cache size and policy decide how much of a prompt is computed twice", "bold")
    yield Text()
    yield from _load(report)
    yield Text()
    yield from _table(report)
    yield Text()
    yield from _memory(report)
    yield Text()
    yield Text().append("What the figures show", "bold").append("  chosen by the figures above", "dim")
    for number, sentence in enumerate(report.findings, 1):
        lines = textwrap.wrap(sentence, max(20, style.width - 5), break_long_words=False, break_on_hyphens=False)
        for i, words in enumerate(lines):
            yield Text().append(f"{number:>3}  " if i == 0 else "     ", "cyan").append(words)
    yield Text()
    yield Text("Try it on your own traffic: radixlint simulate LOG · radixlint analyze LOG", "dim")


def _load(report: DemoReport) -> Iterator[Text]:
    from rich.text import Text

    parts = ", ".join(f"{name} {tokens:,}" for name, tokens in report.parts)
    yield (
        Text()
        .append("Load", "bold")
        .append(f"  {report.requests} invented retrieval requests (seed {report.seed}), {report.prompt_tokens:,} prompt tokens")
    )
    yield Text(f"  each: {parts} tokens; {report.documents} documents, every question new")
    yield Text("  ordered: the parts always stand as listed; scrambled: all but the question are shuffled in each request")


def _table(report: DemoReport) -> Iterator[Text]:
    from rich.text import Text

    unit = "token by token" if report.page_tokens == 1 else f"pages of {report.page_tokens}"
    yield (
        Text()
        .append("Hit rate", "bold")
        .append(f" = cached tokens / prompt tokens  {Evidence.SIMULATED.value}, sglang's rules, {unit}", "dim")
    )
    yield Text("  all requests wait from the start; the policy picks, one runs at a time, to its end", "dim")
    groups = [list(columns) for _, columns in groupby(report.columns, key=lambda column: column.workload)]
    head, names = Text(f"{'cache':>9}{'memory':>11}", "dim"), Text(f"{'tokens':>9}{'':>11}", "dim")
    for columns in groups:
        label = f"{_LABELS.get(columns[0].workload, columns[0].workload)} "
        head.append("   ").append(label.ljust(sum(map(_cells, columns)) - 1, "─"), "bold")
        names.append("  " + "".join(f"{column.policy:>{_cells(column)}}" for column in columns))
    yield head
    yield names
    for i, size in enumerate(report.sizes):
        line = Text(f"{size:>9,}{binary_size(report.size_bytes[i]):>11}")
        if report.unfit_requests[i] == report.requests:
            yield line.append("   nothing served: every request is longer than this cache", "yellow")
            continue
        for columns in groups:
            line.append("  ")
            for column in columns:
                rate = column.hit_rates[i]
                line.append(f"{rate:>{_cells(column)}.1%}", "green" if rate >= _LOW_RATE else "yellow")
        yield line


def _cells(column: DemoColumn) -> int:
    return max(len(column.policy), 6) + 2


def _memory(report: DemoReport) -> Iterator[Text]:
    from rich.text import Text

    memory = report.memory
    yield (
        Text()
        .append("Memory", "bold")
        .append(f"  of the {memory.tokens:,}-token system part in {memory.model}, {memory.dtype}")
        .append(f"  {Evidence.STATIC.value}", "dim")
    )
    size, blocks = binary_size(memory.bytes), f"{memory.blocks:,} blocks of {memory.block_tokens}"
    yield Text(f"  {memory.tokens:,} x {memory.bytes_per_token:,} bytes = {memory.bytes:,} bytes = {size} = {blocks}")
    if memory.sequences is not None and memory.unshared_bytes is not None:
        yield Text(f"  once if shared; {binary_size(memory.unshared_bytes)} if {memory.sequences} requests each held a copy")
