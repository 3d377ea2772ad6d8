"""Simulated runs as JSON, schema version 1: additions only within a version."""

from __future__ import annotations

from dataclasses import asdict

from radixlint.reports import TextStyle
from radixlint.result.simulation import SimulationReport
from radixlint.safe_text import json_text


def render(report: SimulationReport, style: TextStyle) -> str:
    """Return ``report`` as JSON; ``style`` changes nothing here."""
    return json_text(
        {
            "schema_version": 1,
            "input": {
                "source": report.source,
                "format": report.input_format,
                "seed": report.seed,
                "records": report.records,
                "read": report.read,
                "skipped": dict(report.skipped),
            },
            "requests": report.requests,
            "prompt_tokens": report.prompt_tokens,
            "longest_tokens": report.longest_tokens,
            "distinct_tokens": report.distinct_tokens,
            "engine": {
                "name": report.engine,
                "block_tokens": report.page_tokens,
                "eviction": report.eviction,
                "chunk_tokens": report.chunk_tokens,
            },
            "tokenizer": report.tokenizer,
            "formula": "hit_rate = cached_tokens / prompt_tokens, over all requests",
            "evidence": {"runs": "simulated", "tokenizer": report.tokenizer_evidence},
            "runs": [asdict(run) for run in report.runs],
            "notes": list(report.notes),
        }
    )
