"""Requests served one by one: equal to the engine's own scheduler and cache, and what every run must satisfy."""

from __future__ import annotations

import json
import struct
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.api.simulating import default_sizes
from radixlint.radix import RadixTree
from radixlint.replay.tree_run import run_alone
from radixlint.serving.schedule_order import POLICIES, REFRESH_PASSES
from radixlint.serving.serial import SerialRun, serve_serially
from radixlint.traffic import TokenRequest

FIXTURES = Path(__file__).parent / "fixtures"


def recorded(pattern: str, schema: str) -> dict[str, dict]:
    """Return the recorded cases of a schema by name."""
    cases = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FIXTURES.glob(pattern))}
    return {name: case for name, case in cases.items() if case["schema"] == schema}


SERVE_CASES = recorded("oracle/serve-*.json", "radix-oracle-serve/1")
SERVE_RUNS = [
    pytest.param(name, run, id=f"{name}-{run['policy']}")
    for name, case in SERVE_CASES.items()
    for run in case["runs"]
    if run["policy"] in POLICIES
]
TIGHT_CASES = {name: case for name, case in recorded("oracle*/*.json", "radix-oracle/1").items() if "requests" in case}
TIGHT_RUNS = [
    pytest.param(name, run, id=f"{name}-page{run['settings']['page_size']}-{run['settings']['capacity_tokens']}")
    for name, case in TIGHT_CASES.items()
    for run in case["runs"]
    if run["engine"] == "sglang"
    and run["settings"]["capacity_tokens"] is not None
    and run["settings"].get("chunked_prefill_size") is None
    and run["settings"].get("eviction_policy", "lru") == "lru"
]


def packed(ids: list[int]) -> bytes:
    """Return ids as the tree takes them."""
    return struct.pack(f"<{len(ids)}I", *ids)


def requests_of(prompts: list[list[int]]) -> list[TokenRequest]:
    """Return prompts as requests in order of arrival."""
    return [TokenRequest(i, packed(ids)) for i, ids in enumerate(prompts)]


def cached(run: SerialRun) -> list[int]:
    """Return cached tokens in order of arrival."""
    return [entry.cached_tokens for entry in run.served]


@pytest.mark.parametrize(("name", "run"), SERVE_RUNS)
def test_serving_equals_the_engines(name: str, run: dict) -> None:
    """The recorded order of serving and cached tokens of every request are met without a difference."""
    requests = requests_of(SERVE_CASES[name]["prompts"])
    mine = serve_serially(requests, policy=run["policy"], page_tokens=run["page_size"], kv_tokens=run["capacity_tokens"])
    order = sorted(mine.served, key=lambda entry: entry.position or 0)

    assert [entry.request.index for entry in order] == run["served_order"]
    assert cached(mine) == run["cached_tokens_by_request"]


def test_tight_runs_with_and_without_output_are_recorded() -> None:
    """The recorded cases under pressure cover both page sizes, and outputs."""
    assert {run.values[1]["settings"]["page_size"] for run in TIGHT_RUNS} == {1, 16}
    assert any("output" in request for run in TIGHT_RUNS for request in TIGHT_CASES[run.values[0]]["requests"])


@pytest.mark.parametrize(("name", "run"), TIGHT_RUNS)
def test_eviction_equals_the_engines(name: str, run: dict) -> None:
    """Requests in file order through a small cache: the engine's cached tokens, outputs and namespaces included."""
    tree, clock = RadixTree(run["settings"]["page_size"], run["settings"]["capacity_tokens"]), count()
    mine = []
    for i, request in enumerate(TIGHT_CASES[name]["requests"]):
        namespace = json.dumps([request.get("extra_key"), request.get("cache_salt") or None])
        output = packed((request.get("output") or [])[:-1])
        mine.append(run_alone(TokenRequest(i, packed(request["prompt"]), output, namespace), tree, clock)[0])

    assert mine == run["expected"]["cached_tokens"]


PROMPTS = st.lists(st.tuples(st.lists(st.integers(0, 1), max_size=12), st.lists(st.integers(0, 1), max_size=5)), max_size=12)


def small_requests(prompts: list[tuple[list[int], list[int]]]) -> list[TokenRequest]:
    """Return prompts with outputs as requests."""
    return [TokenRequest(i, packed(prompt), packed(output)) for i, (prompt, output) in enumerate(prompts)]


