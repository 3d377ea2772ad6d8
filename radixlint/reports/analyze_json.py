"""The measurement as JSON, schema version 1: additions only within a version."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from radixlint.reports import TextStyle
from radixlint.reports._break_json import break_documents, cleared_documents, remedy_document
from radixlint.result.curve import Curve
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import AnalyzeReport
from radixlint.safe_text import json_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SCHEMA_VERSION = 1


def render(report: AnalyzeReport, style: TextStyle) -> str:
    """Return ``report`` as JSON."""
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
        **_sums(report),
        "engine": asdict(report.engine),
        "layout": report.layout,
        "tokenizer": report.tokenizer,
        "agreement": _optional(report.agreement),
        "agreements": [asdict(one) for one in report.agreements],
        "evidence": _evidence(report),
        "waterfall": [asdict(entry) for entry in report.waterfall],
        "unexplained_tokens": report.unexplained_tokens,
        "breaks": break_documents(report.breaks),
        "unlisted_breaks": report.unlisted_breaks,
        "together": None if report.together is None else remedy_document(report.together),
        "one_time": [asdict(one) for one in report.one_time],
        "cleared": cleared_documents(report.cleared),
        **_curves(report.curve),
        **_parts(report),
        "money": [asdict(bill) for bill in report.money],
        "engine_log": [asdict(entry) for entry in report.engine_log],
        "tree": _optional(report.tree),
        "estimate": _optional(report.estimate),
        "shared_prefix_memory": _optional(report.shared_prefix_memory),
        "provider_hint": report.provider_hint,
        "notes": list(report.notes),
        "diagnostics": list(report.alterations),
    }


def _sums(report: AnalyzeReport) -> dict[str, object]:
    """Return counts over the whole log, and the rates they give."""
    return {
        "requests": report.requests,
        "measured_requests": report.measured_requests,
        "prompt_tokens": report.prompt_tokens,
        "output_tokens": report.output_tokens,
        "shareable_tokens": report.shareable_tokens,
        "engine_tokens": report.engine_tokens,
        "reported_tokens": report.reported_tokens,
        "distinct_tokens": report.distinct_tokens,
        "longest_shared_tokens": report.longest_shared_tokens,
        "engine_blocks": report.engine_blocks,
        "blocks": report.blocks,
        "namespaces": report.namespaces,
        "hit_rate": asdict(report.hit_rate),
        "request_hit_rate": asdict(report.request_hit_rate),
        "last_half": asdict(report.last_half),
    }


def _parts(report: AnalyzeReport) -> dict[str, object]:
    return {
        "groups": [{"by": group.by.value, "key": group.key, **asdict(group.part)} for group in report.groups],
        "turns": _optional(report.turns),
        "reuse": _optional(report.reuse),
        "cold_start": _optional(report.cold_start),
    }


def _curves(curve: Curve | None) -> dict[str, object]:
    """Return the points, and what the curve was made of: all but its points."""
    if curve is None:
        return {"curve": None, "ttl_curve": None, "curve_basis": None}
    basis = asdict(curve)
    points, ttl_points, _ = (basis.pop(name) for name in ("points", "ttl_points", "line"))
    return {"curve": points, "ttl_curve": ttl_points, "curve_basis": {**basis, "is_exact": curve.is_exact}}


def _optional(value: DataclassInstance | None) -> dict[str, object] | None:
    return None if value is None else asdict(value)


def _evidence(report: AnalyzeReport) -> dict[str, object]:
    """Return the evidence class of each group of figures."""
    return {
        "shareable": Evidence.SIMULATED if report.measured_requests else None,
        "engine": Evidence.SIMULATED if report.measured_requests else None,
        "reported": None if report.reported_tokens is None else Evidence.MEASURED,
        "engine_rules": report.engine.evidence,
        "tokenizer": report.tokenizer_evidence,
    }
