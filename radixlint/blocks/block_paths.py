"""Blocks as paths of a tree, each block below those before it, with the number of the request that used it last.

Because a request refreshes its blocks tail first, the deeper of two blocks of one path is never the more recent. So the
blocks last used by one request are a stretch of its path, and order by recency is order by (request number, depth).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from radixlint.traffic import TOKEN_BYTES

NEVER: Final = -1


class PathNode:
    """A stretch of blocks that were last used by the same request, ``last_use``; ``children`` is None for a leaf."""

    __slots__ = ("children", "edge", "key", "last_use", "parent")

    def __init__(self, key: bytes, edge: bytes, parent: PathNode | None, last_use: int) -> None:
        self.key = key
        self.edge = edge
        self.parent = parent
        self.last_use = last_use
        self.children: dict[bytes, PathNode] | None = None


class Used(NamedTuple):
    """What ``BlockPaths.use`` found: pairs of last use and number of blocks, in path order, and the end of the path.

    Last uses fall strictly from one pair to the next.
    """

    runs: list[tuple[int, int]]
    end: PathNode


class BlockPaths:
    """The tree. Nodes part at block borders only.

    Args:
        block_ids: ids that make a block, >= 1: the block size for token ids, 1 for ids that stand for whole blocks.
    """

    __slots__ = ("_block_bytes", "_root", "block_count")

    def __init__(self, block_ids: int) -> None:
        self._block_bytes = block_ids * TOKEN_BYTES
        self._root = PathNode(b"", b"", None, NEVER)
        self.block_count = 0

    def use(self, ids: bytes, namespace: str, now: int) -> Used:
        """Make the whole blocks of ``ids`` the most recent, those that are missing too, and say what was there.

        ``now`` is the number of this request, higher than those before.
        """
        size = self._block_bytes
        end = len(ids) - len(ids) % size
        node, at, last = self._root, 0, NEVER
        runs: list[tuple[int, int]] = []
        key = _root_key(namespace, ids[:size])
        while at < end and node.children:
            child = node.children.get(key)
            if child is None:
                break
            edge = child.edge
            if not ids.startswith(edge, at, end):
                child = self._split(child, _shared_bytes(edge, ids, at, end) // size * size)
                edge = child.edge
            blocks = len(edge) // size
            if child.last_use == last:
                runs[-1] = (last, runs[-1][1] + blocks)
            else:
                last = child.last_use
                runs.append((last, blocks))
            child.last_use = now
            node = child
            at += len(edge)
            key = ids[at : at + size]
        return Used(runs, self._extend(node, key, ids[at:end], now) if at < end else node)

    def run_length(self, ids: bytes, namespace: str) -> int:
        """Return how many leading blocks of ``ids`` are there; changes nothing."""
        size = self._block_bytes
        end = len(ids) - len(ids) % size
        node, at = self._root, 0
        key = _root_key(namespace, ids[:size])
        while at < end and node.children:
            child = node.children.get(key)
            if child is None:
                break
            if not ids.startswith(child.edge, at, end):
                return at // size + _shared_bytes(child.edge, ids, at, end) // size
            node = child
            at += len(child.edge)
            key = ids[at : at + size]
        return at // size

    def drop_tail(self, leaf: PathNode, blocks: int) -> int:
        """Drop up to ``blocks`` >= 1 blocks from the end of ``leaf``, and the node with its last one.

        Returns:
            The number dropped.
        """
        size = self._block_bytes
        dropped = min(blocks, len(leaf.edge) // size)
        leaf.edge = leaf.edge[: len(leaf.edge) - dropped * size]
        if not leaf.edge and leaf.parent is not None:
            siblings = leaf.parent.children
            assert siblings is not None
            del siblings[leaf.key]
        self.block_count -= dropped
        return dropped

    def _split(self, lower: PathNode, at: int) -> PathNode:
        """Cut ``lower`` at byte ``at`` and return the new head; ``lower`` stays the deeper part."""
        assert lower.parent is not None
        assert lower.parent.children is not None
        head = PathNode(lower.key, lower.edge[:at], lower.parent, lower.last_use)
        lower.parent.children[head.key] = head
        lower.edge = lower.edge[at:]
        lower.key = lower.edge[: self._block_bytes]
        lower.parent = head
        head.children = {lower.key: lower}
        return head

    def _extend(self, node: PathNode, key: bytes, rest: bytes, now: int) -> PathNode:
        """Put ``rest`` below ``node``; a leaf grows, as it and ``rest`` were last used together: long chats stay one node."""
        self.block_count += len(rest) // self._block_bytes
        if not node.children and node is not self._root:
            node.edge += rest
            return node
        if node.children is None:
            node.children = {}
        leaf = PathNode(key, rest, node, now)
        node.children[key] = leaf
        return leaf


def _root_key(namespace: str, block: bytes) -> bytes:
    """File ``block`` under its namespace; blocks are of one length, so no two pairs share a key."""
    return namespace.encode("utf-8", "surrogatepass") + block if namespace else block


def _shared_bytes(edge: bytes, ids: bytes, at: int, end: int) -> int:
    count = min(len(edge), end - at) // TOKEN_BYTES
    differs = np.frombuffer(edge, np.uint32, count) != np.frombuffer(ids, np.uint32, count, at)
    first = int(differs.argmax())
    return (first if differs[first] else count) * TOKEN_BYTES
