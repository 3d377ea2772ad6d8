"""What matched tokens save in time: prefill FLOPs by position, prefill's share of all work, and from both a speedup.

Prefill is taken as bound by arithmetic, decode as bound by memory traffic (a roofline with two fixed efficiencies).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from radixlint.hardware import Gpu, Model
from radixlint.result.estimate import Assumption, Estimate
from radixlint.result.evidence import Evidence

_COMPUTE_EFFICIENCY: Final = 0.5
_BANDWIDTH_EFFICIENCY: Final = 0.8
_MEMORY_FOR_SERVING: Final = 0.9
_BATCH: Final = 32


class Matched(NamedTuple):
    """Prompt length of one request and how many of its first tokens were matched: 0 <= matched <= prompt."""

    prompt_tokens: int
    matched_tokens: int


@dataclass(frozen=True, slots=True)
class Server:
    """One replica: a model on ``gpus`` equal GPUs (tensor parallel, taken to scale without loss)."""

    model: Model
    gpu: Gpu
    gpus: int = 1

    @property
    def flops_per_s(self) -> float:
        """Arithmetic reached in prefill."""
        return self.gpu.bf16_flops_per_s * self.gpus * _COMPUTE_EFFICIENCY

    @property
    def bytes_per_s(self) -> float:
        """Memory traffic reached in decode."""
        return self.gpu.bandwidth_bytes_per_s * self.gpus * _BANDWIDTH_EFFICIENCY

    @property
    def kv_room_bytes(self) -> float:
        """Memory left for the KV cache beside the weights; negative if they do not fit."""
        return self.gpu.memory_bytes * self.gpus * _MEMORY_FOR_SERVING - self.model.weight_bytes()


def prefill_flops(model: Model, positions: int) -> int:
    """Return the FLOPs of the first ``positions`` prompt positions.

    Each position costs 2 FLOPs a weight, and attention to itself and all positions before it. So later positions cost
    more, and the matched ones are the cheap ones: for Llama 3.1 8B at 131,072 tokens a token hit rate of 90 % leaves
    prefill 6.2 times shorter, not 10 times.
    """
    pairs = positions * (positions + 1) // 2
    return 2 * model.parameters * positions + model.attention_flops * pairs


def prefill_s(server: Server, requests: Sequence[Matched]) -> float:
    """Return the seconds that ``server`` spends on the positions that were not matched, one request after another."""
    flops = sum(prefill_flops(server.model, r.prompt_tokens) - prefill_flops(server.model, r.matched_tokens) for r in requests)
    return flops / server.flops_per_s


def saved_rate(model: Model, requests: Sequence[Matched]) -> float | None:
    """Return prefill FLOPs of the matched positions / prefill FLOPs of all, 0..1; None if there is no prompt token."""
    total = sum(prefill_flops(model, r.prompt_tokens) for r in requests)
    saved = sum(prefill_flops(model, r.matched_tokens) for r in requests)
    return saved / total if total else None


def _batch_that_fits(server: Server, tokens: float) -> int:
    fitting = int(server.kv_room_bytes / (server.model.kv_bytes_per_token() * tokens))
    return max(1, min(_BATCH, fitting))


def _decode_s(server: Server, prompt_tokens: float, output_tokens: float, batch: int) -> float:
    """Return decode time of one request: each step reads the weights once for the batch, and this request's keys and values."""
    context_tokens = prompt_tokens + output_tokens / 2
    step_bytes = server.model.weight_bytes() / batch + server.model.kv_bytes_per_token() * context_tokens
    # The first output token comes from prefill.
    return max(0.0, output_tokens - 1) * step_bytes / server.bytes_per_s


def _first_token_s(server: Server, requests: Sequence[Matched], *, is_reusing: bool) -> float:
    """Return the mean prefill time of one request alone; it never falls under one reading of the weights."""
    floor_s = server.model.weight_bytes() / server.bytes_per_s

    def one(request: Matched) -> float:
        flops = prefill_flops(server.model, request.prompt_tokens)
        if is_reusing:
            flops -= prefill_flops(server.model, request.matched_tokens)
        return max(floor_s, flops / server.flops_per_s)

    return sum(one(r) for r in requests) / len(requests)


def speedup_at_equal_batch(saved: float, prefill_share: float) -> float:
    """Return 1 / (1 - saved x share): 1 without a hit, at most 1 / (1 - share).

    An estimate, not a bound: shared KV also leaves room for a larger batch, which this does not count.
    """
    return 1 / (1 - saved * prefill_share)


