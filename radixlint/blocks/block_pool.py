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
    """A block with a known content."""

    __slots__ = ("link",)

    def __init__(self, link: _Link) -> None:
        self.link = link


class BlockPool:
    """All blocks of a cache; sequences of ids are uint32 buffers, and namespaces never share.

    Requests run one at a time, so prefilling in pieces changes nothing here: nobody looks in between, and blocks are taken
    in the same order.

    Args:
        block_bytes: length of a full block.
        usable_blocks: how many there are, the engine's null block left out; None for no limit.
    """

    def __init__(self, block_bytes: int, usable_blocks: int | None = None) -> None:
        self.evicted_blocks = 0
        self._block_bytes = block_bytes
        self._usable_blocks = usable_blocks
        self._root = _Link(b"", None)
        # Blocks without a known content are alike, and always ahead of all others: a number is enough.
        self._unknown_blocks = usable_blocks or 0
        self._known: OrderedDict[_Block, None] = OrderedDict()

    @property
    def idle_blocks(self) -> int:
        """Blocks that wait with a known content, second copies among them; 0 without a limit, when none needs to wait."""
        return len(self._known)

    def has_room(self, sequence_bytes: int) -> bool:
        """Whether a sequence of that length fits into the empty pool; the engine refuses one that does not."""
        return self._usable_blocks is None or -(-sequence_bytes // self._block_bytes) <= self._usable_blocks

    def match(self, tokens: bytes, namespace: str, reach_bytes: int) -> int:
        """Return how many leading blocks of ``tokens[:reach_bytes]`` are there; changes nothing."""
        return len(self._find(_filed(tokens, namespace), len(tokens), reach_bytes))

    def serve(self, tokens: bytes, output: bytes, namespace: str, reach_bytes: int) -> int:
        """Run a request that fits to its end, and return how many leading blocks were there, as ``match`` does."""
        sequence = _filed(tokens + output, namespace)
        held = self._find(sequence, len(tokens) + len(output), reach_bytes)
        found = len(held)
        for block in held:
            self._known.pop(block, None)
        self._compute(sequence, len(tokens) + len(output), held)
        if self._usable_blocks is not None:
            self._known.update((block, None) for block in reversed(held))
        return found

    def _find(self, filed: bytes, size: int, reach_bytes: int) -> list[_Block]:
        """Return the leading blocks that are there, the oldest copy of each."""
        start, step = 0, self._block_bytes
        namespace_bytes = len(filed) - size
        link, found = self._root, []
        for end in range(namespace_bytes + step, namespace_bytes + reach_bytes + 1, step):
            following = link.next.get(filed[start:end])
            if following is None or not following.copies:
                break
            found.append(following.copies[0])
            link, start = following, end
        return found

    def _compute(self, filed: bytes, size: int, held: list[_Block]) -> None:
        """Fill blocks for the rest of the sequence behind ``held``, and append the full ones to it."""
        step = self._block_bytes
        namespace_bytes = len(filed) - size
        link = held[-1].link if held else self._root
        start = namespace_bytes + len(held) * step if held else 0
        for end in range(namespace_bytes + (len(held) + 1) * step, len(filed) + 1, step):
            self._make_room()
            key = filed[start:end]
            following = link.next.get(key)
            if following is None:
                following = link.next[key] = _Link(key, link)
            # Without a limit a second copy would change nothing.
            if self._usable_blocks is not None or not following.copies:
                following.copies.append(_Block(following))
            held.append(following.copies[-1])
            link, start = following, end
        if size % step:
            self._make_room()
            self._unknown_blocks += 1  # a block filled in part goes back without a known content

    def _make_room(self) -> None:
        """Take the block at the front of the queue."""
        if self._usable_blocks is None:
            return
        if self._unknown_blocks:
            self._unknown_blocks -= 1
            return
        block, _ = self._known.popitem(last=False)
        self.evicted_blocks += 1
        link = block.link
        link.copies.remove(block)
        # Places in the chain that nothing stands behind go too.
        while link.parent is not None and not link.copies and not link.next:
            del link.parent.next[link.key]
            link = link.parent


def _filed(sequence: bytes, namespace: str) -> bytes:
    """Put the namespace in front: it becomes a part of the first block's key, whose other part is of one length."""
    return namespace.encode("utf-8", "surrogatepass") + sequence if namespace else sequence
