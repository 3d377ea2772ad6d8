"""``check`` for programs: the stable JSON of the machine surface; keys are only ever added."""

from __future__ import annotations

from collections import Counter
from typing import Final

from radixlint.reports import TextStyle
from radixlint.reports._finding_json import finding_fields, valid
from radixlint.result.evidence import Evidence
from radixlint.result.finding import CheckReport, Severity
from radixlint.safe_text import json_text

SCHEMA_VERSION: Final = 1


def render(report: CheckReport, style: TextStyle) -> str:
    """Return the report as JSON; ``style`` has no effect."""
    counts = Counter(finding.severity for finding in report.findings)
    return json_text(
        {
            "schema_version": SCHEMA_VERSION,
            "findings": [finding_fields(finding) for finding in report.findings],
            "files": report.files,
            "skipped": [{"path": valid(item.path), "reason": valid(item.reason)} for item in report.skipped],
            "prompts": report.prompts,
            "suppressed": report.suppressed,
            "known": len(report.known),
            "unchanged": report.unchanged,
            "notes": [valid(note) for note in report.notes],
            "counts": {severity.value: counts[severity] for severity in Severity},
            "tokenizer": report.tokenizer,
            "evidence": Evidence.STATIC.value,
        }
    )