@given(PROMPTS, st.sampled_from([1, 4]), st.integers(4, 30), st.sampled_from(POLICIES))
def test_any_run_adds_up(prompts: list, page: int, kv_tokens: int, policy: str) -> None:
    """Everybody who fits is served once, never more than L-1 tokens cached, and an unlimited cache gives no less."""
    requests = small_requests(prompts)
    run = serve_serially(requests, policy=policy, page_tokens=page, kv_tokens=kv_tokens)
    room = kv_tokens // page * page
    fitting = [e for e in run.served if -(-len(e.request.tokens + e.request.output) // (4 * page)) * page <= room]

    assert [entry.request for entry in run.served] == requests
    assert sorted(e.position for e in run.served if e.position is not None) == list(range(len(fitting)))
    assert all(e.cached_tokens <= max(0, e.request.prompt_tokens - 1) for e in run.served)
    assert all(e.cached_tokens % page == 0 for e in run.served)
    in_order = [e.request for e in sorted(fitting, key=lambda e: e.position)]
    ample = serve_serially(in_order, policy="fcfs", page_tokens=page)
    assert all(e.cached_tokens <= ample.served[e.position].cached_tokens for e in fitting)


@given(PROMPTS, st.sampled_from([1, 4, 16]), st.sampled_from(POLICIES))
def test_the_ample_default_size_never_evicts(prompts: list, page: int, policy: str) -> None:
    """At the largest default size nothing is evicted and every request is served."""
    requests = small_requests(prompts)
    longest = max((len(r.tokens) + len(r.output) for r in requests), default=0) // 4
    distinct = serve_serially(requests, policy="fcfs", page_tokens=page).stored_tokens
    sizes = default_sizes(longest, distinct, page)
    run = serve_serially(requests, policy=policy, page_tokens=page, kv_tokens=sizes[-1])

    assert list(sizes) == sorted(set(sizes))
    assert run.evicted_tokens == 0
    assert all(entry.position is not None for entry in run.served)
    assert sum(cached(run)) == sum(cached(serve_serially(requests, policy=policy, page_tokens=page)))


def test_a_request_longer_than_the_cache_is_refused_and_harmless() -> None:
    """It is never served and caches nothing; the others run as if it were not there. Output counts for the length."""
    fits, long = list(range(8)), list(range(100, 120))
    run = serve_serially(requests_of([fits, long, fits]), policy="fcfs", kv_tokens=10)

    assert [entry.position for entry in run.served] == [0, None, 1]
    assert cached(run) == [0, 0, 7]
    with_output = TokenRequest(0, packed(fits), packed([1, 2, 3]))
    assert serve_serially([with_output], policy="fcfs", kv_tokens=10).served[0].position is None
    assert serve_serially([with_output], policy="fcfs", kv_tokens=11).served[0].position == 0


@pytest.mark.parametrize(("place", "is_kept"), [(REFRESH_PASSES - 3, True), (REFRESH_PASSES // 2, False)])
def test_fcfs_refreshes_the_prefixes_of_waiting_requests(place: int, is_kept: bool) -> None:
    """A prompt in room for four, repeated after four strangers, is only kept if a refresh falls in between."""
    prompt = [7] * 10
    strangers = [[1000 + i] * 10 for i in range(REFRESH_PASSES + 4)]
    queue = [*strangers[:place], prompt, *strangers[place : place + 4], prompt]
    run = serve_serially(requests_of(queue), policy="fcfs", kv_tokens=40)

    assert cached(run)[-1] == (9 if is_kept else 0)


def test_output_is_reused_by_the_next_turn() -> None:
    """Prompt and output enter the cache; a follow-up that repeats both matches them whole."""
    first = TokenRequest(0, packed([1, 2, 3]), packed([4, 5]))
    second = TokenRequest(1, packed([1, 2, 3, 4, 5, 6]))

    assert cached(serve_serially([first, second], policy="fcfs")) == [0, 5]


def test_a_cache_smaller_than_a_page_is_refused() -> None:
    """There is no such cache."""
    with pytest.raises(ValueError, match="no tree"):
        serve_serially([], policy="fcfs", page_tokens=16, kv_tokens=8)
