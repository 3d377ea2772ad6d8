"""A time to live over any block cache: what has not been used for longer does not count."""

from __future__ import annotations

from msgspec import structs

from radixlint.blocks.lru_blocks import LruBlocks
from radixlint.replay.hit_size import hit_size
from radixlint.replay.prefix_cache import Hit, PrefixCache
from radixlint.replay.use_times import UseTimes
from radixlint.traffic import CachePolicy, TokenRequest


class IdleLimit:
    """A ``PrefixCache`` that hits what ``cache`` hits, as far as each block was used within the last ``ttl_s`` seconds.

    A use is a prompt or output that holds the block. What is too old keeps its room in ``cache`` until that is needed: so a
    time to live never gives a request more than it had without, under any size limit.
    """

    def __init__(self, cache: PrefixCache, policy: CachePolicy, ttl_s: float) -> None:
        self._cache = cache
        self._policy = policy
        self._used = LruBlocks(policy.block_tokens, keeps_order=True)
        self._times = UseTimes(ttl_s)
        self._served = 0

    def match(self, request: TokenRequest) -> Hit:
        return self._fresh(request, self._cache.match(request))

    def serve(self, request: TokenRequest) -> Hit:
        hit = self._fresh(request, self._cache.serve(request))
        self._times.note(request.time_s, self._served)
        self._served += 1
        self._used.serve(structs.replace(request, tokens=request.tokens + request.output, length_tokens=None))
        return hit

    def _fresh(self, request: TokenRequest, hit: Hit) -> Hit:
        self._used.expire(self._times.stale_before(request.time_s, self._served))
        found_ids = self._used.match(request).blocks * (self._policy.block_tokens if request.id_tokens == 1 else 1)
        used = hit_size(request.prompt_tokens, found_ids, request.id_tokens, self._policy)
        return Hit(min(hit.tokens, used.tokens), min(hit.blocks, used.blocks))
