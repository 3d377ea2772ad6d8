"""What a log says about its traffic: how much is shared, how often, and under which engine's rules."""

from __future__ import annotations

from statistics import median_low
from typing import Final

from radixlint.advise.log_evidence import LogEvidence
from radixlint.result.advice import ExpectedRates, Fingerprint, PriorBand, RateLine, Thresholds, TrafficKind
from radixlint.result.evidence import Evidence
from radixlint.result.workload import RetrievalPattern, Workload, WorkloadKind

_ENGINES: Final = {"sglang": "SGLang, pages", "vllm": "vLLM, blocks"}
_PRIORS: Final = {
    WorkloadKind.CHAT: PriorBand("general chat", 0.10, 0.30),
    WorkloadKind.RAG: PriorBand("RAG with a consistent template", 0.60, 0.85),
    WorkloadKind.VOICE: PriorBand("voice with a fixed preamble", 0.80, 0.95),
    WorkloadKind.VISION: PriorBand("vision with a fixed preamble", 0.80, 0.95),
}


def fingerprint(log: LogEvidence, workload: Workload, thresholds: Thresholds) -> Fingerprint | None:
    """Return the fingerprint of a log, None if it holds no prompt token."""
    report = log.today(workload)
    rows = report.measured_rows
    if not rows or not report.prompt_tokens:
        return None
    output_tokens, evidence = output_length(log, workload)
    least = report.longest_shared_tokens or log.vllm.engine.block_tokens
    repeated = sum(row.shareable_tokens >= least for row in rows)
    return Fingerprint(
        kind=_kind(sum(row.shareable_tokens for row in rows) / report.prompt_tokens, thresholds),
        requests=report.requests,
        prompt_tokens_mean=report.prompt_tokens / len(rows),
        tokenizer=report.tokenizer,
        tokenizer_evidence=report.tokenizer_evidence,
        output_tokens_mean=output_tokens,
        output_evidence=evidence,
        shared_prefix_tokens=report.longest_shared_tokens,
        median_match_tokens=median_low(row.shareable_tokens for row in rows),
        repetition_rate=repeated / len(rows),
        repetition_tokens=least,
        evidence=log.evidence,
        notes=report.notes,
    )


def _kind(shareable_rate: float, thresholds: Thresholds) -> TrafficKind:
    if shareable_rate > thresholds.go_rate:
        return TrafficKind.PREFIX_HEAVY
    return TrafficKind.PREFIX_LIGHT if shareable_rate < thresholds.no_go_rate else TrafficKind.MIXED


def output_length(log: LogEvidence, workload: Workload) -> tuple[float | None, Evidence | None]:
    """Return the mean output tokens a request: the log's own count, else the description's, else None."""
    logged = log.vllm.output_tokens_mean
    if logged is not None:
        return logged, Evidence.MEASURED
    return workload.output_tokens, None if workload.output_tokens is None else Evidence.ASSUMED


def expected_rates(log: LogEvidence, workload: Workload) -> ExpectedRates | None:
    """Return the known hit rates of a log: the upper bound, each engine, the server's own counter; None for none."""
    today = log.today(workload)
    whole, half = today.hit_rate, today.last_half
    lines = [RateLine("shareable, upper bound for this order", whole.shareable, half.shareable, log.evidence)]
    for report in (log.sglang, log.vllm):
        label = f"{_ENGINES[report.engine.name]} of {report.engine.block_tokens}"
        lines.append(RateLine(label, report.hit_rate.engine, report.last_half.engine, log.evidence))
    lines.append(RateLine("the server's own counter", whole.reported, half.reported, Evidence.MEASURED))
    known = tuple(line for line in lines if line.whole_log is not None)
    is_simulated = any(line.evidence is not Evidence.MEASURED for line in known)
    return ExpectedRates(known, log.is_partial, is_simulated and log.has_untold_tenants(workload)) if known else None


def prior_band(workload: Workload) -> PriorBand:
    """Return the customary band for this kind of workload; it has no source and decides nothing."""
    is_retrieving = workload.retrieval_pattern is not RetrievalPattern.NONE
    return _PRIORS[workload.kind or (WorkloadKind.RAG if is_retrieving else WorkloadKind.CHAT)]
