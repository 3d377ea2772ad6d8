"""A pool of blocks of fixed size with vLLM's order of reuse: free blocks keep their content until they are needed.

Source: vLLM 0.33.0 ``BlockPool`` and ``KVCacheManager`` (V1). A full block is known by its content and all before it. Blocks
of an ended request are freed tail first: those without a known content are reused first, the others in the order they
were freed; a hit takes a block out of the queue. A block computed again is a second copy under the same content.
"""

from __future__ import annotations

from collections import OrderedDict


class _Link:
    """A content and all before it: a place in the chain of blocks; ``copies`` are the blocks that hold it, oldest first."""

    __slots__ = ("copies", "key", "next", "parent")

    def __init__(self, key: bytes, parent: _Link | None) -> None:
        self.key = key
        self.parent = parent
        self.next: dict[bytes, _Link] = {}
        self.copies: list[_Block] = []


class _Block:
    """A block that holds a known content since its request ended at ``freed_s``."""

    __slots__ = ("freed_s", "link")

    def __init__(self, link: _Link) -> None:
        self.link = link
        self.freed_s: float | None = None


class BlockPool:
    """All blocks of a cache; sequences of ids are uint32 buffers, and namespaces never share.

    Requests run one at a time, so prefilling in pieces changes nothing here: nobody looks in between, and blocks are taken
    in the same order.

    Args:
        block_bytes: length of a full block.
        usable_blocks: how many there are, the engine's null block left out; None for no limit.
        ttl_s: a content unused for longer is gone; None for no limit.
    """

    def __init__(self, block_bytes: int, usable_blocks: int | None = None, ttl_s: float | None = None) -> None:
        self.evicted_blocks = 0
        self.stored_blocks = 0
        self._block_bytes = block_bytes
        self._usable_blocks = usable_blocks
        self._ttl_s = ttl_s
        self._root = _Link(b"", None)
        # Blocks without a known content are alike, and always ahead of all others: a number is enough.
        self._unknown_blocks = usable_blocks or 0
        self._known: OrderedDict[_Block, None] = OrderedDict()

    def has_room(self, sequence_bytes: int) -> bool:
        """Whether a sequence of that length fits into the empty pool; the engine refuses one that does not."""
        return self._usable_blocks is None or -(-sequence_bytes // self._block_bytes) <= self._usable_blocks

    def match(self, tokens: bytes, namespace: str, reach_bytes: int, now_s: float | None) -> int:
        """Return how many leading blocks of ``tokens[:reach_bytes]`` are there; changes nothing."""
        link, found, size = self._root, 0, self._block_bytes
        head = namespace.encode("utf-8", "surrogatepass")
        for end in range(size, reach_bytes + 1, size):
            following = link.next.get(head + tokens[end - size : end])
            if following is None or not any(self._is_fresh(block, now_s) for block in following.copies):
                break
            link, found, head = following, found + 1, b""
        return found

    def serve(self, tokens: bytes, output: bytes, namespace: str, reach_bytes: int, now_s: float | None) -> int:
        """Run a request that fits to its end, and return how many leading blocks were there, as ``match`` does."""
        head = namespace.encode("utf-8", "surrogatepass")
        held = self._take(head + tokens, len(head), reach_bytes, now_s)
        found = len(held)
        self._compute(head + tokens + output, len(head), held)
        for block in reversed(held):
            block.freed_s = now_s
            if self._usable_blocks is not None:
                self._known[block] = None
        return found

    def _take(self, tokens: bytes, at: int, reach_bytes: int, now_s: float | None) -> list[_Block]:
        """Return the leading blocks that are there, out of the queue; ``at`` bytes of namespace stand in front."""
        link, held, size, start = self._root, [], self._block_bytes, 0
        for end in range(at + size, at + reach_bytes + 1, size):
            following = link.next.get(tokens[start:end])
            if following is None:
                break
            block = self._first_fresh(following, now_s)
            if block is None:
                break
            self._known.pop(block, None)
            held.append(block)
            link, start = following, end
        return held

    def _compute(self, sequence: bytes, at: int, held: list[_Block]) -> None:
        """Fill blocks for the rest of ``sequence`` behind ``held``, and append the full ones to it."""
        size = self._block_bytes
        full = (len(sequence) - at) // size
        link = held[-1].link if held else self._root
        for number in range(len(held), full):
            self._make_room()
            start = at + number * size if number else 0
            key = sequence[start : at + (number + 1) * size]
            following = link.next.get(key)
            if following is None:
                following = link.next[key] = _Link(key, link)
            if self._usable_blocks is None and following.copies:
                held.append(following.copies[0])  # without a limit a second copy would change nothing
            else:
                held.append(_Block(following))
                following.copies.append(held[-1])
                self.stored_blocks += 1
            link = following
        if (len(sequence) - at) % size:
            self._make_room()
            self._unknown_blocks += 1  # the partly filled block goes back without a known content

    def _make_room(self) -> None:
        """Take the block at the front of the queue."""
        if self._usable_blocks is None:
            return
        if self._unknown_blocks:
            self._unknown_blocks -= 1
            return
        block, _ = self._known.popitem(last=False)
        self._forget(block)
        self.evicted_blocks += 1

    def _first_fresh(self, link: _Link, now_s: float | None) -> _Block | None:
        """Return the oldest copy that is not too old, and give up those that are."""
        while link.copies:
            block = link.copies[0]
            if self._is_fresh(block, now_s):
                return block
            if self._usable_blocks is not None:
                del self._known[block]
                self._unknown_blocks += 1
            self._forget(block)
        return None

    def _is_fresh(self, block: _Block, now_s: float | None) -> bool:
        return self._ttl_s is None or now_s is None or block.freed_s is None or now_s - block.freed_s <= self._ttl_s

    def _forget(self, block: _Block) -> None:
        """Let ``block`` hold no known content; places in the chain that nothing stands behind go with it."""
        link = block.link
        link.copies.remove(block)
        self.stored_blocks -= 1
        while link.parent is not None and not link.copies and not link.next:
            del link.parent.next[link.key]
            link = link.parent
