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
from radixlint.result.hit_rates import HitRates
from radixlint.result.measurement import AnalyzeReport, EngineLog
from radixlint.traffic import TOKEN_BYTES, CachePolicy, EngineStats, LogRead, Request


def core_report(
    read: LogRead, tokens: LogTokens, replayed: Replayed, policy: CachePolicy, matches: Matches, waterfall: Waterfall
) -> AnalyzeReport:
    """Return the report on ``read`` as a whole; ``matches`` are aligned with its requests."""
    requests = read.requests
    agreements = figures.usage_agreements(requests, matches)
    agreement = agreements[0] if agreements else None
    report = _matched(read, tokens, replayed, policy, matches)
    output_tokens, output_requests = figures.output_tokens(requests)
    namespaces, namespaces_per_model = figures.namespaces(requests)
    return replace(
        report,
        tokenizer_evidence=figures.tokenizer_evidence(tokens.evidence, requests, matches, agreement),
        agreement=agreement,
        notes=(*read.notes, *tokens.notes, *notes_on(read, matches, agreement)),
        waterfall=waterfall.entries() if report.measured_requests else (),
        alterations=read.alterations,
        agreements=agreements[1:],
        output_tokens=output_tokens,
        output_requests=output_requests,
        namespaces=namespaces,
        namespaces_per_model=namespaces_per_model,
        **({} if requests else _counted_by_lines(report.engine_log)),
    )


def _matched(read: LogRead, tokens: LogTokens, replayed: Replayed, policy: CachePolicy, matches: Matches) -> AnalyzeReport:
    """Return what was read and matched, and the basis of these figures."""
    measured_requests, prompt_tokens, engine_blocks = 0, 0, 0
    for match in matches:  # one at a time: they are made on access
        if match is not None:
            measured_requests += 1
            prompt_tokens += match.prompt_tokens
            engine_blocks += match.engine_blocks
    whole = figures.part(read.requests, matches)
    by_token, by_request, last_half = _rates(read.requests, matches)
    return AnalyzeReport(
        input_format=read.format,
        records=read.records,
        read=read.records_read,
        skipped=tuple(sorted(read.skipped.items())),
        notes=(),
        requests=len(read.requests),
        measured_requests=measured_requests,
        prompt_tokens=prompt_tokens if measured_requests else whole.prompt_tokens,
        shareable_tokens=whole.shareable_tokens,
        engine_tokens=whole.engine_tokens,
        reported_tokens=whole.reported_tokens,
        hit_rate=by_token,
        request_hit_rate=by_request,
        last_half=last_half,
        distinct_tokens=replayed.distinct_tokens,
        engine=engine_used(policy),
        layout=tokens.layout_name,
        tokenizer=tokens.tokenizer,
        tokenizer_evidence=tokens.evidence,
        agreement=None,
        waterfall=(),
        unexplained_tokens=figures.reported_tokens(read.requests, matches)[1],
        engine_blocks=engine_blocks,
        blocks=_blocks(read.requests, matches, policy),
        engine_log=tuple(map(_engine_log, read.stats)),
        is_partial=read.is_sampled,
    )


def _blocks(requests: Sequence[Request], matches: Matches, policy: CachePolicy) -> int:
    """Return the blocks that the prompts take, partly filled last ones included; a trace of block ids names its own."""
    return sum(
        -(-match.prompt_tokens // policy.block_tokens) if request.block_ids is None else len(request.block_ids) // TOKEN_BYTES
        for request, match in zip(requests, matches, strict=True)
        if match is not None
    )


def _counted_by_lines(engine_log: Sequence[EngineLog]) -> dict[str, Any]:
    """Return the figures of a log of statistics lines alone, as far as the lines count tokens."""
    counted = [(e.cached_tokens, e.new_tokens) for e in engine_log if e.cached_tokens is not None and e.new_tokens is not None]
    if not counted:
        return {}
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
        # What was reported needs no second request.
        reported = HitRates(None, None, figures.hit_rates(requests, matches).reported)
        return reported, reported, figures.UNKNOWN_RATES
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
