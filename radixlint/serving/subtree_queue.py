"""Depth first through the cache, the child with most waiting requests first: SGLang's ``dfs-weight``.

The engine matches every request in every pass. Requests whose match ends at one node stand together after a pass, and
each stays there until the node is evicted or given a child that the request goes on with. So one stamp serves the group,
and only requests that go on are matched again, with equal result.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from radixlint.radix import Lease, RadixTree
from radixlint.radix.node import Node
from radixlint.serving.waiting_queue import Waiting, WaitingQueue, countable_tokens
from radixlint.traffic import TokenRequest


class _Group:
    """Neighbours in the queue whose matches end at one node; ``path`` is None before the first pass."""

    __slots__ = ("_by_key", "_numbers", "path", "requests")

    def __init__(self, path: Lease | None) -> None:
        self.path = path
        self.requests: OrderedDict[int, TokenRequest] = OrderedDict()
        self._by_key: dict[bytes | None, list[int]] = {}
        self._numbers = count()

    def add(self, request: TokenRequest, key: bytes | None) -> None:
        """Put ``request`` last; ``key`` is what it would go on with."""
        number = next(self._numbers)
        self.requests[number] = request
        self._by_key.setdefault(key, []).append(number)

    def take(self, keys: Iterable[bytes]) -> list[TokenRequest]:
        """Take out the requests that go on with one of ``keys``, in their order."""
        numbers = sorted(number for key in keys for number in self._by_key.pop(key, ()) if number in self.requests)
        return [self.requests.pop(number) for number in numbers]


class SubtreeQueue(WaitingQueue):
    """``dfs-weight``: requests that end at a node come after its whole subtree, in their order."""

    def __init__(self, requests: Iterable[TokenRequest], cache: RadixTree, clock: Iterator[int]) -> None:
        super().__init__((), cache, clock)
        arrived = _Group(None)
        for request in requests:
            arrived.add(request, None)
        self._groups = deque([arrived])
        self._length = len(arrived.requests)
        self._sorted_at = cache.age

    def sort(self) -> None:
        groups: dict[Node, _Group] = {}
        for group in self._groups:
            for request in self._regroup(group, groups):
                self._join(request, self._touch(request), groups)
        counts = {node: len(group.requests) for node, group in groups.items() if group.requests}
        self._groups = deque(groups[node] for node in by_subtree_weight(counts, self._cache.root))
        self._sorted_at = self._cache.age

    def _regroup(self, group: _Group, groups: dict[Node, _Group]) -> list[TokenRequest]:
        """Put ``group`` into ``groups`` as far as it still stands, and return the requests that must be matched again."""
        path = group.path
        new_keys = None if path is None else self._cache.stamp(path, self._sorted_at, now=next(self._clock))
        if path is None or new_keys is None:
            return list(group.requests.values())
        leaving = group.take(new_keys)
        if groups.setdefault(path.node, group) is not group:
            for request in group.requests.values():
                self._join(request, path, groups)
        return leaving

    def _join(self, request: TokenRequest, path: Lease, groups: dict[Node, _Group]) -> None:
        if path.node not in groups:
            groups[path.node] = _Group(path)
        groups[path.node].add(request, self._cache.next_key(path, request.tokens, request.namespace))

    def entries(self) -> list[Waiting]:
        return [
            Waiting(request, countable_tokens(request, group.path) if group.path else 0)
            for group in self._groups
            for request in group.requests.values()
        ]

    def pop(self) -> TokenRequest:
        first = self._groups[0]
        _, request = first.requests.popitem(last=False)
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
    for end, requests in ending.items():
        node: Node | None = end
        while node is not None:
            if node not in weights:
                weights[node] = 0
                if node.parent is not None:
                    children.setdefault(node.parent, []).append(node)
            weights[node] += requests
            node = node.parent
    return weights, children
