"""SGLang's cache: a radix tree that gives up whole leaves."""

from __future__ import annotations

from itertools import count

from radixlint.errors import ConfigError
from radixlint.radix import RadixTree, eviction_order
from radixlint.replay.hit_size import block_ids, capacity_ids, hit_size, reach_ids
from radixlint.replay.prefix_cache import MISS, Hit
from radixlint.replay.request_rules import rules_for
from radixlint.replay.tree_run import has_room, run_alone
from radixlint.traffic import CachePolicy, TokenRequest


class TreeCache:
    """A ``PrefixCache`` with the rules of ``store`` tree.

    A request that does not fit into the empty cache is refused: it hits nothing and nothing is kept.

    Raises:
        ConfigError: the eviction is unknown, or the room holds no page.
    """

    def __init__(self, policy: CachePolicy, id_tokens: int = 1) -> None:
        page, room = block_ids(policy, id_tokens), capacity_ids(policy, id_tokens)
        if room is not None and room < page:
            raise ConfigError(f"a cache of {policy.kv_tokens} tokens holds no page of {page * id_tokens}")
        self._policy = policy
        self._chunk = None if policy.chunk_tokens is None else max(1, policy.chunk_tokens // id_tokens)
        self._tree = RadixTree(page, room, eviction_order(policy.eviction))
        self._clock = count(1)

    def match(self, request: TokenRequest) -> Hit:
        if not has_room(request, self._tree):
            return MISS
        reach = reach_ids(request, self._policy)
        return self._hit(request, self._tree.match(request.tokens, request.namespace, limit_tokens=reach))

    def serve(self, request: TokenRequest) -> Hit:
        if not has_room(request, self._tree):
            return MISS
        matched, _ = run_alone(request, self._tree, self._clock, reach_ids(request, self._policy), self._chunk)
        return self._hit(request, matched)

    def _hit(self, request: TokenRequest, matched: int) -> Hit:
        return hit_size(request.prompt_tokens, matched, request.id_tokens, rules_for(request.limits, self._policy))
