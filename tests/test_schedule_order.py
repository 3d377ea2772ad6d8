"""The order of waiting requests: equal to what the engine's own policies gave, and the rules one by one."""

from __future__ import annotations

import json
import struct
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.errors import ConfigError
from radixlint.radix import RadixTree
from radixlint.replay.tree_run import run_alone
from radixlint.serving.schedule_order import LPM_QUEUE_LIMIT, POLICIES, open_queue
from radixlint.serving.subtree_queue import SubtreeQueue
from radixlint.traffic import TokenRequest

ORACLE = Path(__file__).parent / "fixtures" / "oracle"
CACHE_AWARE = ("lpm", "dfs-weight")
CASES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(ORACLE.glob("order-*.json"))}
RUNS = [
    pytest.param(name, run, id=f"{name}-{run['policy']}-page{run['page_size']}")
    for name, case in CASES.items()
    for run in case["runs"]
    if run["policy"] in POLICIES
]


def packed(ids: list[int]) -> bytes:
    """Return ids as the tree takes them."""
    return struct.pack(f"<{len(ids)}I", *ids)


def sort(policy: str, cached: list[list[int]], prompts: list[list[int]], page: int = 1) -> tuple[list[int], list[int]]:
    """Return the order after one pass and the matched tokens, both by place of arrival."""
    tree, clock = RadixTree(page), count()
    for ids in cached:
        tree.insert(packed(ids), now=next(clock))
    queue = open_queue(policy, (TokenRequest(i, packed(ids)) for i, ids in enumerate(prompts)), tree, clock)
    queue.sort()
    order = [entry.request.index for entry in queue.entries()]
    matched = {entry.request.index: entry.matched_tokens for entry in queue.entries()}
    return order, [matched[i] for i in range(len(prompts))]


def test_every_policy_and_both_page_sizes_are_recorded() -> None:
    """The recorded cases cover what this file claims: three policies, pages of 1 and 16, 128 and 129 waiting."""
    runs = [run.values[1] for run in RUNS]

    assert {(run["policy"], run["page_size"]) for run in runs} == {(policy, page) for policy in POLICIES for page in (1, 16)}
    assert {len(case["waiting_queue"]) for case in CASES.values()} >= {128, 129}
    recorded = [run for run in runs if "matched_prefix_tokens" in run]
    assert {(run["policy"], run["page_size"]) for run in recorded} == {(p, page) for p in CACHE_AWARE for page in (1, 16)}
    assert all(run["policy"] == "fcfs" for run in runs if run not in recorded)


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_order_equals_the_engines(name: str, run: dict) -> None:
    """One pass over the recorded queue gives the engine's order and its matched tokens, without a difference."""
    case = CASES[name]
    order, matched = sort(run["policy"], case["cached_sequences"], case["waiting_queue"], run["page_size"])

    assert order == run["expected_order"]
    if run["policy"] in CACHE_AWARE:
        assert matched == run["matched_prefix_tokens"]
    else:
        assert "matched_prefix_tokens" not in run  # the engine did not look


def test_lpm_sorts_up_to_its_limit_only() -> None:
    """At the limit the cached prompt comes first; one request more, and the queue stays in order of arrival."""
    fresh = [[1000 + i, 1] for i in range(LPM_QUEUE_LIMIT - 1)]

    assert sort("lpm", [[1, 2, 3]], [*fresh, [1, 2, 3, 4]])[0][0] == LPM_QUEUE_LIMIT - 1
    assert sort("lpm", [[1, 2, 3]], [*fresh, [999], [1, 2, 3, 4]])[0] == list(range(LPM_QUEUE_LIMIT + 1))


@pytest.mark.parametrize(("shared", "is_deferred"), [(31, False), (32, True), (33, True)])
def test_one_request_a_new_prefix_runs_first(shared: int, is_deferred: bool) -> None:
    """A request that shares 32 tokens with an earlier uncached one goes behind a stranger that came later."""
    prefix = list(range(shared))
    order, _ = sort("lpm", [], [[*prefix, 901, 902], [*prefix, 903, 904], [800, 801]])

    assert order == ([0, 2, 1] if is_deferred else [0, 1, 2])


