"""The verdicts on a log as JSON, schema version 1: additions only within a version."""

from __future__ import annotations

from dataclasses import asdict

from radixlint.reports import TextStyle
from radixlint.reports._break_json import break_documents, cleared_documents
from radixlint.result.gate import GateCheck, GateReport
from radixlint.safe_text import json_text

SCHEMA_VERSION = 1


def render(report: GateReport, style: TextStyle) -> str:
    """Return ``report`` as JSON."""
    return json_text(
        {
            "schema_version": SCHEMA_VERSION,
            "status": report.status,
            "checks": [_check(check) for check in report.checks],
            "scope": asdict(report.scope),
            "rate": None if report.rate is None else asdict(report.rate),
            "log": _log(report),
            "baselines": list(report.baselines),
        }
    )


def _check(check: GateCheck) -> dict[str, object]:
    return {**asdict(check), "breaks": _breaks(check)}


def _breaks(check: GateCheck) -> list[dict[str, object]]:
    # Nothing is replayed for a check, so there is no remedy to tell of.
    return [
        {name: value for name, value in document.items() if name not in ("remedies", "fix", "hit_rate_after")}
        for document in break_documents(check.breaks)
    ]


def _log(report: GateReport) -> dict[str, object] | None:
    log = report.log
    if log is None:
        return None
    return {
        "format": log.input_format,
        "records": log.records,
        "read": log.read,
        "skipped": dict(log.skipped),
        "requests": log.requests,
        "measured_requests": log.measured_requests,
        "prompt_tokens": log.prompt_tokens,
        "engine": asdict(log.engine),
        "layout": log.layout,
        "tokenizer": log.tokenizer,
        "waterfall": [asdict(entry) for entry in log.waterfall],
        "broken_places": None if log.breaks is None else len(log.breaks),
        "cleared": cleared_documents(log.cleared),
        "notes": list(log.notes),
        "diagnostics": list(log.alterations),
    }
