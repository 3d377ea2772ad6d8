"""``check`` with one line a finding, in the form that editors and other tools jump from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from radixlint.reports import TextStyle
from radixlint.reports._check_summary import closing_lines, fix_mark
from radixlint.reports._console_text import drawn
from radixlint.reports._figures import SEVERITY_COLORS
from radixlint.result.finding import CheckReport, Finding
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text


def render(report: CheckReport, style: TextStyle) -> str:
    """Return a line a finding, whatever the width, then the lines that sum up."""
    return drawn(_lines(report), style)


def _lines(report: CheckReport) -> Iterator[Text]:
    for finding in report.findings:
        yield _line(finding, report)
    yield from closing_lines(report)


def _line(finding: Finding, report: CheckReport) -> Text:
    from rich.text import Text

    span = finding.span
    line = Text(no_wrap=True).append(safe_line(f"{span.path}:{span.line}:{span.column}:"), "bold")
    line.append(f" {finding.rule} ", f"bold {SEVERITY_COLORS[finding.severity]}").append(fix_mark(finding, report), "cyan")
    return line.append(safe_line(finding.message))
