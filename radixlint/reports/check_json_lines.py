"""``check`` for programs that read as they go: one finding a line, with the fields of the JSON report."""

from __future__ import annotations

import json

from radixlint.reports import TextStyle
from radixlint.reports._finding_json import finding_fields
from radixlint.result.finding import CheckReport


def render(report: CheckReport, style: TextStyle) -> str:
    """Return one JSON object a finding, in plain ASCII, nothing if there is none; ``style`` has no effect."""
    lines = (json.dumps(finding_fields(finding), ensure_ascii=True, allow_nan=False) for finding in report.findings)
    return "".join(f"{line}\n" for line in lines).replace("\x7f", "\\u007f")
