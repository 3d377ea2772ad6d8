"""What a reader of the figures must know about them: sentences on doubts, gaps and limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.api import measured_figures as figures
from radixlint.api.measured_figures import Matches
from radixlint.api.measured_policy import usual_model
from radixlint.plural import counted
from radixlint.providers import load_policy, provider_of_model, title_of
from radixlint.result.measurement import AGREEMENT_LIMIT, UsageAgreement, WaterfallEntry
from radixlint.traffic import CachePolicy, EngineStats, LogRead

_COUNTS_LIKE: Final = "openai-legacy"
_LEAST_COUNTS: Final = 5
_ENGINE_STORES: Final = ("tree", "block-pool")
_DETAILS_FLAGS: Final = {"sglang": "--enable-cache-report", "vllm": "--enable-prompt-tokens-details"}


def notes_on(read: LogRead, matches: Matches, agreement: UsageAgreement | None) -> tuple[str, ...]:
    """Return the notes on tokens and usage."""
    return tuple(_notes(read, matches, agreement))


def notes_on_policy(read: LogRead, policy: CachePolicy, waterfall: Sequence[WaterfallEntry]) -> tuple[str, ...]:
    """Return the notes on what the replay leaves out, as far as it matters for ``policy``."""
    return (*_timing(policy, waterfall), *_gaps(read, policy))


def _notes(read: LogRead, matches: Matches, agreement: UsageAgreement | None) -> Iterator[str]:
    requests = read.requests
    total = len(requests)
    unknown = sum(not request.has_prompt for request in requests)
    if 0 < unknown < total:
        of_all = f"{unknown:,} of {counted(total, 'request')}"
        yield f"The prompts of {of_all} are not in the log: matched tokens are those of the others."
    elif unknown:
        yield "No record holds its prompt: only what was reported can be measured, not what could have been shared."
    if agreement is not None and agreement.is_off:
        yield (
            f"Our prompt tokens are over 5 % off the reported ones ({_off_figure(agreement)}): the server's chat template "
            "(layout) or tokenizer differs from ours, so token figures are assumed."
        )
    reporting = figures.reported_tokens(requests, matches)[2]
    if 0 < reporting < total:
        yield f"Cached tokens are reported by {reporting:,} of {counted(total, 'request')}; the reported rate covers these only."
    yield from _counted_by_lines(read, reporting)
    with_output = figures.output_tokens(requests)[1]
    if 0 < with_output < total:
        yield f"Output tokens are known for {with_output:,} of {counted(total, 'request')}."


def _off_figure(agreement: UsageAgreement) -> str:
    """Return which figure of an agreement is off."""
    if abs(agreement.median_ratio - 1) > AGREEMENT_LIMIT:
        return f"ours / reported {agreement.median_ratio:.3f} in the median"
    return f"ours / reported {agreement.p95_ratio:.3f} in the 95th percentile, {agreement.median_ratio:.3f} in the median"


def _counted_by_lines(read: LogRead, reporting: int) -> Iterator[str]:
    """Yield what the statistics lines say where most requests do not say it themselves."""
    for stats in read.stats:
        if reporting < len(read.requests) and stats.cached_tokens is not None and stats.new_tokens:
            rate = stats.cached_tokens / (stats.cached_tokens + stats.new_tokens)
            yield f"The statistics lines of {stats.engine} count every request: {rate:.1%} of the prompt tokens were cached."


def _timing(policy: CachePolicy, waterfall: Sequence[WaterfallEntry]) -> Iterator[str]:
    if not waterfall:
        return
    lost_to_capacity = any(entry.cause == "capacity" and entry.tokens for entry in waterfall)
    if policy.store == "tree" and policy.name == "sglang" and not policy.in_flight:
        yield (
            "One request at a time is replayed: with several in flight SGLang shares a prompt only after its batch is done, so "
            "this is an upper figure (in whole runs 0.1 to 2.8 points above the served rate, far more where many requests start "
            "cold at once); --in-flight N gives a lower one."
        )
    if lost_to_capacity and policy.store in _ENGINE_STORES:
        yield (
            "The cache is under pressure: with requests in flight at the same time the served rate is within 1 to 2 points of "
            "this one, either way, by the order in which they end."
        )
    if policy.in_flight and policy.store == "block-pool":
        yield "vLLM shares a block as soon as it is scheduled, also within a batch: trust the replay without --in-flight."
    if policy.in_flight and policy.kv_tokens is not None:
        yield "The lower bound lets a batch see neither itself nor the one before; it does not model the room that they hold."


def _gaps(read: LogRead, policy: CachePolicy) -> Iterator[str]:
    engines = sorted({stats.engine for stats in read.stats})
    if len(engines) > 1:
        yield f"The logs are of several engines ({', '.join(engines)}), which share no cache: measure them apart."
    if policy.ttl_s is not None and any(request.time_s is None for request in read.requests):
        yield "Some requests have no time: nothing expires before them."
    flag = _DETAILS_FLAGS.get(read.engine or "")
    if flag and read.requests and all(r.usage is None or r.usage.cached_tokens is None for r in read.requests):
        yield f"The log reports no cached tokens: {read.engine} does so in its responses with {flag}."
    for stats in read.stats if read.requests else ():
        yield from _room(stats, policy)


def _room(stats: EngineStats, policy: CachePolicy) -> Iterator[str]:
    if stats.kv_tokens is None or policy.kv_tokens is not None or policy.store not in _ENGINE_STORES:
        return
    # vLLM counts its null block, which never holds a prompt.
    usable = stats.kv_tokens - policy.block_tokens if stats.engine == "vllm" else stats.kv_tokens
    yield (
        f"The start-up lines name a cache of {counted(stats.kv_tokens, 'token')}; this replay has room for all: "
        f"--kv-tokens {usable} replays with that room."
    )


def provider_hint(read: LogRead, policy: CachePolicy) -> str | None:
    """Return what to do where nobody named an engine and a hosted provider serves the usual model, or counts as one does."""
    if not policy.is_assumed:
        return None
    model = usual_model(read.requests)
    hosted = provider_of_model(model) if model is not None else None
    if hosted is not None:
        return (
            f"Most requests ask for {model}, a model of {hosted} ({title_of(hosted)}). The name does not tell who served it, so "
            f"{policy.name} is assumed: --engine {hosted} replays the rules of that provider, and tells what fixes cost there."
        )
    return _hint_of_counts(read)


def _hint_of_counts(read: LogRead) -> str | None:
    """Return the same where the counts that were reported can hardly be those of blocks of 16 tokens."""
    counts = [c for r in read.requests if r.usage is not None and (c := r.usage.cached_tokens)]
    like = load_policy(_COUNTS_LIKE)
    step, least = like.block_tokens, like.min_tokens
    if len(counts) < _LEAST_COUNTS or any(count % step or count < least for count in counts):
        return None
    return (
        f"All reported cached counts are multiples of {step} from {least:,} on ({counted(len(counts), 'request')}), as a hosted "
        f"API counts: --engine {_COUNTS_LIKE} replays such rules (assumed)."
    )
