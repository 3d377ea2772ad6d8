"""The most hits that any policy could get from a cache of a given size, the future known: Belady's optimum."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from radixlint.capacity.reuse import Reuse


def optimum_blocks(reuse: Reuse, capacity_blocks: int) -> int:
    """Return the most blocks that can count as hits with room for ``capacity_blocks`` >= 0.

    It bounds every policy that, between two requests, keeps at most so many blocks of those that were kept or belong to
    the request just served, and whose hit is blocks of the prompt kept when the request comes. A block need not be
    admitted. No such policy, LRU among them, gets more, however much it knows; and the bound is reached: of the blocks
    kept for a request, deeper ones waited at least as long as those in front, so the kept ones can be the leading ones.
    It does not bound caches that also keep blocks while a request runs beside others, nor those that hold other blocks
    than the log's (outputs, if ``reuse`` was found without them).

    A hit keeps its block from the use before until this one. Whenever more is kept than there is room, what is used
    again last goes: no choice of equally long stretches under one limit keeps more. Blocks that the same request uses
    again count alike, so a step handles a whole run.

    Source: Belady 1966, with the choice not to admit.
    """
    order = np.lexsort((reuse.now, reuse.last))
    starts = np.searchsorted(reuse.last[order], np.arange(reuse.requests + 1)).tolist()
    ends, counts = reuse.now[order].tolist(), reuse.counted[order].tolist()
    kept_for = [0] * reuse.requests
    latest: list[int] = []
    held = hits = 0
    for request in range(reuse.requests):
        hits += kept_for[request]
        held -= kept_for[request]
        for row in range(starts[request], starts[request + 1]):
            if not kept_for[ends[row]]:
                heappush(latest, -ends[row])
            kept_for[ends[row]] += counts[row]
            held += counts[row]
        while held > capacity_blocks:
            end = -latest[0]
            dropped = min(kept_for[end], held - capacity_blocks)
            kept_for[end] -= dropped
            held -= dropped
            if not kept_for[end]:
                heappop(latest)
    return hits
