"""Which leaf goes next: the unlocked one worth least, found without touching the queue on every use."""

from __future__ import annotations

from heapq import heappop, heappush

from radixlint.radix.eviction_order import EvictionOrder
from radixlint.radix.node import Node


class LeafQueue:
    """A heap that may hold stale entries: a node's worth only grows, so a stale one is corrected when it comes up."""

    __slots__ = ("_heap", "_order")

    def __init__(self, order: EvictionOrder) -> None:
        self._heap: list[tuple[tuple[int, int], int, Node]] = []
        self._order = order

    def offer(self, node: Node) -> None:
        """Queue ``node`` if it could be evicted; nodes that lock or grow children are dropped when they come up."""
        if not node.is_queued and not node.locks and not node.children:
            node.is_queued = True
            heappush(self._heap, (self._order.worth(node), node.rank, node))

    def pop(self) -> Node | None:
        """Take out and return the unlocked leaf worth least (the older node if equal), or None."""
        while self._heap:
            worth, rank, node = heappop(self._heap)
            node.is_queued = False
            if node.locks or node.children:
                continue
            if (worth, rank) == (self._order.worth(node), node.rank):
                return node
            self.offer(node)
        return None
