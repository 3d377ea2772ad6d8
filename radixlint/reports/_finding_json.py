"""A finding as JSON fields: one form in every report for programs."""

from __future__ import annotations

from radixlint.prompt import Span
from radixlint.result.evidence import Evidence
from radixlint.result.finding import Finding, Measured


def finding_fields(finding: Finding) -> dict[str, object]:
    """Return the fields of one finding, in the fixed order."""
    strip = finding.strip
    return {
        "rule": finding.rule,
        "name": finding.name,
        **place_fields(finding.span),
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "lifetime": None if finding.lifetime is None else finding.lifetime.label,
        "lost_tokens": finding.lost_tokens,
        "message": valid(finding.message),
        "help": valid(finding.help),
        "scope": finding.scope or None,
        # Whether a fix is safe says nothing where there is none to apply.
        "fix": {
            "safety": finding.fix_safety if finding.edits else "manual",
            "edits": [{**place_fields(edit.span), "text": valid(edit.text)} for edit in finding.edits],
        },
        "measured": _measured(finding.measured),
        "related": [{**place_fields(related.span), "message": valid(related.message)} for related in finding.related],
        "prompt": None if strip is None else {"name": valid(strip.name), "tokens": strip.total_tokens},
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


def place_fields(span: Span) -> dict[str, object]:
    """Return a place: its file, and lines and columns from 1, the end exclusive."""
    return {
        "path": valid(span.path),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def valid(text: str) -> str:
    """Return ``text`` with lone surrogates (bytes of a name that are not UTF-8) as visible escapes: many readers refuse them."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
