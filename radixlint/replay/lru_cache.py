"""Plain LRU per block as a prefix cache: the size limit and the minimum of a policy."""

from __future__ import annotations

from radixlint.blocks.lru_blocks import BlocksHit, LruBlocks
from radixlint.errors import ConfigError
from radixlint.replay.hit_size import capacity_ids
from radixlint.replay.prefix_cache import MISS, Hit
from radixlint.replay.request_rules import rules_for
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
        self._policy = policy
        self._blocks = LruBlocks(policy.block_tokens, None if room is None else room // ids)

    def match(self, request: TokenRequest) -> Hit:
        return self._hit(request, self._blocks.match(request))

    def serve(self, request: TokenRequest) -> Hit:
        return self._hit(request, self._blocks.serve(request))

    def _hit(self, request: TokenRequest, found: BlocksHit) -> Hit:
        return MISS if found.tokens < rules_for(request.limits, self._policy).min_tokens else Hit(found.tokens, found.blocks)
