"""``check`` as annotations of a pull request: one workflow command a finding, which no text of a prompt can forge or end.

GitHub shows ten errors, ten warnings and ten notices a step, the first ones: those with most tokens at stake stand in front.
"""

from __future__ import annotations

from typing import Final

from radixlint.reports import TextStyle
from radixlint.reports._check_summary import summary
from radixlint.result.finding import CheckReport, Finding, Severity
from radixlint.safe_text import safe, safe_line

_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_RANKS: Final = tuple(_COMMANDS)


def render(report: CheckReport, style: TextStyle) -> str:
    """Return the annotations, the costliest of each severity first, and one line that sums up; ``style`` has no effect."""
    costliest = sorted(report.findings, key=lambda f: (_RANKS.index(f.severity), -f.lost_tokens))
    # The summary starts with a number, so that it is no command.
    return "".join(f"{_command(finding)}\n" for finding in costliest) + f"{safe_line(summary(report).plain)}\n"


def _command(finding: Finding) -> str:
    span = finding.span
    place = {"file": span.path, "line": str(span.line), "endLine": str(span.end_line)}
    if span.line == span.end_line:  # elsewhere GitHub refuses columns
        place |= {"col": str(span.column), "endColumn": str(span.end_column)}
    properties = {"title": f"{finding.rule} {finding.name}", **place}
    written = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    words = _data(f"{finding.message}\n{finding.help}")
    return f"::{_COMMANDS[finding.severity]} {written}::{words}"


def _data(text: str) -> str:
    """Return ``text`` as the message of a command: GitHub turns the three escapes back, and acts on no other."""
    return safe(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
