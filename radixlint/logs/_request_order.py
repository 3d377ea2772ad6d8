"""The order in which requests were made: by time where all have one, and whether the clocks of several hosts agree."""

from __future__ import annotations

import itertools
import statistics
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from operator import attrgetter
from typing import Final

from msgspec import structs

from radixlint.plural import counted
from radixlint.traffic import Request

# Records are written when an answer is ready, so hosts may differ by the time that takes without a wrong clock.
_LEAST_SPREAD_S: Final = 60.0
_LEAST_STEPS: Final = 2
_LEAST_SHARE: Final = 0.9


def in_order(requests: Sequence[Request], file_starts: Sequence[int] = (0,)) -> tuple[tuple[Request, ...], tuple[str, ...]]:
    """Return ``requests`` in the order of their times, else of their indices, and what there is to say about it.

    ``file_starts`` are the indices with which files begin, rising. Requests of one time and one file keep their order; those of
    several files stand file by file, in the order of a hash of what they hold, so that the order of the files does not count.
    """
    seen = sorted(requests, key=attrgetter("index"))
    timed = len(seen) - [request.time_s for request in seen].count(None)
    if timed == len(seen):
        has_hosts = any(request.host is not None for request in seen)
        skew = _skew([(request.time_s or 0.0, request) for request in seen]) if has_hosts else None
        return tuple(_by_time(seen, file_starts)), (skew,) if skew else ()
    if not timed:
        return tuple(seen), ()
    return tuple(seen), (f"Only {timed} of {counted(len(seen), 'record')} have a time: file order was kept.",)


def _by_time(seen: Sequence[Request], file_starts: Sequence[int]) -> Iterator[Request]:
    timed = sorted(seen, key=attrgetter("time_s"))
    if len(file_starts) < 2:
        yield from timed
        return
    for _, tied in itertools.groupby(timed, key=attrgetter("time_s")):
        files = [list(some) for _, some in itertools.groupby(tied, key=lambda one: bisect_right(file_starts, one.index))]
        yield from itertools.chain.from_iterable(sorted(files, key=_contents) if len(files) > 1 else files)


def _contents(requests: Iterable[Request]) -> list[bytes]:
    """Return a hash of what each of ``requests`` holds, whatever its index."""
    texts = (repr(structs.replace(request, index=0)) for request in requests)
    return [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]


def _skew(timed: Sequence[tuple[float, Request]]) -> str | None:
    """Return a sentence if the clocks of hosts differ: lines beside each other whose times are steadily apart."""
    steps: dict[tuple[str, str], tuple[list[float], list[float]]] = {}
    for (before_s, before), (after_s, after) in itertools.pairwise(timed):
        if before.host is None or after.host is None or before.host == after.host:
            continue
        first, second = sorted((before.host, after.host))
        there, back = steps.setdefault((first, second), ([], []))
        if after.host == second:
            there.append(after_s - before_s)
        else:
            back.append(before_s - after_s)
    spreads = [abs(spread_s) for both in steps.values() if (spread_s := _spread_s(*both)) is not None]
    if not spreads:
        return None
    return (
        f"The clocks of two hosts differ by about {max(spreads):,.0f} s: requests of one host are in order, those "
        "of different hosts may not be, and ages in the cache are off by as much."
    )


def _spread_s(there: Sequence[float], back: Sequence[float]) -> float | None:
    """Return by how much the second of two clocks is ahead, None if it is not steadily so, or for other reasons.

    A step there is longer by the time between two lines, a step back is shorter by as much, so their mean is the spread.
    """
    if min(len(there), len(back)) < _LEAST_STEPS:
        return None
    spread_s = (statistics.median(there) + statistics.median(back)) / 2
    offsets = (*there, *back)
    close = sum(abs(offset - spread_s) <= abs(spread_s) / 2 for offset in offsets)
    is_steady = close >= _LEAST_SHARE * len(offsets) and abs(spread_s) >= _LEAST_SPREAD_S
    return spread_s if is_steady else None
