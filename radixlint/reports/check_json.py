"""``check`` for programs: the stable JSON of the machine surface; keys are only ever added."""

from __future__ import annotations

from collections import Counter
from typing import Final

from radixlint.prompt import Span
from radixlint.reports import TextStyle
from radixlint.result.evidence import Evidence
from radixlint.result.finding import CheckReport, Finding, Measured, Severity
from radixlint.safe_text import json_text

SCHEMA_VERSION: Final = 1


def render(report: CheckReport, style: TextStyle) -> str:
    """Return the report as JSON; ``style`` has no effect."""
    counts = Counter(finding.severity for finding in report.findings)
    return json_text(
        {
            "schema_version": SCHEMA_VERSION,
            "findings": [_finding(finding) for finding in report.findings],
            "files": report.files,
            "skipped": [{"path": _valid(item.path), "reason": _valid(item.reason)} for item in report.skipped],
            "prompts": report.prompts,
            "suppressed": report.suppressed,
            "notes": [_valid(note) for note in report.notes],
            "counts": {severity.value: counts[severity] for severity in Severity},
            "tokenizer": report.tokenizer,
            "evidence": Evidence.STATIC.value,
        }
    )


def _finding(finding: Finding) -> dict[str, object]:
    strip = finding.strip
    return {
        "rule": finding.rule,
        "name": finding.name,
        **_place(finding.span),
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "lifetime": None if finding.lifetime is None else finding.lifetime.label,
        "lost_tokens": finding.lost_tokens,
        "message": _valid(finding.message),
        "help": _valid(finding.help),
        "scope": finding.scope or None,
        # Whether a fix is safe says nothing where there is none to apply.
        "fix": {
            "safety": finding.fix_safety if finding.edits else "manual",
            "edits": [{**_place(edit.span), "text": _valid(edit.text)} for edit in finding.edits],
        },
        "measured": _measured(finding.measured),
        "related": [{**_place(related.span), "message": _valid(related.message)} for related in finding.related],
        "prompt": None if strip is None else {"name": _valid(strip.name), "tokens": strip.total_tokens},
    }


def _measured(measured: Measured | None) -> dict[str, object] | None:
    if measured is None:
        return None
    return {
        "requests": measured.requests,
        "broken_rate": measured.broken_rate,
        "lost_tokens": measured.lost_tokens,
        "evidence": Evidence.SIMULATED.value,
    }


def _place(span: Span) -> dict[str, object]:
    return {
        "path": _valid(span.path),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _valid(text: str) -> str:
    """Return ``text`` with lone surrogates (bytes of a name that are not UTF-8) as visible escapes: many readers refuse them."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
