"""Which leaf is worth least: one small rule an order, each a number that never falls while the node lives.

Source: SGLang 0.5.23 ``--radix-eviction-policy`` (``evict_policy.py``): lru, lfu, slru and priority. A stamp is the time of
the last use; a use count is one an insert.
"""

from __future__ import annotations

from typing import Final, Protocol

from radixlint.errors import ConfigError
from radixlint.radix.node import Node

PROTECTED_FROM_USES: Final = 2
"""``slru`` gives up a node used this often only when no other is left."""


class EvictionOrder(Protocol):
    """An order of giving up leaves."""

    def worth(self, node: Node) -> tuple[int, int]:
        """Return what ``node`` is worth; the least goes first. A later answer for the same node is never lower."""


class LeastRecentlyUsed:
    """``lru``: the leaf unused for longest."""

    def worth(self, node: Node) -> tuple[int, int]:
        return 0, node.last_used


class LeastFrequentlyUsed:
    """``lfu``: the leaf used least often, of equal ones the one unused for longest."""

    def worth(self, node: Node) -> tuple[int, int]:
        return node.uses, node.last_used


class SegmentedLeastRecentlyUsed:
    """``slru``: leaves used once before those used again, within each the one unused for longest."""

    def worth(self, node: Node) -> tuple[int, int]:
        return int(node.uses >= PROTECTED_FROM_USES), node.last_used


class LowestPriority:
    """``priority``: the leaf whose requests had the lowest priority, of equal ones the one unused for longest."""

    def worth(self, node: Node) -> tuple[int, int]:
        return node.priority, node.last_used


_ORDERS: Final[dict[str, EvictionOrder]] = {
    "lru": LeastRecentlyUsed(),
    "lfu": LeastFrequentlyUsed(),
    "slru": SegmentedLeastRecentlyUsed(),
    "priority": LowestPriority(),
}
EVICTIONS: Final = tuple(_ORDERS)


def eviction_order(name: str) -> EvictionOrder:
    """Return the order called ``name`` (one of ``EVICTIONS``).

    Raises:
        ConfigError: there is none.
    """
    if name not in _ORDERS:
        raise ConfigError(f"unknown eviction {name!r}", hint=f"choose from {', '.join(EVICTIONS)}")
    return _ORDERS[name]
