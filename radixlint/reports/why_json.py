"""``why --format json``: one request explained, for programs."""

from __future__ import annotations

from dataclasses import asdict

from radixlint.reports import TextStyle
from radixlint.reports._break_json import break_documents
from radixlint.result.why_report import WhyReport
from radixlint.safe_text import json_text

SCHEMA_VERSION = 1


def render(report: WhyReport, style: TextStyle) -> str:
    """Return ``report`` as JSON."""
    return json_text(document(report))


def document(report: WhyReport) -> dict[str, object]:
    """Return the JSON document as Python values."""
    broken = break_documents((report.broken,))[0] if report.broken else None
    return {"schema_version": SCHEMA_VERSION, **asdict(report), "broken": broken}
