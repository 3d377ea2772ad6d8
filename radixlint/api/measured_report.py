"""The figures of a whole log in a report; parts of it and explanations come on top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from radixlint.api import measured_figures as figures
from radixlint.api.log_tokens import LogTokens
from radixlint.api.measured_figures import Matches
from radixlint.api.measured_notes import notes_on
from radixlint.api.measured_policy import engine_used
from radixlint.api.measured_waterfall import Waterfall
from radixlint.replay import Replayed
from radixlint.result.evidence import Evidence
from radixlint.result.hit_rates import HitRates
from radixlint.result.measurement import AnalyzeReport, EngineLog
from radixlint.traffic import CachePolicy, EngineStats, LogRead, Request


def core_report(
    read: LogRead, tokens: LogTokens, replayed: Replayed, policy: CachePolicy, matches: Matches, waterfall: Waterfall
) -> AnalyzeReport:
    """Return the report on ``read`` as a whole; ``matches`` are aligned with its requests."""
    known = [m for m in matches if m is not None]
    whole = figures.part(read.requests, matches)
    rates = _rates(read.requests, matches)
    agreements = figures.usage_agreements(read.requests, matches)
    agreement = agreements[0] if agreements else None
    reported, unexplained, _ = figures.reported_tokens(read.requests, matches)
    engine_log = tuple(map(_engine_log, read.stats))
    counted = _counted_by_lines(engine_log) if not read.requests else None
    report = AnalyzeReport(
        input_format=read.format,
        records=read.records,
        read=read.records_read,
        skipped=tuple(sorted(read.skipped.items())),
        notes=(*read.notes, *tokens.notes, *notes_on(read, matches, agreement)),
        requests=len(read.requests),
        measured_requests=len(known),
        prompt_tokens=sum(m.prompt_tokens for m in known) if known else whole.prompt_tokens,
        shareable_tokens=whole.shareable_tokens,
        engine_tokens=whole.engine_tokens,
        reported_tokens=reported,
        hit_rate=rates[0],
        request_hit_rate=rates[1],
        last_half=rates[2],
        distinct_tokens=replayed.distinct_tokens,
        engine=engine_used(policy),
        layout=tokens.layout_name,
        tokenizer=tokens.tokenizer,
        tokenizer_evidence=Evidence.ASSUMED if agreement is not None and agreement.is_off else tokens.evidence,
        agreement=agreement,
        agreements=agreements[1:],
        waterfall=waterfall.entries() if known else (),
        unexplained_tokens=unexplained,
        engine_blocks=sum(m.engine_blocks for m in known),
        blocks=sum(-(-m.prompt_tokens // policy.block_tokens) for m in known),
        alterations=read.alterations,
        engine_log=engine_log,
        output_tokens=figures.output_tokens(read.requests)[0],
        output_requests=figures.output_tokens(read.requests)[1],
        namespaces=figures.namespaces(read.requests)[0],
        namespaces_per_model=figures.namespaces(read.requests)[1],
    )
    return report if counted is None else replace(report, **counted)


def _counted_by_lines(engine_log: Sequence[EngineLog]) -> dict[str, Any] | None:
    """Return the figures of a log of statistics lines alone, as far as the lines count tokens; None if they do not."""
    counted = [(e.cached_tokens, e.new_tokens) for e in engine_log if e.cached_tokens is not None and e.new_tokens is not None]
    if not counted:
        return None
    cached = sum(c for c, _ in counted)
    prompt = cached + sum(n for _, n in counted)
    return {
        "prompt_tokens": prompt,
        "reported_tokens": cached,
        "hit_rate": HitRates(None, None, cached / prompt if prompt else None),
    }


def _rates(requests: Sequence[Request], matches: Matches) -> tuple[HitRates, HitRates, HitRates]:
    """Return the rates by token, by request, and by token over the later half; unknown for less than two requests."""
    if len(requests) < 2:
        return (figures.UNKNOWN_RATES,) * 3
    half = len(requests) // 2
    return (
        figures.hit_rates(requests, matches),
        figures.request_hit_rates(requests, matches),
        figures.hit_rates(requests[half:], matches[half:]),
    )


def _engine_log(stats: EngineStats) -> EngineLog:
    asked = None if stats.new_tokens is None or stats.cached_tokens is None else stats.new_tokens + stats.cached_tokens
    return EngineLog(
        engine=stats.engine,
        lines=stats.lines,
        new_tokens=stats.new_tokens,
        cached_tokens=stats.cached_tokens,
        computed_tokens=stats.computed_tokens,
        hit_rate=stats.cached_tokens / asked if asked and stats.cached_tokens is not None else None,
        window_hit_rate=stats.window_hit_rate,
        window_requests=stats.window_requests,
        peak_kv_usage_rate=stats.peak_kv_usage_rate,
        kv_tokens=stats.kv_tokens,
        block_tokens=stats.block_tokens,
    )
