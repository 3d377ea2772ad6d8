"""What matched tokens are worth, as lines of text; no multiple stands without the workload it belongs to."""

from __future__ import annotations

from radixlint.reports._figures import binary_size, counted, milliseconds
from radixlint.result.estimate import Estimate, PrefixMemory
from radixlint.result.evidence import Evidence
from radixlint.safe_text import safe_line


def estimate_lines(estimate: Estimate, memory: PrefixMemory | None = None) -> list[str]:
    """Return the lines of the report: the workload first, then each figure with its evidence class.

    ``memory`` is that of the shared prefix, None to leave it out.
    """
    lines = [f"Estimate for {safe_line(workload_shape(estimate))}:"]
    rows = []
    if estimate.saved_rate is not None:
        text = f"{estimate.saved_rate:.1%} of prefill FLOPs, at a hit rate of {estimate.hit_rate:.1%} ({estimate.match_evidence})"
        rows.append(("prefill saved", text))
    if estimate.ttft_without_s is not None and estimate.ttft_with_s is not None:
        text = (
            f"{milliseconds(estimate.ttft_without_s)} without reuse, {milliseconds(estimate.ttft_with_s)} with, mean, idle server"
        )
        rows.append(("time to first token", f"{text} ({estimate.evidence})"))
    if estimate.speedup is not None and estimate.prefill_share_rate is not None:
        rows.append(("prefill's share of time", f"{estimate.prefill_share_rate:.1%} without reuse ({estimate.evidence})"))
        text = f"{estimate.speedup:.2f}x at equal batch, against no prefix caching ({estimate.evidence})"
        rows.append(("throughput", text))
    if memory is not None:
        whole = f"{binary_size(memory.bytes)} for {counted(memory.tokens, 'token')} ({Evidence.STATIC})"
        rows.append(
            ("KV cache of shared prefix", whole if memory.tokens else "none: no prefix is common to half of the requests")
        )
    width = max((len(label) for label, _ in rows), default=0)
    lines += [f"  {label:<{width}}  {value}" for label, value in rows]
    if estimate.assumptions:
        lines.append("  assumed: " + "; ".join(f"{a.name} {a.value}" for a in estimate.assumptions))
    if estimate.missing:
        lines.append(f"  no speedup is given: {' and '.join(estimate.missing)} not known")
    return lines


def workload_shape(estimate: Estimate) -> str:
    """Return the workload's name with the lengths, model and GPU the figures belong to."""
    parts = [counted(estimate.requests, "request"), f"mean prompt {estimate.prompt_tokens_mean:,.0f} tokens"]
    if estimate.output_tokens_mean is not None:
        parts.append(f"mean output {estimate.output_tokens_mean:,.0f} tokens")
    if estimate.model:
        parts.append(f"{estimate.model} on {estimate.gpu}" if estimate.gpu else estimate.model)
    return f"workload {estimate.workload!r} ({', '.join(parts)})"
