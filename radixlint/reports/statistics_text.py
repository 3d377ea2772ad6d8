"""``check --statistics`` for people: a line a rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from radixlint.reports import TextStyle
from radixlint.reports._check_summary import closing_lines
from radixlint.reports._console_text import drawn
from radixlint.result.finding import CheckReport
from radixlint.result.rule_tally import RuleTally, tallies
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.console import RenderableType

_HEADINGS: Final = ("findings", "rule", "", "name", "tokens at stake")


def render(report: CheckReport, style: TextStyle) -> str:
    """Return a table of the rules, most findings first, then the lines that sum up."""
    return drawn(_parts(report), style)


def _parts(report: CheckReport) -> Iterator[RenderableType]:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for heading, justify in zip(_HEADINGS, ("right", "left", "left", "left", "right"), strict=True):
        table.add_column(heading, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    found = tallies(report.findings)
    for tally in found:
        lost = f"{tally.lost_tokens:,}" if tally.lost_tokens else ""
        cells = (f"{tally.findings:,}", safe_line(tally.rule), _mark(tally), safe_line(tally.name), lost)
        table.add_row(*(Text(cell, style) for cell, style in zip(cells, ("bold", "bold", "cyan", "", ""), strict=True)))
    if found:
        yield table
        yield Text()
    yield from closing_lines(report)


def _mark(tally: RuleTally) -> str:
    """Return ``[*]`` if --fix repairs all findings of the rule, ``[-]`` if it or --unsafe-fixes repairs some."""
    if tally.safe == tally.findings:
        return "[*]"
    return "[-]" if tally.safe or tally.unsafe else ""
