"""Plain LRU per block, each block filed under itself and all before it: the cache that knows no engine's habits."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from radixlint.blocks.block_paths import BlockPaths, PathNode
from radixlint.blocks.block_unit import BlockUnit
from radixlint.traffic import TokenRequest


class BlocksHit(NamedTuple):
    """``tokens`` in full blocks, never the last token of the prompt; ``blocks`` with a partly filled last one."""

    tokens: int
    blocks: int


class LruBlocks:
    """A cache of blocks; a request refreshes its own tail first, so its tail is given up first.

    A hit is the leading blocks of a request that are there when it comes; then all of its blocks enter, outputs do not.
    Token ids are cut down to whole blocks. Ids that stand for blocks take a slot each, a partly filled last one too.
    After each request the most recent ``capacity_blocks`` blocks stay: the foremost ones of a request that is longer.

    Args:
        block_tokens: size of a block of token ids, >= 1.
        capacity_blocks: room, >= 1, over all namespaces together; None for no limit.
        keeps_order: whether ``expire`` will be asked for; a cache with a capacity can always answer.

    Raises:
        ValueError: a size is not positive.
    """

    __slots__ = ("_block_tokens", "_capacity_blocks", "_ends", "_keeps_order", "_now", "_oldest", "_paths", "_unit")

    def __init__(self, block_tokens: int, capacity_blocks: int | None = None, *, keeps_order: bool = False) -> None:
        if block_tokens < 1 or (capacity_blocks is not None and capacity_blocks < 1):
            raise ValueError(f"no cache of {capacity_blocks} blocks of {block_tokens} tokens")
        self._block_tokens = block_tokens
        self._capacity_blocks = capacity_blocks
        self._keeps_order = keeps_order or capacity_blocks is not None
        self._unit: BlockUnit | None = None
        self._paths = BlockPaths(block_tokens)
        # Where the path of each request since number `_oldest` ends: what is given up next stands at the first of them.
        self._ends: deque[PathNode] = deque()
        self._oldest = 0
        self._now = 0

    @property
    def held_blocks(self) -> int:
        """Blocks held now."""
        return self._paths.block_count

    def match(self, request: TokenRequest) -> BlocksHit:
        """Return what ``request`` would hit now; changes nothing.

        Raises:
            LogError: its ids stand for blocks of another size than those served.
        """
        if self._unit is None:
            return BlocksHit(0, 0)
        self._unit.check(request)
        return _hit(request, self._paths.run_length(request.tokens, request.namespace), self._unit)

    def serve(self, request: TokenRequest) -> BlocksHit:
        """Return what ``request`` hits, then make its blocks the most recent.

        Raises:
            LogError: its ids stand for blocks of another size than those served.
        """
        if self._unit is None:
            self._unit = BlockUnit.of(request, self._block_tokens)
            self._paths = BlockPaths(self._unit.ids)
        self._unit.check(request)
        used = self._paths.use(request.tokens, request.namespace, self._now)
        if self._keeps_order:
            self._ends.append(used.end)
        if self._capacity_blocks is not None:
            self._give_up(self._paths.block_count - self._capacity_blocks)
        self._now += 1
        return _hit(request, sum(blocks for _, blocks in used.runs), self._unit)

    def expire(self, before: int) -> None:
        """Drop all blocks last used before the request numbered ``before``; the first one served has number 0."""
        while self._oldest < before:
            self._drop_oldest(self._paths.block_count)

    def _give_up(self, excess_blocks: int) -> None:
        """Drop the least recent blocks: the deepest of those last used by the oldest request, and so on."""
        while excess_blocks > 0:
            excess_blocks -= self._drop_oldest(excess_blocks)

    def _drop_oldest(self, blocks: int) -> int:
        """Drop up to ``blocks`` of those last used by the oldest request, or turn to the next one; return their number."""
        end = self._ends[0]
        if end.last_use != self._oldest:
            self._ends.popleft()
            self._oldest += 1
            return 0
        dropped = self._paths.drop_tail(end, blocks)
        if not end.edge and end.parent is not None:
            self._ends[0] = end.parent
        return dropped


def _hit(request: TokenRequest, blocks: int, unit: BlockUnit) -> BlocksHit:
    return BlocksHit(min(blocks, unit.countable(request)) * unit.tokens, blocks)
