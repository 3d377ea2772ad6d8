"""Which sizes and times of the curves are shown: round ones, the knees, and those that were asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from radixlint.capacity.optimum import optimum_blocks
from radixlint.capacity.reuse import Reuse, find_reuse
from radixlint.capacity.size_curve import SizeCurve
from radixlint.capacity.ttl_curve import TtlCurve
from radixlint.result.curve import Curve, CurvePoint, TtlPoint
from radixlint.traffic import TokenRequest

KNEES_PERCENT: Final = (50, 90, 99, 100)
"""Shares of the most that can be hit, for which the smallest size is shown."""
FAINT_PERCENT: Final = 1
"""A round size is shown if it gives so much more, of the most that can be hit, than the one shown before it."""
TTLS_S: Final = (1, 10, 60, 300, 600, 1800, 3600, 4 * 3600, 24 * 3600, 7 * 24 * 3600)
LINE_POINTS: Final = 320
GIB: Final = 2**30


@dataclass(frozen=True, slots=True)
class CurveOptions:
    """What is wanted of a curve.

    ``kv_tokens`` are sizes to show whatever they give, in tokens. ``kv_bytes_per_token`` is the memory of one token in
    ``model``. ``has_optimum`` asks for the bound at each size shown. ``store_outputs``: outputs enter the cache too.
    ``approximation`` is passed on to the result.
    """

    kv_tokens: tuple[int, ...] = ()
    kv_bytes_per_token: int | None = None
    model: str | None = None
    has_optimum: bool = False
    store_outputs: bool = False
    approximation: str | None = None


def capacity_curve(requests: Iterable[TokenRequest], block_tokens: int, options: CurveOptions) -> Curve | None:
    """Return the hit rate of a plain LRU cache of blocks for all sizes, None if ``requests`` hold no prompt tokens.

    Raises:
        LogError: the ids of some requests stand for other sizes than those of the first.
    """
    reuse = find_reuse(requests, block_tokens, store_outputs=options.store_outputs)
    if not reuse.prompt_tokens:
        return None
    curve = SizeCurve(reuse.rank, reuse.counted)
    full_blocks = curve.size_for(curve.most_hits)
    return Curve(
        points=tuple(_points(reuse, curve, options)),
        line=tuple(_line(reuse, curve)),
        ttl_points=None if reuse.times_s is None else tuple(_ttl_points(reuse, TtlCurve(reuse))),
        block_tokens=reuse.block_tokens,
        prompt_tokens=reuse.prompt_tokens,
        most_hit_rate=_rate(reuse, curve.most_hits),
        full_kv_tokens=full_blocks * reuse.block_tokens,
        distinct_kv_tokens=reuse.distinct_blocks * reuse.block_tokens,
        model=options.model,
        approximation=options.approximation,
    )


def _points(reuse: Reuse, curve: SizeCurve, options: CurveOptions) -> Iterator[CurvePoint]:
    size_tokens, most = reuse.block_tokens, curve.most_hits
    knees = _knees(curve, size_tokens)
    given = {max(0, kv_tokens) for kv_tokens in options.kv_tokens}
    for kv_tokens in sorted({*_telling(curve, size_tokens), *knees, *given}):
        hits = curve.hits(kv_tokens // size_tokens)
        best = optimum_blocks(reuse, kv_tokens // size_tokens) if options.has_optimum else None
        per_token = options.kv_bytes_per_token
        yield CurvePoint(
            kv_tokens=kv_tokens,
            hit_rate=_rate(reuse, hits),
            of_most_rate=hits / most if most else 0.0,
            optimum_rate=None if best is None else _rate(reuse, best),
            kv_gib=None if per_token is None else kv_tokens * per_token / GIB,
            is_given=kv_tokens in given,
            knee_rate=knees.get(kv_tokens),
        )


def _knees(curve: SizeCurve, size_tokens: int) -> dict[int, float]:
    """Return the smallest sizes in tokens for each share of the most; the largest share where several have one size."""
    most = curve.most_hits
    return {curve.size_for(_part(most, share)) * size_tokens: share / 100 for share in KNEES_PERCENT} if most else {}


def _round_sizes(curve: SizeCurve, size_tokens: int) -> list[int]:
    """Return 1, 2 and 5 times powers of ten tokens, from the last that gives no more than a block to the first that gives all.

    Empty if nothing can be hit.
    """
    most = curve.most_hits
    if not most:
        return []
    full_tokens = curve.size_for(most) * size_tokens
    rise_tokens = curve.size_for(min(most, curve.hits(1) + _part(most, FAINT_PERCENT))) * size_tokens
    sizes = [digit * 10**power for power in range(len(str(full_tokens)) + 1) for digit in (1, 2, 5)]
    start = max((size for size in sizes if size_tokens <= size < rise_tokens), default=size_tokens)
    end = min(size for size in sizes if size >= full_tokens)
    return [size for size in sizes if start <= size <= end]


def _telling(curve: SizeCurve, size_tokens: int) -> Iterator[int]:
    """Yield the round sizes up to the one that gives all, flat stretches left out."""
    shown = None
    for size in _round_sizes(curve, size_tokens):
        hits = curve.hits(size // size_tokens)
        if hits < curve.most_hits and (shown is None or hits - shown >= _part(curve.most_hits, FAINT_PERCENT)):
            shown = hits
            yield size


def _part(most: int, share_percent: int) -> int:
    """Return so many percent of ``most``, rounded up."""
    return -(-most * share_percent // 100)


def _line(reuse: Reuse, curve: SizeCurve) -> Iterator[tuple[int, float]]:
    """Yield sizes in equal steps of their logarithm over the round sizes, each with its rate."""
    size_tokens = reuse.block_tokens
    round_sizes = _round_sizes(curve, size_tokens)
    if not round_sizes:
        return
    sizes = np.geomspace(round_sizes[0], round_sizes[-1], LINE_POINTS)
    for kv_tokens in dict.fromkeys(int(size) for size in np.rint(sizes)):
        yield kv_tokens, _rate(reuse, curve.hits(kv_tokens // size_tokens))


def _ttl_points(reuse: Reuse, curve: TtlCurve) -> Iterator[TtlPoint]:
    most = curve.most_hits
    if not most:
        return
    knees = {curve.ttl_for(_part(most, share)): share / 100 for share in KNEES_PERCENT}
    longest_s = max(knees)
    for ttl_s in sorted({float(ttl_s) for ttl_s in TTLS_S if ttl_s < longest_s} | set(knees)):
        hits = curve.hits(ttl_s)
        yield TtlPoint(ttl_s, _rate(reuse, hits), hits / most, knees.get(ttl_s))


def _rate(reuse: Reuse, blocks: int) -> float:
    return blocks * reuse.block_tokens / reuse.prompt_tokens
