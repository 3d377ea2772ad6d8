"""The engines' caches under pressure against slow twins written from the rules."""

from __future__ import annotations

import os
import random

from cache_twins import PoolTwin, TreeTwin
from oracle_cases import ids

from radixlint.radix import EVICTIONS
from radixlint.replay import replay
from radixlint.traffic import CachePolicy, TokenRequest

# The issue asks for at least 2,000 logs; a smaller global setting must not lower that.
LOGS = max(2_000, int(os.environ.get("RADIXLINT_EXAMPLES", "0")))
Log = list[tuple[list[int], list[int], str, int]]


def drawn_log(draw: random.Random) -> Log:
    """Draw requests that collide often and go on where earlier ones ended: prompt, output, namespace, priority."""

    def part(runs: int) -> list[int]:
        return [token for _ in range(draw.randint(0, runs)) for token in [draw.randrange(3)] * draw.choice((1, 2, 3, 4, 5, 9))]

    log: Log = []
    for _ in range(draw.randint(4, 12)):
        earlier = draw.choice(log) if log else ([], [], "", 0)
        sequence = earlier[0] + earlier[1]
        start = sequence[: len(sequence) * draw.randint(0, 8) // 8]
        log.append(((start + part(4))[:40], part(1), draw.choice(("", "", "b")), draw.randint(-1, 2)))
    return log


def hits(log: Log, policy: CachePolicy) -> list[int]:
    """Return the engine tokens of each request under ``policy``."""
    requests = [TokenRequest(i, ids(p), ids(o), space, priority) for i, (p, o, space, priority) in enumerate(log)]
    return [match.engine_tokens for match in replay(requests, policy).matches]


def test_tree_under_pressure_equals_its_twin() -> None:
    """Eviction in all four orders, pages, outputs, pieces, namespaces and refused requests: equal request by request."""
    tight = 0
    for seed in range(LOGS):
        draw = random.Random(seed)
        log, page, room = drawn_log(draw), draw.choice((1, 2, 4)), draw.randint(8, 80)
        eviction, chunk = draw.choice(EVICTIONS), draw.choice((None, 3, 8))
        twin = TreeTwin(page, room, eviction, chunk)
        expected = [twin.serve(tuple(p), tuple(o), space, priority) for p, o, space, priority in log]
        tight += 0 < sum(expected) < sum(hits(log, CachePolicy("sglang", page)))
        policy = CachePolicy("sglang", page, kv_tokens=room, eviction=eviction, chunk_tokens=chunk)

        assert hits(log, policy) == expected, f"log of seed {seed} under {policy}"
    assert tight > LOGS / 10  # logs that lose some hits to eviction, and not all


def test_pool_under_pressure_equals_its_twin() -> None:
    """Free queue order, second copies, outputs, namespaces and refused requests: equal, prefilled in pieces or not."""
    tight = 0
    for seed in range(LOGS):
        draw = random.Random(seed)
        log, block, usable, chunk = drawn_log(draw), draw.choice((1, 2, 4)), draw.randint(3, 40), draw.choice((None, 3, 8))
        twin = PoolTwin(block, usable, chunk)
        expected = [twin.serve(tuple(p), tuple(o), space) for p, o, space, _ in log]
        tight += 0 < sum(expected) < sum(hits(log, CachePolicy("vllm", block)))
        policy = CachePolicy("vllm", block, store="block-pool", kv_tokens=usable * block, chunk_tokens=chunk)

        assert hits(log, policy) == expected, f"log of seed {seed} under {policy}"
    assert tight > LOGS / 10
