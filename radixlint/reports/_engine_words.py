"""The replayed cache in words, and what the engine itself logged."""

from __future__ import annotations

from collections.abc import Iterator

from radixlint.reports._figures import counted, percent
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import AGREEMENT_LIMIT, EngineLog, EngineUsed, UsageAgreement
from radixlint.safe_text import safe_line

_MINUTE_S = 60
_HOUR_S = 3600


def engine_words(engine: EngineUsed) -> str:
    """Return the rules in words: name, unit of reuse, and each limit that applies."""
    assumed = " (assumed)" if engine.evidence is Evidence.ASSUMED else ""
    return ", ".join((engine.name, *_limits(engine))) + assumed


def tokenizer_words(name: str, evidence: Evidence) -> str:
    """Return the tokenizer's name, and whether it is assumed: also where its counts are not the server's."""
    return f"{safe_line(name)}{' (assumed)' if evidence is Evidence.ASSUMED else ''}"


def off_ratio(agreement: UsageAgreement) -> str:
    """Return ours / reported of an agreement that is off: the median, and the 95th percentile where only that is.

    >>> off_ratio(UsageAgreement(9, 1.08, 1.2)), off_ratio(UsageAgreement(9, 1.049, 1.072))
    ('median 1.080', 'median 1.049, 95th percentile 1.072')
    """
    median = f"median {agreement.median_ratio:.3f}"
    is_median_off = abs(agreement.median_ratio - 1) > AGREEMENT_LIMIT
    return median if is_median_off else f"{median}, 95th percentile {agreement.p95_ratio:.3f}"


def _limits(engine: EngineUsed) -> Iterator[str]:
    if engine.match == "block":
        yield "token by token" if engine.block_tokens == 1 else f"blocks of {engine.block_tokens}"
    else:
        yield f"exact {engine.match}s"
    if engine.min_tokens:
        yield f"from {counted(engine.min_tokens, 'token')} on"
    if engine.kv_tokens is not None:
        order = "" if engine.eviction == "lru" else f" ({engine.eviction})"
        yield f"room for {counted(engine.kv_tokens, 'token')}{order}"
    if engine.ttl_s is not None:
        yield f"kept {span(engine.ttl_s)}"
    if engine.chunk_tokens is not None:
        yield f"chunks of {engine.chunk_tokens:,}"
    if engine.replicas > 1:
        yield f"{counted(engine.replicas, 'replica')}, {engine.routing}"
    if engine.in_flight:
        yield f"batches of {engine.in_flight} in flight (lower bound)"


def span(seconds: float) -> str:
    """Return a time span in its largest whole unit.

    >>> span(300), span(3600), span(90)
    ('5 min', '1 h', '90 s')
    """
    for unit_s, name in ((_HOUR_S, "h"), (_MINUTE_S, "min")):
        if seconds >= unit_s and seconds % unit_s == 0:
            return f"{seconds / unit_s:g} {name}"
    return f"{seconds:g} s"


def engine_log_lines(entry: EngineLog) -> Iterator[str]:
    """Yield what the statistics lines of one engine say; every figure is the engine's own."""
    yield f"{entry.engine}: {counted(entry.lines, 'statistics line')}"
    if entry.new_tokens is not None and entry.cached_tokens is not None:
        yield (
            f"cached {entry.cached_tokens:,} of {counted(entry.new_tokens + entry.cached_tokens, 'prompt token')}: "
            f"{percent(entry.hit_rate)} (cached / (cached + new), over all lines)"
        )
    if entry.window_hit_rate is not None:
        window = f"the last {counted(entry.window_requests, 'request')}" if entry.window_requests else "its own window"
        yield f"printed hit rate {percent(entry.window_hit_rate)} over {window}; the last line counts"
    elif entry.new_tokens is None:
        yield "no printed hit rate: prefix caching is off, or nothing was asked"
    if entry.computed_tokens is not None:
        yield f"about {counted(entry.computed_tokens, 'prompt token')} computed (throughput counts computed tokens only)"
    if entry.peak_kv_usage_rate is not None:
        yield f"KV cache at most {percent(entry.peak_kv_usage_rate)} full"
    if entry.kv_tokens is not None:
        blocks = f", blocks of {entry.block_tokens}" if entry.block_tokens else ""
        yield f"KV cache of {counted(entry.kv_tokens, 'token')}{blocks}"
