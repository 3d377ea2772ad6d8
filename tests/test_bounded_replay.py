"""The engines' caches under pressure against slow twins written from the rules."""

from __future__ import annotations

import os

from cache_twins import PoolTwin, TreeTwin
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_cases import ids

from radixlint.radix import EVICTIONS
from radixlint.replay import replay
from radixlint.traffic import CachePolicy, TokenRequest

# The issue asks for at least 2,000 logs; a smaller global setting must not lower that.
LOGS = max(2_000, int(os.environ.get("RADIXLINT_EXAMPLES", "0")))

RUNS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from([1, 2, 3, 4, 5, 9])), max_size=4)
# A request: which earlier one it starts like and for how many eighths, what follows, its output, namespace, priority.
PLANS = st.lists(
    st.tuples(
        st.integers(0, 9), st.integers(0, 8), RUNS, RUNS.map(lambda runs: runs[:1]), st.sampled_from("  b"), st.integers(-1, 2)
    ),
    min_size=4,
    max_size=14,
)
Log = list[tuple[list[int], list[int], str, int]]


def build(plan: list) -> Log:
    """Turn a plan into requests that collide often and go on where earlier ones ended."""
    log: Log = []
    for source, eighths, runs, output_runs, namespace, priority in plan:
        prompt, output = (log[source % len(log)][:2]) if log else ([], [])
        start = (prompt + output)[: len(prompt + output) * eighths // 8]
        tail, reply = ([token for token, count in part for _ in range(count)] for part in (runs, output_runs))
        log.append(((start + tail)[:40], reply, namespace.strip(), priority))
    return log


def hits(log: Log, policy: CachePolicy) -> list[int]:
    """Return the engine tokens of each request under ``policy``."""
    requests = [TokenRequest(i, ids(p), ids(o), space, priority) for i, (p, o, space, priority) in enumerate(log)]
    return [match.engine_tokens for match in replay(requests, policy).matches]


@settings(max_examples=LOGS)
@given(PLANS, st.sampled_from([1, 2, 4]), st.integers(4, 60), st.sampled_from(EVICTIONS), st.sampled_from([None, 3, 8]))
def test_tree_under_pressure_equals_its_twin(plan: list, page: int, room: int, eviction: str, chunk: int | None) -> None:
    """Eviction in all four orders, pages, outputs, pieces and refused requests: equal request by request."""
    log = build(plan)
    twin = TreeTwin(page, room, eviction, chunk)
    expected = [twin.serve(tuple(p), tuple(o), space, priority) for p, o, space, priority in log]
    policy = CachePolicy("sglang", page, kv_tokens=room, eviction=eviction, chunk_tokens=chunk)

    assert hits(log, policy) == expected


@settings(max_examples=LOGS)
@given(PLANS, st.sampled_from([1, 2, 4]), st.integers(1, 30), st.sampled_from([None, 3, 8]))
def test_pool_under_pressure_equals_its_twin(plan: list, block: int, usable: int, chunk: int | None) -> None:
    """Free queue order, second copies, outputs and refused requests: equal request by request, prefilled in pieces or not."""
    log = build(plan)
    twin = PoolTwin(block, usable, chunk)
    expected = [twin.serve(tuple(p), tuple(o), space) for p, o, space, _ in log]
    policy = CachePolicy("vllm", block, store="block-pool", kv_tokens=usable * block, chunk_tokens=chunk)

    assert hits(log, policy) == expected