@pytest.mark.parametrize(("cached", "is_deferred"), [(32, True), (33, False)])
def test_cached_requests_are_not_deferred(cached: int, is_deferred: bool) -> None:
    """More than 32 cached tokens, and the other waiting requests no longer matter."""
    prefix = list(range(40))
    order, _ = sort("lpm", [prefix[:cached]], [[*prefix, 901], [*prefix, 902], [800, 801]])

    assert order == ([0, 2, 1] if is_deferred else [0, 1, 2])


def test_dfs_weight_takes_the_heaviest_subtree_first_and_a_node_after_its_subtree() -> None:
    """Three waiting below B beat two below A; what ends at B itself comes after what hangs below it."""
    order, matched = sort(
        "dfs-weight", [[1, 1, 5], [2, 2, 6]], [[1, 1, 5, 9], [1, 1, 8], [2, 2, 9], [2, 2, 6, 9], [2, 2, 7], [3]]
    )

    assert order == [3, 2, 4, 0, 1, 5]
    assert matched == [3, 2, 2, 3, 2, 0]


def test_equal_weights_keep_the_order_of_insertion_through_splits() -> None:
    """Children with as many waiting requests go by age, and splitting a child does not make it younger."""
    order, _ = sort("dfs-weight", [[1, 1, 1], [2, 2, 2]], [[2, 2, 2, 9], [1, 1, 7]])

    assert order == [1, 0]


def test_the_last_prompt_token_is_never_counted() -> None:
    """A prompt that is cached whole counts one token less; an empty one counts nothing."""
    assert sort("lpm", [[1, 2, 3]], [[1, 2, 3], [], [1]])[1] == [2, 0, 0]


def test_a_prompt_cached_whole_counts_all_but_one_token_with_pages_too() -> None:
    """The queue sorts by 63 of 64 tokens in pages of 16, so behind 64 of a longer prompt; admission then matches 48."""
    whole = list(range(64))
    order, matched = sort("lpm", [whole], [whole, [*whole, *range(900, 916)], [*whole[:48], 800]], page=16)
    tree, clock = RadixTree(16), count()
    tree.insert(packed(whole), now=next(clock))

    assert matched == [63, 64, 48]
    assert order == [1, 0, 2]
    assert run_alone(TokenRequest(0, packed(whole)), tree, clock) == (48, 0)


@given(
    st.lists(st.lists(st.integers(0, 1), max_size=8), max_size=8), st.lists(st.lists(st.integers(0, 1), max_size=8), max_size=12)
)
def test_sorting_loses_nobody(cached: list[list[int]], prompts: list[list[int]]) -> None:
    """Under every policy and page size each request is in the queue once, and cache-aware ones agree on the matches."""
    for page in (1, 4):
        passes = {policy: sort(policy, cached, prompts, page) for policy in POLICIES}
        assert all(sorted(order) == list(range(len(prompts))) for order, _ in passes.values())
        assert passes["lpm"][1] == passes["dfs-weight"][1]
        assert passes["fcfs"][0] == list(range(len(prompts)))


class EveryRequestQueue(SubtreeQueue):
    """The slow twin: matches every request in every pass, as the engine does."""

    def sort(self) -> None:
        for group in self._groups:
            group.path = None
        super().sort()


SPACED_PROMPTS = st.lists(
    st.tuples(st.lists(st.integers(0, 1), max_size=10), st.sampled_from(["", "a"])), min_size=1, max_size=14
)


@given(SPACED_PROMPTS, st.sampled_from([1, 4]), st.integers(12, 40))
def test_grouped_passes_equal_single_matches(prompts: list[tuple[list[int], str]], page: int, kv_tokens: int) -> None:
    """Served under pressure, the grouped queue picks, caches and evicts as one that matches every request each time."""
    runs = []
    for kind in (SubtreeQueue, EveryRequestQueue):
        tree, clock = RadixTree(page, kv_tokens), count()
        queue = kind((TokenRequest(i, packed(ids), b"", space) for i, (ids, space) in enumerate(prompts)), tree, clock)
        passes = []
        while queue:
            queue.sort()
            entries = [(entry.request.index, entry.matched_tokens) for entry in queue.entries()]
            passes.append((entries, run_alone(queue.pop(), tree, clock), list(tree.walk())))
        runs.append(passes)

    assert runs[0] == runs[1]


def test_an_unknown_policy_is_refused() -> None:
    """The error names the policies there are."""
    with pytest.raises(ConfigError, match="dfs-weight"):
        open_queue("sjf", [], RadixTree(), count())
