"""One JSON line a request, in file order: what was asked, shareable, served and reported."""

from __future__ import annotations

import json
from dataclasses import asdict

from radixlint.reports import TextStyle
from radixlint.result.measurement import AnalyzeReport


def render(report: AnalyzeReport, style: TextStyle) -> str:
    """Return the rows of ``report`` as JSONL in plain ASCII; it holds no text of any prompt."""
    return "".join(json.dumps(asdict(row), ensure_ascii=True).replace("\x7f", "\\u007f") + "\n" for row in report.rows)
