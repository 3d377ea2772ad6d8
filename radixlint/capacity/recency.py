"""How many blocks were last used after a given request: a Fenwick tree over request numbers."""

from __future__ import annotations


class Recency:
    """Counts of blocks by the request that used them last; requests come in order and grow the tree."""

    __slots__ = ("_size", "_sums", "_total")

    def __init__(self) -> None:
        self._size = 1
        self._sums = [0, 0]
        self._total = 0

    def later(self, request: int) -> int:
        """Return how many blocks were last used by requests after ``request`` >= 0."""
        sums = self._sums
        earlier, at = 0, request + 1
        while at:
            earlier += sums[at]
            at &= at - 1
        return self._total - earlier

    def add(self, request: int, blocks: int) -> None:
        """Count ``blocks`` more (or fewer) as last used by ``request`` >= 0."""
        while request >= self._size:
            # Places of the new half sum up themselves alone, but for the last, which sums up all.
            self._sums += [0] * self._size
            self._size *= 2
            self._sums[self._size] = self._total
        sums, size = self._sums, self._size
        self._total += blocks
        at = request + 1
        while at <= size:
            sums[at] += blocks
            at += at & -at
