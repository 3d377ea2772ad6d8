"""What reuse is worth in memory, time and throughput; every figure with its evidence and the workload it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from radixlint.result.evidence import Evidence


@dataclass(frozen=True, slots=True)
class PrefixMemory:
    """KV-cache memory of one prefix of ``tokens`` tokens.

    ``bytes`` counts the tokens, ``block_bytes`` the ``blocks`` whole blocks of ``block_tokens`` that hold them (the last one
    may be partly empty). With ``sequences`` requests in memory, ``unshared_bytes`` is what they hold without reuse and
    ``saved_bytes`` what one shared copy saves; all three count tokens. ``unshared_block_bytes`` and ``shared_block_bytes``
    count the whole blocks they hold without and with reuse: full blocks are shared, one that is not full never is.
    ``gpu_rate`` is ``bytes`` (one copy) / GPU memory, None if no GPU was named.
    """

    model: str
    dtype: str
    tokens: int
    block_tokens: int
    bytes_per_token: int
    bytes: int
    blocks: int
    block_bytes: int
    sequences: int | None
    unshared_bytes: int | None
    saved_bytes: int | None
    unshared_block_bytes: int | None
    shared_block_bytes: int | None
    gpu: str | None
    gpu_memory_bytes: int | None
    gpu_rate: float | None
    source: str
    checked: str


@dataclass(frozen=True, slots=True)
class Assumption:
    """A default that stands behind an estimate."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the matched tokens of one log are worth for one model on one GPU.

    ``workload`` names what the figures belong to and must be printed beside them. ``saved_rate`` is prefill FLOPs of the
    matched positions / prefill FLOPs of all positions; ``prefill_share_rate`` is prefill / (prefill + decode) time at equal
    batch without reuse; ``speedup`` compares the server with reuse to the same server without any. Times are means per
    request on an idle server. Any of them is None when ``missing`` says what it lacks. ``match_evidence`` is how the matched
    tokens were counted; ``evidence`` is the class of all figures that are not counts.
    """

    workload: str
    model: str | None
    gpu: str | None
    requests: int
    prompt_tokens_mean: float
    output_tokens_mean: float | None
    hit_rate: float
    match_evidence: Evidence
    saved_rate: float | None
    prefill_share_rate: float | None
    speedup: float | None
    ttft_without_s: float | None
    ttft_with_s: float | None
    evidence: Evidence
    assumptions: tuple[Assumption, ...]
    missing: tuple[str, ...]
