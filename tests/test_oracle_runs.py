"""Every recorded run of the engines' own cache code is met request by request."""

from __future__ import annotations

from typing import Any

import pytest
from oracle_cases import CASES, ids, load_case, policy_of, token_requests

from radixlint.replay import open_cache, replay
from radixlint.traffic import CachePolicy, TokenRequest

RECORDED_RUNS = 62
RUNS = [
    pytest.param(case, run, id=f"{case}-{run['engine']}-{number}")
    for case in CASES
    for number, run in enumerate(load_case(case)[1])
]


def test_all_recorded_kinds_of_runs_are_at_hand() -> None:
    """The cases hold all 62 runs: both engines, block sizes, room, eviction orders, chunks, namespaces and outputs."""
    runs = [run.values[1] for run in RUNS]
    policies = [policy_of(run) for run in runs]
    requests = [request for case in CASES for request in load_case(case)[0]]

    assert len(runs) == RECORDED_RUNS
    assert {policy.name for policy in policies} == {"sglang", "vllm"}
    assert len({policy.block_tokens for policy in policies}) >= 3
    assert {policy.kv_tokens is None for policy in policies} == {True, False}
    assert {policy.eviction for policy in policies} == {"lru", "lfu", "slru"}
    assert any(policy.chunk_tokens for policy in policies)
    assert len({request.namespace for request in requests}) > 2
    assert any(request.output for request in requests)


@pytest.mark.parametrize(("case", "run"), RUNS)
def test_replay_equals_the_engines(case: str, run: dict[str, Any]) -> None:
    """A replay under the run's settings hits what the engine hit, for every request."""
    matches = replay(token_requests(load_case(case)[0]), policy_of(run)).matches

    assert [match.engine_tokens for match in matches] == run["expected"]["cached_tokens"]
    assert all(m.engine_blocks * policy_of(run).block_tokens == m.engine_tokens for m in matches)


@pytest.mark.parametrize(("case", "run"), RUNS)
def test_caches_equal_the_engines_and_asking_changes_nothing(case: str, run: dict[str, Any]) -> None:
    """The cache itself gives the engine's figures, unlimited or not; a match foretells them and leaves all as it is."""
    requests = token_requests(load_case(case)[0])[:1000]
    cache = open_cache(policy_of(run))
    foretold, served = [], []
    for i, request in enumerate(requests):
        cache.match(requests[(i * 7) % len(requests)])
        foretold.append(cache.match(request))
        served.append(cache.serve(request))

    assert foretold == served
    assert [hit.tokens for hit in served] == run["expected"]["cached_tokens"][: len(requests)]


@pytest.mark.parametrize(
    ("policy", "percent"), [(CachePolicy("vllm", 16, store="block-pool"), 85.5), (CachePolicy("sglang", 1), 94.4)]
)
def test_identical_prompts(policy: CachePolicy, percent: float) -> None:
    """Of 20 equal prompts of 160 tokens all but the first hit, but for the last block (85.5 %) or token (94.4 %)."""
    requests = [TokenRequest(i, ids(list(range(160)))) for i in range(20)]
    matches = replay(requests, policy).matches

    assert round(100 * sum(m.engine_tokens for m in matches) / sum(m.prompt_tokens for m in matches), 1) == percent
