"""The list of rules for people: code, severity, name, one line."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.reports import TextStyle
from radixlint.reports._console_text import drawn
from radixlint.reports._figures import SEVERITY_COLORS
from radixlint.result.rule import Rule
from radixlint.safe_text import safe_line


def render(report: Sequence[Rule], style: TextStyle) -> str:
    """Return one row a rule, in the order given; the last column is wrapped to the width."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for _ in range(3):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for rule in report:
        color = SEVERITY_COLORS[rule.severity]
        table.add_row(
            Text(safe_line(rule.id), f"bold {color}"),
            Text(rule.severity.value, color),
            Text(safe_line(rule.name), "bold"),
            Text(safe_line(rule.summary)),
        )
    return drawn([table, Text(), Text("radixlint rule CODE explains one, with examples.", "dim")], style)
