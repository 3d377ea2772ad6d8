"""SGLang's cache: a radix tree that gives up whole leaves."""

from __future__ import annotations

from itertools import count

from radixlint.errors import ConfigError
from radixlint.radix import RadixTree, eviction_order
from radixlint.replay.hit_size import block_ids, capacity_ids, hit_size, reach_ids
from radixlint.replay.prefix_cache import MISS, Hit
from radixlint.replay.tree_run import has_room, run_alone
from radixlint.replay.use_times import UseTimes
from radixlint.traffic import CachePolicy, TokenRequest


class TreeCache:
    """A ``PrefixCache`` with the rules of ``store`` tree.

    A request that does not fit into the empty cache is refused: it hits nothing and nothing is kept. Entries unused for
    longer than ``policy.ttl_s`` are gone, a split part being as fresh as the whole.

    Raises:
        ConfigError: the eviction is unknown, cannot go with a time to live, or the room holds no page.
    """

    def __init__(self, policy: CachePolicy, id_tokens: int = 1) -> None:
        if policy.ttl_s is not None and policy.eviction != "lru":
            raise ConfigError(f"a time to live goes with eviction lru, not {policy.eviction}")
        page, room = block_ids(policy, id_tokens), capacity_ids(policy, id_tokens)
        if room is not None and room < page:
            raise ConfigError(f"a cache of {policy.kv_tokens} tokens holds no page of {page * id_tokens}")
        self._policy = policy
        self._chunk = None if policy.chunk_tokens is None else max(1, policy.chunk_tokens // id_tokens)
        self._times = None if policy.ttl_s is None else UseTimes(policy.ttl_s)
        self._tree = RadixTree(page, room, eviction_order(policy.eviction), keeps_queue=policy.ttl_s is not None)
        self._clock = count(1)

    def match(self, request: TokenRequest) -> Hit:
        if not has_room(request, self._tree):
            return MISS
        self._expire(request)
        reach = reach_ids(request, self._policy)
        return self._hit(request, self._tree.match(request.tokens, request.namespace, limit_tokens=reach))

    def serve(self, request: TokenRequest) -> Hit:
        if not has_room(request, self._tree):
            return MISS
        self._expire(request)
        if self._times is not None:
            self._times.note(request.time_s, next(self._clock))
        matched, _ = run_alone(request, self._tree, self._clock, reach_ids(request, self._policy), self._chunk)
        return self._hit(request, matched)

    def _expire(self, request: TokenRequest) -> None:
        if self._times is not None:
            self._tree.expire(self._times.stale_before(request.time_s, next(self._clock)))

    def _hit(self, request: TokenRequest, matched: int) -> Hit:
        return hit_size(request.prompt_tokens, matched, request.id_tokens, self._policy)
