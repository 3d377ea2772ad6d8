"""The list of log formats for people: name, what is read, what it gives."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.reports import TextStyle
from radixlint.reports._console_text import drawn
from radixlint.result.format_facts import FormatFacts
from radixlint.safe_text import safe_line


def render(report: Sequence[FormatFacts], style: TextStyle) -> str:
    """Return one row a format, in the order given; texts are wrapped to the width."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for fact in report:
        gives = "" if fact.gives == fact.accepts else fact.gives
        table.add_row(Text(safe_line(fact.name), "bold"), Text(safe_line(fact.accepts)), Text(safe_line(gives), "dim"))
    return drawn([table, Text(), Text("The format is told from each record; --from NAME reads one alone.", "dim")], style)
