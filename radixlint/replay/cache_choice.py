"""Which cache a policy asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from radixlint.errors import ConfigError
from radixlint.replay.entry_cache import EntryCache
from radixlint.replay.idle_limit import IdleLimit
from radixlint.replay.lru_cache import LruCache
from radixlint.replay.pool_cache import PoolCache
from radixlint.replay.prefix_cache import PrefixCache
from radixlint.replay.slot_cache import SlotCache
from radixlint.replay.tree_cache import TreeCache
from radixlint.replay.unit_cache import UnitCache
from radixlint.traffic import CachePolicy

_STORES: Final[dict[tuple[str, str], Callable[[CachePolicy, int], PrefixCache]]] = {
    ("block", "tree"): TreeCache,
    ("block", "block-pool"): PoolCache,
    ("block", "lru-blocks"): LruCache,
    ("block", "slots"): SlotCache,
    ("breakpoint", "entries"): lambda policy, _: EntryCache(policy),
    ("unit", "entries"): lambda policy, _: UnitCache(policy),
}


def open_cache(policy: CachePolicy, id_tokens: int = 1) -> PrefixCache:
    """Return an empty cache of one replica under ``policy`` for requests whose ids stand for ``id_tokens`` tokens each.

    Raises:
        ConfigError: there is no such cache, or its figures do not go together.
        DataError: a hosted cache is given a size.
    """
    if (policy.match, policy.store) not in _STORES:
        raise ConfigError(f"no cache that keeps {policy.store!r} and matches {policy.match!r}")
    cache = _STORES[policy.match, policy.store](policy, id_tokens)
    if policy.match == "block" and policy.ttl_s is not None:
        return IdleLimit(cache, policy)
    return cache


def is_plain(policy: CachePolicy) -> bool:
    """Whether ``policy`` hits whatever one unlimited token tree holds, in whole blocks: then no cache of its own is needed."""
    return (
        policy.match == "block"
        and policy.store in ("tree", "block-pool")
        and policy.kv_tokens is None
        and policy.ttl_s is None
        and policy.replicas == 1
        and policy.in_flight == 0
    )
