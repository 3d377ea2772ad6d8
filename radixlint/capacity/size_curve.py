"""Hits as a function of the size of the cache: one broken line that is exact at every size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class SizeCurve:
    """Blocks hit by a plain LRU cache, for every capacity in blocks.

    Args:
        rank: places by recency in front of each run of blocks that was used again (``Reuse.rank``).
        blocks: how many blocks of each run count.
    """

    __slots__ = ("_hits", "_sizes", "_slopes")

    def __init__(self, rank: NDArray[np.int64], blocks: NDArray[np.int64]) -> None:
        # A run adds a hit for each block of room from its first place to its last: a slope of one between them.
        ends = np.concatenate((np.zeros(1, np.int64), rank, rank + blocks))
        turns = np.concatenate((np.zeros(1, np.int64), np.ones_like(rank), -np.ones_like(rank)))
        self._sizes, place = np.unique(ends, return_inverse=True)
        change = np.zeros(len(self._sizes), np.int64)
        np.add.at(change, place, turns)
        self._slopes = np.cumsum(change)
        self._hits = np.concatenate((np.zeros(1, np.int64), np.cumsum(self._slopes[:-1] * np.diff(self._sizes))))

    @property
    def most_hits(self) -> int:
        """Hits of a cache without limit."""
        return int(self._hits[-1])

    def hits(self, capacity_blocks: int) -> int:
        """Return the hits of a cache of ``capacity_blocks`` >= 0."""
        capacity_blocks = min(capacity_blocks, int(self._sizes[-1]))
        at = int(np.searchsorted(self._sizes, capacity_blocks, "right")) - 1
        return int(self._hits[at] + self._slopes[at] * (capacity_blocks - self._sizes[at]))

    def size_for(self, hits: int) -> int:
        """Return the smallest capacity in blocks that gives at least ``hits``, which must be 0 <= hits <= ``most_hits``."""
        at = int(np.searchsorted(self._hits, hits, "left"))
        if at == 0:
            return 0
        missing = hits - int(self._hits[at - 1])
        return int(self._sizes[at - 1]) + -(-missing // int(self._slopes[at - 1]))
