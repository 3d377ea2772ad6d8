"""One request at a time through vLLM's block pool: all wait from the start and are served as they came.

Source: vLLM 0.33.0 V1 scheduler, policy fcfs, which does not look into the cache for its order. Time, batches and routing
are not modelled.
"""

from __future__ import annotations

from collections.abc import Iterable

from radixlint.replay.pool_cache import PoolCache
from radixlint.serving.serial import SerialRun, Served
from radixlint.traffic import TOKEN_BYTES, CachePolicy, TokenRequest


def serve_blocks_serially(requests: Iterable[TokenRequest], *, block_tokens: int = 16, kv_tokens: int | None = None) -> SerialRun:
    """Serve ``requests`` through usable blocks for ``kv_tokens``; None for so many that none is ever used again.

    Second copies of a block count in ``stored_tokens``, as they take room.

    Raises:
        ConfigError: the room holds no block.
    """
    everyone = tuple(requests)
    if kv_tokens is None:
        kv_tokens = sum(len(r.tokens) + len(r.output) for r in everyone) // TOKEN_BYTES + block_tokens * (len(everyone) + 1)
    cache = PoolCache(CachePolicy("vllm", block_tokens, store="block-pool", kv_tokens=kv_tokens))
    served = []
    position = 0
    for request in everyone:
        if cache.has_room(request):
            served.append(Served(request, position, cache.serve(request).tokens))
            position += 1
        else:
            served.append(Served(request, None, 0))
    return SerialRun(tuple(served), cache.pool.evicted_blocks * block_tokens, cache.pool.idle_blocks * block_tokens)
