"""Which leaf goes next: the unlocked one unused for longest, found without touching the queue on every use."""

from __future__ import annotations

from heapq import heappop, heappush

from radixlint.radix.node import Node


class LeafQueue:
    """A heap that may hold stale entries: a node's stamp only grows, so a stale one is corrected when it comes up."""

    __slots__ = ("_heap",)

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Node]] = []

    def offer(self, node: Node) -> None:
        """Queue ``node`` if it could be evicted; nodes that lock or grow children are dropped when they come up."""
        if not node.is_queued and not node.locks and not node.children:
            node.is_queued = True
            heappush(self._heap, (node.last_used, node.rank, node))

    def pop(self) -> Node | None:
        """Take out and return the unlocked leaf with the oldest stamp (the older node if stamps are equal), or None."""
        while self._heap:
            stamp, rank, node = heappop(self._heap)
            node.is_queued = False
            if node.locks or node.children:
                continue
            if (stamp, rank) == (node.last_used, node.rank):
                return node
            self.offer(node)
        return None
