"""Hits as a function of the time to live since last use, room without limit: a step function that is exact at every time."""

from __future__ import annotations

import numpy as np

from radixlint.capacity.reuse import Reuse


class TtlCurve:
    """Blocks that count as hits if a block lives for a time after each use, its last second included.

    Of one path the foremost blocks were used last, so what has expired is always the tail of a match.

    Args:
        reuse: the runs, with the times of all requests.

    Raises:
        ValueError: the times are not known.
    """

    __slots__ = ("_gaps_s", "_hits")

    def __init__(self, reuse: Reuse) -> None:
        if reuse.times_s is None:
            raise ValueError("no time to live without times")
        gaps_s = reuse.times_s[reuse.now] - reuse.times_s[reuse.last]
        order = np.argsort(gaps_s, kind="stable")
        self._gaps_s = gaps_s[order]
        self._hits = np.concatenate((np.zeros(1, np.int64), np.cumsum(reuse.counted[order])))

    @property
    def most_hits(self) -> int:
        """Hits if nothing ever expires."""
        return int(self._hits[-1])

    def hits(self, ttl_s: float) -> int:
        """Return the hits if a block lives for ``ttl_s`` >= 0 seconds after its last use."""
        return int(self._hits[np.searchsorted(self._gaps_s, ttl_s, "right")])

    def ttl_for(self, hits: int) -> float:
        """Return the shortest time to live in seconds that gives at least ``hits``, 0 < hits <= ``most_hits``."""
        return float(self._gaps_s[np.searchsorted(self._hits, hits, "left") - 1])
