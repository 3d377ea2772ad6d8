"""``why``: one request explained, for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from radixlint.reports import TextStyle
from radixlint.reports._break_lines import remedy_lines, side_lines
from radixlint.reports._cause_words import words_of
from radixlint.reports._console_text import drawn
from radixlint.reports._engine_words import engine_words, tokenizer_words
from radixlint.reports._figures import counted, percent
from radixlint.reports._once_lines import once_words
from radixlint.result.breaks import Break
from radixlint.result.why_report import Partner, WhyReport
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text

_BAR_CELLS: Final = 24
_WIDE_CELLS: Final = 92
_MINUTE_S: Final = 60


def render(report: WhyReport, style: TextStyle) -> str:
    """Return ``report`` as text."""
    return drawn(_lines(report, style), style)


def _lines(report: WhyReport, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    yield Text(safe_line(report.name), "bold").append(f" · {counted(report.prompt_tokens, 'prompt token')}")
    yield Text(safe_line(report.conclusion), "bold yellow" if report.is_prompt else "bold")
    yield Text()
    yield Text("Where its tokens go", "bold").append(f"  simulated, adds up to {report.prompt_tokens:,}", "dim")
    yield from _parts(report, style)
    if report.reported_tokens is None:
        yield Text("  the log does not tell how many the server reported as cached", "dim")
    else:
        yield Text(f"  the server reported {counted(report.reported_tokens, 'cached token')}").append("  measured", "dim")
    yield Text()
    if report.partner is None:
        yield Text("No earlier request is known to have its tools, instructions or history.")
    else:
        yield _partner(report.partner)
    if report.hit_from is not None:
        yield _partner(report.hit_from, "Its hit is on")
    if report.once is not None:
        yield Text(once_words(report.once))
    if report.broken is not None:
        yield from _broken(report.broken, style)
    yield Text()
    basis = f"layout {safe_line(report.layout)} · tokenizer {tokenizer_words(report.tokenizer, report.tokenizer_evidence)}"
    yield Text("Basis", "bold").append(f"  {basis} · {engine_words(report.engine)}")
    for note in report.notes:
        yield Text(f"  - {safe_line(note)}", "dim")


def _broken(broken: Break, style: TextStyle) -> Iterator[Text]:
    """Yield the break with its best fix; the others are those of the whole log, which ``analyze`` lists."""
    from rich.text import Text

    line = Text("Breaks at ").append(safe_line(broken.where), "bold cyan").append(f", behind token {broken.token_index:,}")
    yield line.append(f": {broken.cause}", "bold red").append(f" ({broken.confidence.value} confidence)", "dim")
    what = f"{safe_line(broken.what)}; " if broken.what else ""
    yield Text(f"     {what}{counted(broken.lost_tokens, 'token')} behind it were sent before").append(
        "; the rest goes on alike" if broken.realigned_requests else ""
    )
    yield from side_lines(broken, style)
    if broken.remedies:
        yield Text("     the best fix, by a replay of the whole log:", "dim")
        yield from remedy_lines(broken, most=1)
    others = len(broken.remedies) - 1
    if others > 0:
        yield Text(f"     radixlint analyze tells {others:,} more and what each takes", "dim")


def _parts(report: WhyReport, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    bar_cells = _BAR_CELLS if style.width >= _WIDE_CELLS else _BAR_CELLS // 2
    for part in report.parts:
        share = part.tokens / report.prompt_tokens if report.prompt_tokens else 0.0
        cells = round(share * bar_cells)
        label, meaning = words_of(part, is_explained=True)
        line = Text(f"  {label:<18}").append("█" * cells, "green" if part.cause == "hit" else "yellow")
        line.append("·" * (bar_cells - cells), "dim")
        yield line.append(f"{part.tokens:>12,}{percent(share):>8}").append(f"  {meaning}", "dim")


def _partner(partner: Partner, lead: str = "Compared with") -> Text:
    from rich.text import Text

    line = Text(f"{lead} ").append(safe_line(partner.name), "bold")
    line.append(" of the same conversation" if partner.is_same_conversation else " of another conversation")
    if partner.gap_s is not None:
        gap = f"{partner.gap_s:,.0f} s" if partner.gap_s < 2 * _MINUTE_S else f"{partner.gap_s / _MINUTE_S:,.0f} min"
        line.append(f", {gap} before")
    return line.append(f": {counted(partner.shared_tokens, 'leading token')} shared").append("  simulated", "dim")
