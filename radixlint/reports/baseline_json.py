"""What a later ``check-log`` is compared with: the fields of ``analyze`` that it reads, with all breaks and no text."""

from __future__ import annotations

from dataclasses import asdict

from radixlint.reports import TextStyle
from radixlint.result.gate import GateReport
from radixlint.safe_text import json_text

SCHEMA_VERSION = 1


def render(report: GateReport, style: TextStyle) -> str:
    """Return the baseline as JSON; ``report`` has a log and a rate."""
    log, rate = report.log, report.rate
    assert log is not None
    assert rate is not None
    breaks = None if log.breaks is None else [_break(place.cause, place.where, place.lost_tokens) for place in log.breaks]
    return json_text(
        {
            "schema_version": SCHEMA_VERSION,
            "requests": log.requests,
            "prompt_tokens": log.prompt_tokens,
            "scope": asdict(report.scope),
            "hit_rate": asdict(rate.hit_rate),
            "engine": asdict(log.engine),
            "layout": log.layout,
            "tokenizer": log.tokenizer,
            "waterfall": [asdict(entry) for entry in log.waterfall],
            "breaks": breaks,
            "unlisted_breaks": 0,
        }
    )


def _break(cause: str, where: str, lost_tokens: int) -> dict[str, object]:
    return {"cause": cause, "where": where, "lost_tokens": lost_tokens}
