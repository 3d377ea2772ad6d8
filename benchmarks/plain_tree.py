"""The plain radix tree that ours is measured against: lists of numbers, compared one by one in one loop."""

from __future__ import annotations


class PlainNode:
    """A node of the plain tree."""

    __slots__ = ("children", "ids")

    def __init__(self, ids: list[int]) -> None:
        self.ids = ids
        self.children: dict[int, PlainNode] = {}


class PlainTree:
    """A radix tree as engines published it for years."""

    def __init__(self) -> None:
        self.root = PlainNode([])

    def insert(self, ids: list[int]) -> int:
        """Store ``ids`` and return how many leading ones were there."""
        node, at = self.root, 0
        while at < len(ids) and ids[at] in node.children:
            child = node.children[ids[at]]
            shared = 0
            for known, asked in zip(child.ids, ids[at:], strict=False):
                if known != asked:
                    break
                shared += 1
            at += shared
            if shared < len(child.ids):
                head = PlainNode(child.ids[:shared])
                child.ids = child.ids[shared:]
                head.children[child.ids[0]] = child
                node.children[head.ids[0]] = head
                node = head
                break
            node = child
        if at < len(ids):
            node.children[ids[at]] = PlainNode(ids[at:])
        return at
