"""The hit rate at every cache size against one pass of the radix tree, and against simulating single sizes: one run.

Usage: python benchmarks/bench_curve.py [REQUESTS]
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from time import process_time
from typing import TypeVar

from bench_radix import make_requests

from radixlint.blocks.lru_blocks import LruBlocks
from radixlint.capacity.reuse import find_reuse
from radixlint.capacity.size_curve import SizeCurve
from radixlint.radix import RadixTree
from radixlint.traffic import TokenRequest

BLOCK_TOKENS, ROUNDS, GOAL_RATIO = 16, 5, 2.0
SHARES_OF_ALL = (0.01, 0.05, 0.1, 0.3, 1.0)
T = TypeVar("T")


def tree_pass(requests: list[TokenRequest]) -> int:
    """Insert every request into a radix tree and return the blocks that were there."""
    tree = RadixTree(BLOCK_TOKENS)
    inserted = [tree.insert(r.tokens, now=now, owner=now, namespace=r.namespace) for now, r in enumerate(requests)]
    return sum([each.matched_tokens for each in inserted]) // BLOCK_TOKENS


def whole_curve(requests: list[TokenRequest]) -> SizeCurve:
    """Return the hits in blocks at every size."""
    reuse = find_reuse(requests, BLOCK_TOKENS)
    return SizeCurve(reuse.rank, reuse.blocks)


def single_sizes(requests: list[TokenRequest], sizes: list[int]) -> list[int]:
    """Return the hits in blocks at each size by simulating it."""
    caches = [LruBlocks(BLOCK_TOKENS, size) for size in sizes]
    return [sum([cache.serve(request).blocks for request in requests]) for cache in caches]


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the CPU seconds of ``work`` and what it gave."""
    gc.collect()
    start = process_time()
    result = work()
    return process_time() - start, result


def main() -> None:
    """Print the times and ratios; fail if the totals disagree."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    requests = [TokenRequest(at, tokens) for at, tokens in enumerate(make_requests(count))]
    distinct = find_reuse(requests, BLOCK_TOKENS).distinct_blocks
    sizes = [max(1, int(distinct * share)) for share in SHARES_OF_ALL]
    gc.disable()
    tree_s, curve_s, sizes_s = [], [], []
    for _ in range(ROUNDS):
        tree, curve = timed(lambda: tree_pass(requests)), timed(lambda: whole_curve(requests))
        single = timed(lambda: single_sizes(requests, sizes))
        assert curve[1].most_hits == tree[1], "the curve and the tree do not agree on what an unlimited cache hits"
        assert [curve[1].hits(size) for size in sizes] == single[1], "the curve and the simulations do not agree"
        tree_s.append(tree[0])
        curve_s.append(curve[0])
        sizes_s.append(single[0])
    ratio = min(curve_s) / min(tree_s)
    each_us = 1e6 / count
    print(f"{count:,} requests, blocks of {BLOCK_TOKENS} tokens, {tree[1]:,} blocks hit; best of {ROUNDS} rounds, equal totals")
    print(f"  one tree pass                  {min(tree_s) * each_us:8.1f} us/request")
    print(f"  hit rate at every size         {min(curve_s) * each_us:8.1f} us/request")
    print(f"  simulation of {len(sizes)} single sizes  {min(sizes_s) * each_us:8.1f} us/request")
    goal = f"goal <= {GOAL_RATIO:.0f}: {'met' if ratio <= GOAL_RATIO else 'missed'}"
    print(f"  curve / tree pass              {ratio:8.2f} x  ({goal})")


if __name__ == "__main__":
    main()
