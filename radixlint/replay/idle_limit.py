"""A time to live over any block cache: what has not been used for longer does not count."""

from __future__ import annotations

from math import inf

from msgspec import structs

from radixlint.blocks.lru_blocks import LruBlocks
from radixlint.replay.hit_size import hit_size
from radixlint.replay.prefix_cache import Hit, PrefixCache
from radixlint.replay.request_rules import rules_for
from radixlint.replay.use_times import UseTimes
from radixlint.traffic import CachePolicy, TokenRequest


class _Used:
    """The blocks of the requests that keep theirs for ``ttl_s`` seconds, None for ever."""

    def __init__(self, block_tokens: int, ttl_s: float | None) -> None:
        self._blocks = LruBlocks(block_tokens, keeps_order=True)
        self._times = UseTimes(inf if ttl_s is None else ttl_s)
        self._served = 0

    def fresh_blocks(self, request: TokenRequest) -> int:
        self._blocks.expire(self._times.stale_before(request.time_s, self._served))
        return self._blocks.match(request).blocks

    def note(self, request: TokenRequest) -> None:
        self._times.note(request.time_s, self._served)
        self._served += 1
        self._blocks.serve(structs.replace(request, tokens=request.tokens + request.output, length_tokens=None))


class IdleLimit:
    """A ``PrefixCache`` that hits what ``cache`` hits, as far as each block is kept since one of its uses.

    A use is a prompt or output that holds the block. It keeps the block for the policy's time to live, or for that of its
    request's own: few different ones, for each is followed by itself. What is too old keeps its room in ``cache`` until that
    is needed: so a time to live never gives a request more than it had without, under any size limit.
    """

    def __init__(self, cache: PrefixCache, policy: CachePolicy) -> None:
        self._cache = cache
        self._policy = policy
        self._used: dict[float | None, _Used] = {}

    def match(self, request: TokenRequest) -> Hit:
        return self._fresh(request, self._cache.match(request))

    def serve(self, request: TokenRequest) -> Hit:
        hit = self._fresh(request, self._cache.serve(request))
        ttl_s = rules_for(request.limits, self._policy).ttl_s
        if ttl_s not in self._used:
            self._used[ttl_s] = _Used(self._policy.block_tokens, ttl_s)
        self._used[ttl_s].note(request)
        return hit

    def _fresh(self, request: TokenRequest, hit: Hit) -> Hit:
        # Who uses a block uses all before it, so that the longest run within one time to live is the longest of all.
        blocks = max((used.fresh_blocks(request) for used in self._used.values()), default=0)
        found_ids = blocks * (self._policy.block_tokens if request.id_tokens == 1 else 1)
        used = hit_size(request.prompt_tokens, found_ids, request.id_tokens, rules_for(request.limits, self._policy))
        return Hit(min(hit.tokens, used.tokens), min(hit.blocks, used.blocks))
