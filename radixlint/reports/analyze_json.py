"""The measurement as JSON, schema version 1: additions only within a version."""

from __future__ import annotations

from dataclasses import asdict

from radixlint.reports import TextStyle
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import AnalyzeReport
from radixlint.safe_text import json_text

SCHEMA_VERSION = 1


def render(report: AnalyzeReport, style: TextStyle) -> str:
    """Return ``report`` as JSON; what a later version fills in (``curve``, ``groups``) is there and empty."""
    return json_text(document(report))


def document(report: AnalyzeReport) -> dict[str, object]:
    """Return the JSON document as Python values."""
    return {
        "schema_version": SCHEMA_VERSION,
        "input": {
            "format": report.input_format,
            "records": report.records,
            "read": report.read,
            "skipped": dict(report.skipped),
        },
        "requests": report.requests,
        "prompt_tokens": report.prompt_tokens,
        "output_tokens": report.output_tokens,
        "shareable_tokens": report.shareable_tokens,
        "engine_tokens": report.engine_tokens,
        "reported_tokens": report.reported_tokens,
        "distinct_tokens": report.distinct_tokens,
        "longest_shared_tokens": report.longest_shared_tokens,
        "hit_rate": asdict(report.hit_rate),
        "request_hit_rate": asdict(report.request_hit_rate),
        "last_half": asdict(report.last_half),
        "engine": asdict(report.engine),
        "layout": report.layout,
        "tokenizer": report.tokenizer,
        "agreement": None if report.agreement is None else asdict(report.agreement),
        "evidence": _evidence(report),
        "waterfall": [asdict(entry) for entry in report.waterfall],
        "unexplained_tokens": report.unexplained_tokens,
        "breaks": [asdict(place) for place in sorted(report.breaks, key=lambda place: -place.lost_tokens)],
        "curve": None,
        "engine_blocks": report.engine_blocks,
        "blocks": report.blocks,
        "groups": [],
        "tree": None if report.tree is None else asdict(report.tree),
        "namespaces": report.namespaces,
        "estimate": None if report.estimate is None else asdict(report.estimate),
        "shared_prefix_memory": None if report.shared_prefix_memory is None else asdict(report.shared_prefix_memory),
        "notes": list(report.notes),
        "diagnostics": list(report.alterations),
    }


def _evidence(report: AnalyzeReport) -> dict[str, object]:
    """Return the evidence class of each group of figures."""
    return {
        "shareable": Evidence.SIMULATED,
        "engine": Evidence.SIMULATED,
        "reported": None if report.reported_tokens is None else Evidence.MEASURED,
        "engine_rules": report.engine.evidence,
        "tokenizer": report.tokenizer_evidence,
    }
