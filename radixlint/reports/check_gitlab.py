"""``check`` as a Code Quality report of GitLab."""

from __future__ import annotations

import hashlib
from typing import Final

from radixlint.prompt import Span
from radixlint.reports import TextStyle
from radixlint.reports._finding_json import valid
from radixlint.result.finding import CheckReport, Severity
from radixlint.result.finding_key import numbered_keys
from radixlint.safe_text import json_text, safe_line

_SEVERITIES: Final = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(report: CheckReport, style: TextStyle) -> str:
    """Return the report as a JSON array; ``style`` has no effect."""
    keys = numbered_keys(report.findings)
    return json_text(
        [
            {
                "description": f"{finding.rule} {finding.name}: {safe_line(finding.message)}",
                "check_name": finding.rule,
                "fingerprint": hashlib.sha256(key.encode()).hexdigest(),
                "severity": _SEVERITIES[finding.severity],
                "location": _location(finding.span),
            }
            for finding, key in zip(report.findings, keys, strict=True)
        ]
    )


def _location(span: Span) -> dict[str, object]:
    """Return the place in both forms there are: older versions know only the first."""
    begin, end = {"line": span.line, "column": span.column}, {"line": span.end_line, "column": span.end_column}
    return {
        "path": valid(span.path),
        "lines": {"begin": span.line, "end": span.end_line},
        "positions": {"begin": begin, "end": end},
    }
