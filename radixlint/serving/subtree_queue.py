"""Depth first through the cache, the child with most waiting requests first: SGLang's ``dfs-weight``.

The engine matches every request in every pass. Requests whose match ends at one node stand together after a pass, and
stay there until a child is added to the node or the node is evicted; so one stamp serves the group, with equal result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from radixlint.radix import Lease, RadixTree
from radixlint.radix.node import Node
from radixlint.serving.waiting_queue import Waiting, WaitingQueue, countable_tokens
from radixlint.traffic import TokenRequest


class _Group:
    """Neighbours in the queue whose matches end at one node."""

    __slots__ = ("path", "requests")

    def __init__(self, path: Lease | None, requests: Iterable[TokenRequest]) -> None:
        self.path = path
        self.requests = deque(requests)


class SubtreeQueue(WaitingQueue):
    """``dfs-weight``: requests that end at a node come after its whole subtree, in their order."""

    def __init__(self, requests: Iterable[TokenRequest], cache: RadixTree, clock: Iterator[int]) -> None:
        super().__init__((), cache, clock)
        self._groups = deque([_Group(None, requests)])
        self._length = len(self._groups[0].requests)
        self._sorted_at = cache.age

    def sort(self) -> None:
        groups: dict[Node, _Group] = {}
        for group in self._groups:
            if group.path is not None and self._cache.stamp_unchanged(group.path, self._sorted_at, now=next(self._clock)):
                known = groups.setdefault(group.path.node, group)
                if known is not group:
                    known.requests.extend(group.requests)
                continue
            for request in group.requests:
                path = self._touch(request)
                if path.node not in groups:
                    groups[path.node] = _Group(path, ())
                groups[path.node].requests.append(request)
        order = by_subtree_weight({node: len(group.requests) for node, group in groups.items()}, self._cache.root)
        self._groups = deque(groups[node] for node in order)
        self._sorted_at = self._cache.age

    def entries(self) -> list[Waiting]:
        return [
            Waiting(request, countable_tokens(request, group.path) if group.path else 0)
            for group in self._groups
            for request in group.requests
        ]

    def pop(self) -> TokenRequest:
        first = self._groups[0]
        request = first.requests.popleft()
        if not first.requests:
            self._groups.popleft()
        self._length -= 1
        return request

    def __len__(self) -> int:
        return self._length


def by_subtree_weight(ending: Mapping[Node, int], root: Node) -> list[Node]:
    """Return the nodes of ``ending`` in the order the policy takes them; the values are requests that end there.

    A node comes after its whole subtree. Of siblings the one with most requests at or below it comes first, of equal
    ones the one inserted first. Nodes no request ends below are never visited.
    """
    weights, children = _weigh(ending)
    order: list[Node] = []
    stack = [(root, False)]
    while stack:
        node, is_subtree_done = stack.pop()
        if is_subtree_done:
            if node in ending:
                order.append(node)
            continue
        stack.append((node, True))
        heaviest_last = sorted(children.get(node, ()), key=lambda child: (weights[child], -child.rank))
        stack.extend((child, False) for child in heaviest_last)
    return order


def _weigh(ending: Mapping[Node, int]) -> tuple[dict[Node, int], dict[Node, list[Node]]]:
    """Return the waiting requests at or below each node, and each node's children that have any."""
    weights: dict[Node, int] = {}
    children: dict[Node, list[Node]] = {}
    for end, count in ending.items():
        node: Node | None = end
        while node is not None:
            if node not in weights:
                weights[node] = 0
                if node.parent is not None:
                    children.setdefault(node.parent, []).append(node)
            weights[node] += count
            node = node.parent
    return weights, children
