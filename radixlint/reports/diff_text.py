"""``diff`` for people: the verdict in three lines, then what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from radixlint.reports import TextStyle
from radixlint.reports._console_text import drawn
from radixlint.reports._diff_log_lines import log_lines
from radixlint.reports._engine_words import tokenizer_words
from radixlint.reports._figures import SEVERITY_COLORS, counted
from radixlint.result.cause import Cause
from radixlint.result.comparison import Comparison, LogComparison
from radixlint.result.finding import Finding
from radixlint.result.pair_comparison import PromptChange, RequestComparison, TemplateComparison
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text


def render(report: Comparison, style: TextStyle) -> str:
    """Return the comparison as text of ``style.width`` columns; colours only if the style wants them."""
    if isinstance(report, LogComparison):
        lines = log_lines(report)
    else:
        lines = _request_lines(report) if isinstance(report, RequestComparison) else _template_lines(report)
    return drawn([*lines, *_notes(report)], style)


def _request_lines(report: RequestComparison) -> Iterator[Text]:
    from rich.text import Text

    if report.cause is None or (report.cause == Cause.PARAMETER and not report.where):
        color = "bold green" if report.cause is None else "bold red"
        yield Text("Prompts   ", "bold").append("no divergence", color).append(f": {safe_line(report.what)}")
    else:
        yield Text("Diverges  ", "bold").append(safe_line(report.where), "bold cyan").append(f", token {report.common_tokens:,}")
        yield (
            Text("Cause     ", "bold")
            .append(report.cause, "bold red" if report.is_worse else "bold")
            .append(f": {safe_line(report.what)} ")
            .append(f"({report.confidence} confidence)", "dim")
        )
    for one in report.parameters:
        yield Text("Differs   ", "bold").append(safe_line(one.name), "bold cyan").append(f": {safe_line(one.what)}")
    share = f" ({report.common_tokens / report.prompt_tokens:.1%})" if report.prompt_tokens else ""
    yield (
        Text("Common    ", "bold")
        .append(f"{report.common_tokens:,} of {counted(report.prompt_tokens, 'token')}{share}")
        .append(f"; the earlier request has {report.earlier_tokens:,}", "dim")
    )
    if report.cause == Cause.PARAMETER and report.lost_tokens:
        yield Text("Lost      ", "bold").append(f"{counted(report.lost_tokens, 'token')} stand in both and are computed again")
    elif report.lost_tokens:
        again = "what follows is alike in both, in the same order" if report.is_realigned else "what follows does not realign"
        tokens = f"about {counted(report.lost_tokens, 'token')} stand in both and are computed again"
        yield Text("Behind    ", "bold").append(f"{tokens}; {again}")
    for name, text in (("shared", report.shared), ("before", report.before), ("after", report.after)):
        if text:
            yield Text(f"  {name:<7} ", "dim").append(safe_line(text))
    if report.is_reversed:
        yield Text("Order     ", "bold yellow").append(
            "the first of the two was sent later than the second; swap them if that was not meant"
        )
    yield Text()
    vocabulary = tokenizer_words(report.tokenizer, report.tokenizer_evidence)
    yield Text("Basis  ", "bold").append(safe_line(f"layout {report.layout} · tokenizer {vocabulary}"), "dim")


def _template_lines(report: TemplateComparison) -> Iterator[Text]:
    from rich.text import Text

    for one in report.prompts:
        yield from _prompt_lines(one)
    total = f"{counted(len(report.new), 'new finding')}, {len(report.gone):,} gone, {report.kept:,} as before"
    yield Text("Findings  ", "bold").append(total)
    for sign, findings in (("+", report.new), ("-", report.gone)):
        for finding in findings:
            yield _finding(sign, finding)
    yield Text("Basis  ", "bold").append(safe_line(f"static · tokenizer {report.tokenizer}"), "dim")


def _prompt_lines(one: PromptChange) -> Iterator[Text]:
    from rich.text import Text

    name = f"{safe_line(one.name)}: " if one.name else ""
    head = f"{name}{one.head_before_tokens:,} -> {counted(one.head_after_tokens, 'token')}"
    is_less = one.head_after_tokens < one.head_before_tokens
    yield (
        Text("Stable head  ", "bold")
        .append(head, "bold red" if is_less else "")
        .append(f"; static text in all {one.static_before_tokens:,} -> {one.static_after_tokens:,}", "dim")
    )
    if not one.changes:
        yield Text("  the static text is as before", "dim")
    for change in one.changes:
        before = "" if change.line_before is None else f"line {change.line_before}"
        after = "" if change.line_after is None else f"line {change.line_after}"
        place = " -> ".join(part for part in (before, after) if part) if before != after else before
        yield Text(f"  {change.role} {place}  ", "cyan").append(
            f"{change.tokens_before:,} -> {counted(change.tokens_after, 'token')}", "dim"
        )
        for sign, text, color in (("-", change.before, "red"), ("+", change.after, "green")):
            for line in text.split("\n") if text else ():
                yield Text(f"    {sign} {safe_line(line)}", color)


def _finding(sign: str, finding: Finding) -> Text:
    from rich.text import Text

    place = f"{finding.span.path}:{finding.span.line}:{finding.span.column}"
    line = Text(f"  {sign} {safe_line(place)}  ").append(
        f"{finding.rule} {finding.severity.value}", SEVERITY_COLORS[finding.severity]
    )
    return line.append(f"  {safe_line(finding.message)}")


def _notes(report: Comparison) -> Iterator[Text]:
    from rich.text import Text

    yield from (Text(f"- {safe_line(note)}", "dim") for note in report.notes)
