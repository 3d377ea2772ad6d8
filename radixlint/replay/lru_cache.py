"""Plain LRU per block as a prefix cache: size limits, time to live and the minimum of a policy."""

from __future__ import annotations

from radixlint.blocks.lru_blocks import BlocksHit, LruBlocks
from radixlint.errors import ConfigError
from radixlint.replay.hit_size import capacity_ids
from radixlint.replay.prefix_cache import MISS, Hit
from radixlint.replay.use_times import UseTimes
from radixlint.traffic import CachePolicy, TokenRequest


class LruCache:
    """A ``PrefixCache`` with the rules of ``store`` lru-blocks: prompts are kept, outputs are not.

    Raises:
        ConfigError: the eviction is not lru, or the room holds no block.
    """

    def __init__(self, policy: CachePolicy, id_tokens: int = 1) -> None:
        if policy.eviction != "lru":
            raise ConfigError(f"blocks go by eviction lru, not {policy.eviction}")
        room, ids = capacity_ids(policy, id_tokens), policy.block_tokens if id_tokens == 1 else 1
        if room is not None and room < ids:
            raise ConfigError(f"a cache of {policy.kv_tokens} tokens holds no block of {ids * id_tokens}")
        self._min_tokens = policy.min_tokens
        self._blocks = LruBlocks(policy.block_tokens, None if room is None else room // ids, keeps_order=policy.ttl_s is not None)
        self._times = None if policy.ttl_s is None else UseTimes(policy.ttl_s)
        self._served = 0

    def match(self, request: TokenRequest) -> Hit:
        self._expire(request)
        return self._hit(self._blocks.match(request))

    def serve(self, request: TokenRequest) -> Hit:
        self._expire(request)
        if self._times is not None:
            self._times.note(request.time_s, self._served)
        self._served += 1
        return self._hit(self._blocks.serve(request))

    def _expire(self, request: TokenRequest) -> None:
        if self._times is not None:
            self._blocks.expire(self._times.stale_before(request.time_s, self._served))

    def _hit(self, found: BlocksHit) -> Hit:
        return MISS if found.tokens < self._min_tokens else Hit(found.tokens, found.blocks)