def _speedup(saved: float | None, share: float | None) -> float | None:
    """Return the multiple; None if a part is unknown, or if all the work would be gone."""
    if saved is None or share is None or saved * share >= 1:
        return None
    return speedup_at_equal_batch(saved, share)


def estimate(
    requests: Sequence[Matched],
    *,
    workload: str,
    match_evidence: Evidence,
    output_tokens_mean: float | None,
    server: Server | None,
    model: Model | None = None,
) -> Estimate:
    """Return what the matched tokens of ``requests`` are worth on ``server``.

    ``workload`` is the name printed beside every figure, ``match_evidence`` how the matched tokens were counted. None is
    unknown: without ``output_tokens_mean`` (a request) there is no multiple, without ``server`` no time. ``model`` stands
    in for an unknown server: it tells what prefill saves.
    """
    model = server.model if server else model
    prompt_tokens = sum(r.prompt_tokens for r in requests)
    usable = server if prompt_tokens and server and server.kv_room_bytes > 0 else None
    saved = saved_rate(model, requests) if model else None
    share, batch = _prefill_share(usable, requests, output_tokens_mean) if usable else (None, None)
    return Estimate(
        workload=workload,
        model=model.name if model else None,
        gpu=_gpu_label(server) if server else None,
        requests=len(requests),
        prompt_tokens_mean=prompt_tokens / len(requests) if requests else 0.0,
        output_tokens_mean=output_tokens_mean,
        hit_rate=sum(r.matched_tokens for r in requests) / prompt_tokens if prompt_tokens else 0.0,
        match_evidence=match_evidence,
        saved_rate=saved,
        prefill_share_rate=share,
        speedup=_speedup(saved, share),
        ttft_without_s=_first_token_s(usable, requests, is_reusing=False) if usable else None,
        ttft_with_s=_first_token_s(usable, requests, is_reusing=True) if usable else None,
        evidence=Evidence.ASSUMED,
        assumptions=_assumptions(batch) if usable else (),
        missing=_missing(prompt_tokens, output_tokens_mean, server, model),
    )


def with_assumed_output(found: Estimate) -> Estimate:
    """Return ``found`` with its output length among the assumptions, for where nobody counted it."""
    if not found.assumptions or found.output_tokens_mean is None:
        return found
    listed = Assumption("output", f"{found.output_tokens_mean:,.0f} tokens a request")
    return replace(found, assumptions=(*found.assumptions, listed))


def _prefill_share(
    server: Server, requests: Sequence[Matched], output_tokens_mean: float | None
) -> tuple[float | None, int | None]:
    """Return prefill / (prefill + decode) time without reuse, 0..1, and the decode batch it was worked out for."""
    if output_tokens_mean is None:
        return None, None
    prompt_mean = sum(r.prompt_tokens for r in requests) / len(requests)
    batch = _batch_that_fits(server, prompt_mean + output_tokens_mean)
    prefill_s = sum(prefill_flops(server.model, r.prompt_tokens) for r in requests) / len(requests) / server.flops_per_s
    return prefill_s / (prefill_s + _decode_s(server, prompt_mean, output_tokens_mean, batch)), batch


def _gpu_label(server: Server) -> str:
    return server.gpu.name if server.gpus == 1 else f"{server.gpus} x {server.gpu.name}"


def _missing(prompt_tokens: int, output_tokens_mean: float | None, server: Server | None, model: Model | None) -> tuple[str, ...]:
    """Name what keeps an estimate from being made, as things the reader can supply."""
    lacks = []
    if not prompt_tokens:
        lacks.append("requests with prompt tokens")
    if server is None:
        lacks.append("GPU" if model else "model and GPU")
    elif server.kv_room_bytes <= 0:
        lacks.append(f"GPUs enough for the weights ({server.model.name} does not fit on {_gpu_label(server)})")
    if output_tokens_mean is None:
        lacks.append("output tokens per request")
    return tuple(lacks)


def _assumptions(batch: int | None) -> tuple[Assumption, ...]:
    """List the defaults behind the times; ``batch`` only where it was used."""
    listed = [
        Assumption("prefill", f"{100 * _COMPUTE_EFFICIENCY:.0f} % of peak FLOPs"),
        Assumption("decode", f"{100 * _BANDWIDTH_EFFICIENCY:.0f} % of peak bandwidth"),
        Assumption("values", "bf16"),
    ]
    if batch is not None:
        listed.append(Assumption("decode batch", f"{batch}"))
    return tuple(listed)
