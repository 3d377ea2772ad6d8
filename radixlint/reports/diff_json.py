"""A comparison as JSON, schema version 1: additions only within a version."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from radixlint.reports import TextStyle
from radixlint.result.comparison import Comparison, LogComparison
from radixlint.result.finding import Finding
from radixlint.result.pair_comparison import RequestComparison, TemplateComparison
from radixlint.safe_text import json_text

SCHEMA_VERSION = 1
_READ = ("records", "read", "alterations")


def render(report: Comparison, style: TextStyle) -> str:
    """Return ``report`` as JSON."""
    head = {"schema_version": SCHEMA_VERSION}
    if isinstance(report, LogComparison):
        return json_text({**head, "kind": "logs", **_logs(report)})
    if isinstance(report, RequestComparison):
        return json_text({**head, "kind": "requests", **_without_reading(asdict(report)), "is_worse": report.is_worse})
    return json_text({**head, "kind": "templates", **_templates(report)})


def _logs(report: LogComparison) -> dict[str, object]:
    effects = {**asdict(report.effects), "lost_tokens": report.effects.lost_tokens, "lost_rate": report.effects.lost_rate}
    return {
        **_without_reading(asdict(report)),
        "rate_before": report.rate_before,
        "rate_after": report.rate_after,
        "effects": effects,
    }


def _templates(report: TemplateComparison) -> dict[str, object]:
    return {
        "prompts": [asdict(one) for one in report.prompts],
        "new": [_finding(one) for one in report.new],
        "gone": [_finding(one) for one in report.gone],
        "kept": report.kept,
        "is_worse": report.is_worse,
        "tokenizer": report.tokenizer,
        "notes": list(report.notes),
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "rule": finding.rule,
        "name": finding.name,
        "path": finding.span.path,
        "line": finding.span.line,
        "column": finding.span.column,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "lost_tokens": finding.lost_tokens,
        "message": finding.message,
    }


def _without_reading(document: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in document.items() if name not in _READ}
    return {**kept, "diagnostics": list(document["alterations"])}
