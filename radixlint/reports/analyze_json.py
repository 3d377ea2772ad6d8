"""The measurement as JSON, schema version 1: additions only within a version."""

from __future__ import annotations

from dataclasses import asdict

from radixlint.reports import TextStyle
from radixlint.result.curve import Curve
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import AnalyzeReport
from radixlint.safe_text import json_text

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
        "requests": report.requests,
        "measured_requests": report.measured_requests,
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
        "agreements": [asdict(one) for one in report.agreements],
        "evidence": _evidence(report),
        "waterfall": [asdict(entry) for entry in report.waterfall],
        "unexplained_tokens": report.unexplained_tokens,
        "breaks": [asdict(place) for place in sorted(report.breaks, key=lambda place: -place.lost_tokens)],
        "curve": None if report.curve is None else [asdict(point) for point in report.curve.points],
        "curve_basis": None if report.curve is None else _curve_basis(report.curve),
        "ttl_curve": _ttl_points(report.curve),
        "engine_blocks": report.engine_blocks,
        "blocks": report.blocks,
        "groups": [{"by": group.by.value, "key": group.key, **asdict(group.part)} for group in report.groups],
        "turns": None if report.turns is None else asdict(report.turns),
        "reuse": None if report.reuse is None else asdict(report.reuse),
        "cold_start": None if report.cold_start is None else asdict(report.cold_start),
        "money": [asdict(bill) for bill in report.money],
        "engine_log": [asdict(entry) for entry in report.engine_log],
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
        "shareable": Evidence.SIMULATED if report.measured_requests else None,
        "engine": Evidence.SIMULATED if report.measured_requests else None,
        "reported": None if report.reported_tokens is None else Evidence.MEASURED,
        "engine_rules": report.engine.evidence,
        "tokenizer": report.tokenizer_evidence,
    }


def _curve_basis(curve: Curve) -> dict[str, object]:
    """Return what the curve was made of: all but its points."""
    basis = asdict(curve)
    for points in ("points", "line", "ttl_points"):
        del basis[points]
    return {**basis, "is_exact": curve.is_exact}


def _ttl_points(curve: Curve | None) -> list[dict[str, object]] | None:
    if curve is None or curve.ttl_points is None:
        return None
    return [asdict(point) for point in curve.ttl_points]
