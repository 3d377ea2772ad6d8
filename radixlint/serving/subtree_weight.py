"""Depth first through the cache, the child with most waiting requests first: SGLang's ``dfs-weight``."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.radix.node import Node


def by_subtree_weight(ends: Sequence[Node], root: Node) -> list[int]:
    """Return the places of the requests whose matches end at ``ends``, in the order the policy tries them.

    Requests that end at a node come after its whole subtree; children with equally many waiting requests are taken in
    the order they were inserted. Nodes no request ends below are never visited.
    """
    ending: dict[Node, list[int]] = {}
    for place, node in enumerate(ends):
        ending.setdefault(node, []).append(place)
    weights, children = _weigh(ending)
    order: list[int] = []
    stack = [(root, False)]
    while stack:
        node, is_subtree_done = stack.pop()
        if is_subtree_done:
            order.extend(ending.get(node, ()))
            continue
        stack.append((node, True))
        heaviest_last = sorted(children.get(node, ()), key=lambda child: (weights[child], -child.rank))
        stack.extend((child, False) for child in heaviest_last)
    return order


def _weigh(ending: dict[Node, list[int]]) -> tuple[dict[Node, int], dict[Node, list[Node]]]:
    """Return the waiting requests at or below each node, and each node's children that have any."""
    weights: dict[Node, int] = {}
    children: dict[Node, list[Node]] = {}
    for end, places in ending.items():
        node: Node | None = end
        while node is not None:
            if node not in weights:
                weights[node] = 0
                if node.parent is not None:
                    children.setdefault(node.parent, []).append(node)
            weights[node] += len(places)
            node = node.parent
    return weights, children
