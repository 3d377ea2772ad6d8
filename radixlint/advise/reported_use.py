"""What a log without prompts still says: the counts of the server."""

from __future__ import annotations

from radixlint.result.advice import ReportedUse
from radixlint.result.measurement import AnalyzeReport


def reported_use(report: AnalyzeReport) -> ReportedUse:
    """Return what the server counted, as far as ``report`` holds it."""
    lengths = [row.prompt_tokens for row in report.rows if row.prompt_tokens is not None]
    printed = [entry.window_hit_rate for entry in report.engine_log if entry.window_hit_rate is not None]
    return ReportedUse(
        requests=report.requests,
        reporting_requests=report.reporting_requests,
        cached_tokens=report.reported_tokens,
        hit_rate=report.hit_rate.reported,
        window_hit_rate=printed[-1] if printed else None,
        prompt_tokens_mean=sum(lengths) / len(lengths) if lengths else None,
        output_tokens_mean=report.output_tokens_mean,
        notes=report.notes,
    )
