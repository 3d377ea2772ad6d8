"""One node of the tree, and how far a sequence runs along an edge."""

from __future__ import annotations

import numpy as np

from radixlint.traffic import TOKEN_BYTES


class Node:
    """A stretch of tokens below its parent, stored once for all sequences that share it.

    ``key`` is what the parent files it under (its first page, with the namespace in front below the root); ``children``
    is None for a leaf. ``rank`` orders siblings by insertion: the head of a split node keeps it. ``last_used`` is the
    caller's clock when a use last ended here; a node above is as fresh as the freshest below it. ``locks`` counts
    running requests on the path, ``uses`` the inserts that passed, ``owner`` who brought the edge; ``priority`` is the
    highest of the requests that stored it. ``is_queued`` says that the eviction queue holds an entry for it.
    """

    __slots__ = ("children", "edge", "is_queued", "key", "last_used", "locks", "owner", "parent", "priority", "rank", "uses")

    def __init__(self, key: bytes, edge: bytes, parent: Node | None, rank: int, last_used: int, owner: int) -> None:
        self.key = key
        self.edge = edge
        self.parent = parent
        self.rank = rank
        self.last_used = last_used
        self.owner = owner
        self.children: dict[bytes, Node] | None = None
        self.locks = 0
        self.uses = 0
        self.priority = 0
        self.is_queued = False

    @property
    def tokens(self) -> int:
        """Length of the edge in tokens."""
        return len(self.edge) // TOKEN_BYTES


def shared_bytes(edge: bytes, tokens: bytes, start: int, end: int) -> int:
    """Return how many bytes (whole tokens) of ``tokens[start:end]`` stand at the beginning of ``edge``."""
    count = min(len(edge), end - start) // TOKEN_BYTES
    differs = np.frombuffer(edge, np.uint32, count) != np.frombuffer(tokens, np.uint32, count, start)
    first = int(differs.argmax()) if count else 0
    return (first if count and differs[first] else count) * TOKEN_BYTES


def raise_priority(node: Node, priority: int) -> None:
    """Give ``priority`` to the nodes from the root to ``node`` where theirs is lower."""
    above: Node | None = node
    while above is not None:
        above.priority = max(above.priority, priority)
        above = above.parent
