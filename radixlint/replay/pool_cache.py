"""vLLM's cache: a pool of blocks that gives up single blocks, the tail of a prompt first."""

from __future__ import annotations

from radixlint.blocks.block_pool import BlockPool
from radixlint.errors import ConfigError
from radixlint.replay.hit_size import block_ids, capacity_ids, hit_size, reach_ids
from radixlint.replay.prefix_cache import MISS, Hit
from radixlint.replay.request_rules import rules_for
from radixlint.traffic import TOKEN_BYTES, CachePolicy, TokenRequest


class PoolCache:
    """A ``PrefixCache`` with the rules of ``store`` block-pool.

    ``policy.kv_tokens`` are usable: blocks that hold them, the engine's null block left out. A request that does not fit
    into the empty pool is refused: it hits nothing and nothing is kept.

    Raises:
        ConfigError: the eviction is not lru, or the room holds no block.
    """

    def __init__(self, policy: CachePolicy, id_tokens: int = 1) -> None:
        if policy.eviction != "lru":
            raise ConfigError(f"blocks go by eviction lru, not {policy.eviction}")
        ids, room = block_ids(policy, id_tokens), capacity_ids(policy, id_tokens)
        if room is not None and room < ids:
            raise ConfigError(f"a cache of {policy.kv_tokens} tokens holds no block of {ids * id_tokens}")
        self._policy = policy
        self._block_ids = ids
        self.pool = BlockPool(ids * TOKEN_BYTES, None if room is None else room // ids)

    def match(self, request: TokenRequest) -> Hit:
        if not self.has_room(request):
            return MISS
        reach_bytes = reach_ids(request, self._policy) * TOKEN_BYTES
        return self._hit(request, self.pool.match(request.tokens, request.namespace, reach_bytes))

    def serve(self, request: TokenRequest) -> Hit:
        if not self.has_room(request):
            return MISS
        reach_bytes = reach_ids(request, self._policy) * TOKEN_BYTES
        found = self.pool.serve(request.tokens, request.output, request.namespace, reach_bytes)
        return self._hit(request, found)

    def has_room(self, request: TokenRequest) -> bool:
        """Whether prompt and output together fit into the empty pool."""
        return self.pool.has_room(len(request.tokens) + len(request.output))

    def _hit(self, request: TokenRequest, blocks: int) -> Hit:
        return hit_size(
            request.prompt_tokens, blocks * self._block_ids, request.id_tokens, rules_for(request.limits, self._policy)
        )
