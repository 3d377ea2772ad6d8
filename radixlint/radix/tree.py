"""A radix tree of token sequences with the match, insert, lock and eviction rules of SGLang's cache.

Source: SGLang 0.5.23 ``UnifiedRadixCache`` / ``RadixCache`` semantics: matches are rounded down to a page at every
node; a match that ends inside a node splits it, which also refreshes the rest of that node; whole unlocked leaves go, in
the order given.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from radixlint.radix.eviction_order import EvictionOrder, LeastRecentlyUsed
from radixlint.radix.leaf_queue import LeafQueue
from radixlint.radix.node import Node, raise_priority, shared_bytes
from radixlint.radix.tree_values import Inserted, Lease, NodeView
from radixlint.traffic import TOKEN_BYTES


class RadixTree:
    """All stored sequences, prefixes shared; namespaces never share.

    Args:
        page_tokens: unit of reuse and of storage, >= 1; longer sequences are cut down to whole pages.
        capacity_tokens: room in tokens, cut down to whole pages; None for no limit.
        order: which leaf goes first, the least recently used by default.

    Raises:
        ValueError: a size is not positive, or the room is smaller than one page.
    """

    __slots__ = ("_next_rank", "_page_bytes", "_queue", "_root", "capacity_tokens", "node_count", "page_tokens", "stored_tokens")

    def __init__(self, page_tokens: int = 1, capacity_tokens: int | None = None, order: EvictionOrder | None = None) -> None:
        if page_tokens < 1 or (capacity_tokens is not None and capacity_tokens < page_tokens):
            raise ValueError(f"no tree with pages of {page_tokens} tokens and room for {capacity_tokens}")
        self.page_tokens = page_tokens
        self.capacity_tokens = None if capacity_tokens is None else capacity_tokens // page_tokens * page_tokens
        self.stored_tokens = 0
        self.node_count = 0
        self._page_bytes = page_tokens * TOKEN_BYTES
        self._root = Node(b"", b"", None, 0, 0, 0)
        self._queue = LeafQueue(order or LeastRecentlyUsed())
        self._next_rank = 1

    @property
    def root(self) -> Node:
        """The empty node above all others; read it, do not change it."""
        return self._root

    @property
    def age(self) -> int:
        """A number that rises with every node made."""
        return self._next_rank

    @property
    def free_tokens(self) -> int | None:
        """Room left in tokens, None without a limit."""
        return None if self.capacity_tokens is None else self.capacity_tokens - self.stored_tokens

    def match(self, tokens: bytes, namespace: str = "", *, limit_tokens: int | None = None) -> int:
        """Return how many leading tokens are stored, in whole pages and at most ``limit_tokens``; changes nothing."""
        _, at, _, common = self._descend(tokens, self._cut(tokens, limit_tokens), namespace)
        return (at + common) // TOKEN_BYTES

    def insert(
        self,
        tokens: bytes,
        *,
        now: int,
        namespace: str = "",
        owner: int = 0,
        priority: int | None = None,
        is_counted: bool = True,
    ) -> Inserted:
        """Store the whole pages of ``tokens``, stamp the path with ``now`` and say what was there already.

        The path's nodes take ``priority`` where theirs is lower, and count a use unless ``is_counted`` is False.

        Raises:
            ValueError: there is no room (``evict`` first).
        """
        end = self._cut(tokens, None)
        node, at, child, common = self._descend(tokens, end, namespace)
        new_tokens = (end - at - common) // TOKEN_BYTES
        if self.capacity_tokens is not None and self.stored_tokens + new_tokens > self.capacity_tokens:
            raise ValueError(f"no room for {new_tokens} tokens beside {self.stored_tokens} of {self.capacity_tokens}")
        partner = child.owner if child is not None else node.owner if at else None
        if child is not None:
            node = self._split(child, common, now)
            at += common
        if at < end:
            node = self._attach(node, tokens[at:end], namespace, now, owner, priority or 0)
        node.last_used = now
        above: Node | None = node if is_counted else None
        while above is not None:
            above.uses += 1
            above = above.parent
        if priority is not None:
            raise_priority(node, priority)
        return Inserted(end // TOKEN_BYTES - new_tokens, partner)

    def touch(self, tokens: bytes, *, now: int, namespace: str = "", limit_tokens: int | None = None) -> Lease:
        """Match as the engine does: stamp the path with ``now`` and split the last node where the match ends in it.

        The result names the path but holds no lock: do not release it.
        """
        node, at, child, common = self._descend(tokens, self._cut(tokens, limit_tokens), namespace)
        if child is not None:
            node = self._split(child, common, now)
            at += common
        node.last_used = now
        return Lease(node, at // TOKEN_BYTES)

    def stamp(self, path: Lease, age: int, *, now: int) -> list[bytes] | None:
        """Stamp ``path``, matched when the tree had ``age``, with ``now``, and say what may go on further since.

        Returns:
            The keys (``next_key``) of the children its node was given since: a sequence that ended there and does not go
            on with one of them ends there still. None, and nothing is stamped, if the node is gone: match again.
        """
        node = path.node
        if node.parent is None and node is not self._root:
            return None
        node.last_used = now
        # The youngest child stands last: a split leaves its head in the place, and with the rank, of the whole.
        youngest_first = reversed((node.children or {}).values())
        return [child.key for child in takewhile(lambda child: child.rank >= age, youngest_first)]

    def next_key(self, path: Lease, tokens: bytes, namespace: str = "") -> bytes | None:
        """Return what a child of the end of ``path`` would be filed under if ``tokens`` went on there, None at their end."""
        at = path.matched_tokens * TOKEN_BYTES
        page = tokens[at : at + self._page_bytes]
        if len(page) < self._page_bytes:
            return None
        return _root_key(namespace, page) if path.node is self._root else page

    def admit(self, tokens: bytes, *, now: int, namespace: str = "", limit_tokens: int | None = None) -> Lease:
        """``touch``, then lock the path: nothing on it is evicted until ``release``."""
        lease = self.touch(tokens, now=now, namespace=namespace, limit_tokens=limit_tokens)
        above: Node | None = lease.node
        while above is not None:
            above.locks += 1
            above = above.parent
        return lease

    def release(self, lease: Lease) -> None:
        """Unlock the path of ``lease``.

        Raises:
            ValueError: it was not locked, or was released before.
        """
        if lease.node.locks < 1:
            raise ValueError("released a path that is not locked")
        above: Node | None = lease.node
        while above is not None:
            above.locks -= 1
            above = above.parent
        self._offer(lease.node)

    def evict(self, need_tokens: int, *, held_tokens: int = 0) -> int:
        """Drop unlocked leaves, whole, in the tree's order until ``need_tokens`` are free or none is left.

        ``held_tokens`` is room taken outside the tree. A parent that becomes a leaf may go next.

        Returns:
            The tokens dropped; 0 without a capacity.
        """
        if self.capacity_tokens is None:
            return 0
        before = self.stored_tokens
        while self.capacity_tokens - self.stored_tokens - held_tokens < need_tokens:
            leaf = self._queue.pop()
            if leaf is None:
                break
            self._remove(leaf)
        return before - self.stored_tokens

    def walk(self) -> Iterator[NodeView]:
        """Yield every node, parents first, siblings in the order they were inserted."""
        pending: list[tuple[Node, int, int | None, str]] = [(self._root, 0, None, "")]
        while pending:
            node, depth, parent_id, namespace = pending.pop()
            children = list((node.children or {}).values())
            if node is self._root:
                pending.extend((child, 0, None, self._namespace(child)) for child in reversed(children))
                continue
            yield NodeView(node.rank, parent_id, namespace, depth, node.tokens, node.uses, node.owner, len(children))
            pending.extend((child, depth + node.tokens, node.rank, namespace) for child in reversed(children))

    def _cut(self, tokens: bytes, limit_tokens: int | None) -> int:
        size = len(tokens) if limit_tokens is None else min(len(tokens), max(0, limit_tokens) * TOKEN_BYTES)
        return size - size % self._page_bytes

    def _descend(self, tokens: bytes, end: int, namespace: str) -> tuple[Node, int, Node | None, int]:
        """Return the deepest node matched whole, its end in bytes, and the child matched in part with the bytes shared."""
        node = self._root
        page = self._page_bytes
        at = 0
        key = _root_key(namespace, tokens[:page])
        while at < end and node.children:
            child = node.children.get(key)
            if child is None:
                break
            edge = child.edge
            if not tokens.startswith(edge, at, end):
                shared = shared_bytes(edge, tokens, at, end)
                return node, at, child, shared - shared % page
            node = child
            at += len(edge)
            key = tokens[at : at + page]
        return node, at, None, 0

    def _attach(self, parent: Node, edge: bytes, namespace: str, now: int, owner: int, priority: int) -> Node:
        key = edge[: self._page_bytes]
        if parent is self._root:
            key = _root_key(namespace, key)
        leaf = Node(key, edge, parent, self._rank(), now, owner)
        leaf.priority = priority
        if parent.children is None:
            parent.children = {}
        parent.children[key] = leaf
        self.stored_tokens += leaf.tokens
        self.node_count += 1
        self._offer(leaf)
        return leaf

    def _split(self, lower: Node, at: int, now: int) -> Node:
        """Cut ``lower`` at byte ``at`` and return the new head; ``lower`` stays the deeper part, so leases stay right."""
        assert lower.parent is not None
        assert lower.parent.children is not None
        head = Node(lower.key, lower.edge[:at], lower.parent, lower.rank, now, lower.owner)
        head.locks = lower.locks
        head.uses = lower.uses
        head.priority = lower.priority
        # Assigning to an existing key keeps the child's place among its siblings.
        lower.parent.children[head.key] = head
        lower.edge = lower.edge[at:]
        lower.key = lower.edge[: self._page_bytes]
        lower.parent = head
        lower.rank = self._rank()
        lower.last_used = now
        head.children = {lower.key: lower}
        self.node_count += 1
        return head

    def _remove(self, leaf: Node) -> None:
        parent = leaf.parent
        assert parent is not None
        assert parent.children is not None
        del parent.children[leaf.key]
        leaf.parent = None
        self.stored_tokens -= leaf.tokens
        self.node_count -= 1
        # A use stamps only the node where it ends; nodes above are as fresh as the freshest below, and learn it here.
        parent.last_used = max(parent.last_used, leaf.last_used)
        if not parent.children:
            parent.children = None
            self._offer(parent)

    def _offer(self, node: Node) -> None:
        if self.capacity_tokens is not None and node is not self._root:
            self._queue.offer(node)

    def _rank(self) -> int:
        rank = self._next_rank
        self._next_rank += 1
        return rank

    def _namespace(self, child_of_root: Node) -> str:
        return child_of_root.key[: -self._page_bytes].decode("utf-8", "surrogatepass")


def _root_key(namespace: str, page: bytes) -> bytes:
    """File ``page`` under its namespace; pages are of one length, so no two pairs share a key."""
    return namespace.encode("utf-8", "surrogatepass") + page if namespace else page
