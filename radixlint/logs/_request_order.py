"""The order in which requests were made: by time where all have one, and whether the clocks of several hosts agree."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence
from typing import Final

from radixlint.traffic import Request

# Records are written when an answer is ready, so hosts may differ by the time that takes without a wrong clock.
_LEAST_SPREAD_S: Final = 60.0
_LEAST_PAIRS: Final = 3
_LEAST_SHARE: Final = 0.9


def in_order(requests: Sequence[Request]) -> tuple[tuple[Request, ...], tuple[str, ...]]:
    """Return ``requests`` in the order of their times, else of their indices, and what there is to say about it."""
    seen = sorted(requests, key=lambda request: request.index)
    timed = [(request.time_s, request) for request in seen if request.time_s is not None]
    if len(timed) == len(seen):
        skew = _skew(timed)
        return tuple(request for _, request in sorted(timed, key=lambda pair: pair[0])), (skew,) if skew else ()
    if not timed:
        return tuple(seen), ()
    return tuple(seen), (f"Only {len(timed)} of {len(seen)} records have a time: file order was kept.",)


def _skew(timed: Sequence[tuple[float, Request]]) -> str | None:
    """Return a sentence if the clocks of hosts differ: lines beside each other whose times are steadily apart."""
    steps: dict[tuple[str, str], list[float]] = {}
    for (before_s, before), (after_s, after) in itertools.pairwise(timed):
        if before.host is None or after.host is None or before.host == after.host:
            continue
        first, second = sorted((before.host, after.host))
        steps.setdefault((first, second), []).append(after_s - before_s if after.host == second else before_s - after_s)
    spreads = [(abs(spread), pair) for pair, offsets in sorted(steps.items()) if (spread := _steady(offsets)) is not None]
    if not spreads:
        return None
    spread_s, (first, second) = max(spreads, key=lambda found: found[0])
    return (
        f"The clocks of hosts {first} and {second} differ by about {spread_s:,.0f} s: requests of one host are in order, those "
        "of different hosts may not be, and ages in the cache are off by as much."
    )


def _steady(offsets: Sequence[float]) -> float | None:
    """Return the middle of ``offsets`` if nearly all are close to it and it is too large for ordinary delays."""
    middle = statistics.median(offsets)
    close = sum(abs(offset - middle) <= abs(middle) / 2 for offset in offsets)
    is_steady = len(offsets) >= _LEAST_PAIRS and close >= _LEAST_SHARE * len(offsets)
    return middle if is_steady and abs(middle) >= _LEAST_SPREAD_S else None
