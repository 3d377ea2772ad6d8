"""Our radix tree against one that compares token by token in Python: same requests, same hits, one run.

Usage: python benchmarks/bench_radix.py [REQUESTS]
"""

from __future__ import annotations

import gc
import random
import sys
import tracemalloc
from time import process_time

import numpy as np
from plain_tree import PlainTree

from radixlint.radix import RadixTree
from radixlint.replay import replay
from radixlint.traffic import CachePolicy, TokenRequest

ROOTS, DOCUMENTS_EACH, ROUNDS = 40, 10, 3
GOAL_RATIO, GOAL_BYTES = 20.0, 4.3


def make_requests(count: int, seed: int = 7) -> list[bytes]:
    """Return prompts of a few thousand tokens: a root by Zipf's law, one of its documents, a tail."""
    draw = random.Random(seed)
    numbers = np.random.default_rng(seed)

    def part(tokens: int) -> bytes:
        return numbers.integers(0, 200_000, tokens, dtype=np.uint32).tobytes()

    roots = [part(draw.randint(1500, 3500)) for _ in range(ROOTS)]
    starts = [[root + part(draw.randint(800, 2400)) for _ in range(DOCUMENTS_EACH)] for root in roots]
    weights = [1 / rank for rank in range(1, ROOTS + 1)]
    chosen = draw.choices(starts, weights, k=count)
    return [draw.choice(documents) + part(draw.randint(500, 1500)) for documents in chosen]


def time_plain(requests: list[list[int]]) -> tuple[float, int]:
    """Return CPU seconds and matched tokens of the plain tree, conversion to numbers not counted."""
    tree = PlainTree()
    start = process_time()
    matched = sum([tree.insert(ids) for ids in requests])
    return process_time() - start, matched


def time_ours(requests: list[bytes]) -> tuple[float, int]:
    """Return CPU seconds and matched tokens of our tree."""
    tree = RadixTree()
    start = process_time()
    matched = sum([tree.insert(tokens, now=now, owner=now).matched_tokens for now, tokens in enumerate(requests)])
    return process_time() - start, matched


def stored_bytes_per_token(requests: list[bytes]) -> tuple[float, float]:
    """Return bytes a stored token takes with everything, and nodes a request."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    tree = RadixTree()
    for now, tokens in enumerate(requests):
        tree.insert(tokens, now=now, owner=now)
    used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return used / tree.stored_tokens, tree.node_count / len(requests)


def time_caches(requests: list[bytes]) -> list[tuple[str, float, float]]:
    """Return name, hit rate and microseconds a request of caches that hold a tenth of what is distinct."""
    asked = [TokenRequest(index, tokens) for index, tokens in enumerate(requests)]
    room = replay(asked, CachePolicy("any", 1)).distinct_tokens // 10
    policies = [CachePolicy(f"tree, pages of {page}, {name}", page, kv_tokens=room, eviction=name)
                for page in (1, 16) for name in ("lru", "lfu")]  # fmt: skip
    policies.append(CachePolicy("pool, blocks of 16", 16, store="block-pool", kv_tokens=room))
    figures = []
    for policy in policies:
        start = process_time()
        matches = replay(asked, policy).matches
        spent_s = process_time() - start
        rate = sum(match.engine_tokens for match in matches) / sum(match.prompt_tokens for match in matches)
        figures.append((policy.name, rate, spent_s / len(asked) * 1e6))
    return figures


def main() -> None:
    """Print both speeds, their ratio and the memory; fail if the trees disagree."""
    requests = make_requests(int(sys.argv[1]) if len(sys.argv) > 1 else 1500)
    tokens = sum(len(request) for request in requests) // 4
    numbers = [np.frombuffer(request, np.uint32).tolist() for request in requests]
    gc.disable()
    plain, ours = [], []
    for _ in range(ROUNDS):
        plain.append(time_plain(numbers))
        ours.append(time_ours(requests))
    assert len({matched for _, matched in plain + ours}) == 1, "the trees do not agree on the hits"
    plain_s, ours_s = min(plain)[0], min(ours)[0]
    size, nodes = stored_bytes_per_token(requests)
    ratio = plain_s / ours_s
    print(f"{len(requests):,} requests, {tokens:,} tokens, {ours[0][1] / tokens:.1%} hit in both trees; best of {ROUNDS} rounds")
    print(f"  per-token Python loop, match + insert  {tokens / plain_s / 1e6:8.1f} million tokens/s")
    print(f"  bytes tree, match + insert             {tokens / ours_s / 1e6:8.1f} million tokens/s")
    print(f"  ratio                                  {ratio:8.1f} x      (goal >= {GOAL_RATIO:.0f}: {_met(ratio >= GOAL_RATIO)})")
    print(f"  memory a stored token, nodes included  {size:8.2f} bytes  (goal <= {GOAL_BYTES}: {_met(size <= GOAL_BYTES)})")
    print(f"  nodes a request                        {nodes:8.2f}")
    print("replay with room for a tenth of the distinct tokens, the unlimited tree beside it included")
    for name, rate, spent_us in time_caches(requests):
        print(f"  {name:<38} {spent_us:8.0f} us a request, {rate:.1%} hit")


def _met(is_met: bool) -> str:
    return "met" if is_met else "missed"


if __name__ == "__main__":
    main()
