"""KV-cache memory of a prefix: tokens x bytes a token, and whole blocks."""

from __future__ import annotations

from radixlint.hardware import Gpu, Model
from radixlint.result.estimate import PrefixMemory


def prefix_memory(
    model: Model,
    tokens: int,
    *,
    block_tokens: int = 16,
    sequences: int | None = None,
    dtype: str = "bf16",
    gpu: Gpu | None = None,
) -> PrefixMemory:
    """Return what a prefix of ``tokens`` (>= 0) tokens of ``model`` takes in the KV cache.

    A block holds ``block_tokens``, at least 1; the last block counts as a whole one. ``sequences`` is how many requests hold
    the prefix at once, None leaves the comparison out. ``dtype`` is ``bf16``, ``fp16`` or ``fp8``; ``gpu`` is what the size
    is compared with.
    """
    per_token = model.kv_bytes_per_token(dtype)
    size = tokens * per_token
    full_blocks, blocks, block_bytes = tokens // block_tokens, -(-tokens // block_tokens), block_tokens * per_token
    return PrefixMemory(
        model=model.name,
        dtype=dtype,
        tokens=tokens,
        block_tokens=block_tokens,
        bytes_per_token=per_token,
        bytes=size,
        blocks=blocks,
        block_bytes=blocks * block_bytes,
        sequences=sequences,
        unshared_bytes=_times(sequences, size),
        saved_bytes=None if sequences is None else (sequences - 1) * size,
        unshared_block_bytes=_times(sequences, blocks * block_bytes),
        shared_block_bytes=_times(sequences, (blocks - full_blocks) * block_bytes, once=full_blocks * block_bytes),
        gpu=gpu.name if gpu else None,
        gpu_memory_bytes=gpu.memory_bytes if gpu else None,
        gpu_rate=size / gpu.memory_bytes if gpu else None,
        source=model.source,
        checked=model.checked,
    )


def _times(sequences: int | None, size_bytes: int, once: int = 0) -> int | None:
    return None if sequences is None else once + sequences * size_bytes
