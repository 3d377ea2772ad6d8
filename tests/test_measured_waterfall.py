"""Where prompt tokens go: parts that add up, whatever rules apply."""

from __future__ import annotations

import math
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from radixlint.api.measured_waterfall import Waterfall
from radixlint.providers import load_policy, provider_names
from radixlint.replay import replay
from radixlint.traffic import CacheLimits, CachePolicy, TokenMark, TokenRequest


def request(index: int, tokens: list[int], *, time_s: float | None = None, mark: int | None = None) -> TokenRequest:
    marks = () if mark is None else (TokenMark(mark),)
    return TokenRequest(
        index, array("I", tokens).tobytes(), time_s=time_s, block_ends=tuple(range(1, len(tokens) + 1)), marks=marks
    )


def causes(requests: list[TokenRequest], policy: CachePolicy) -> dict[str, int]:
    waterfall = Waterfall(requests, policy, replay(requests, policy))
    return {entry.cause: entry.tokens for entry in waterfall.entries()}


TIMES_S = st.sampled_from([None, 30.0, 400.0, math.inf])
LIMITS = st.builds(CacheLimits, st.sampled_from([None, 0, 1, 5]), TIMES_S, TIMES_S, st.booleans())


@st.composite
def logs(draw: st.DrawFn) -> list[TokenRequest]:
    """Draw requests that often share their heads, at rising times, with a mark, some with limits of their own."""
    heads = draw(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=9), min_size=1, max_size=4))
    picks = draw(st.lists(st.tuples(st.sampled_from(heads), st.lists(st.integers(0, 3), max_size=6)), min_size=1, max_size=14))
    gaps = draw(st.lists(st.integers(0, 500), min_size=len(picks), max_size=len(picks)))
    limits = draw(st.lists(st.none() | LIMITS, min_size=len(picks), max_size=len(picks)))
    drawn = [request(i, [*head, *tail], time_s=float(sum(gaps[: i + 1])), mark=len(head)) for i, (head, tail) in enumerate(picks)]
    return [structs.replace(one, limits=own) for one, own in zip(drawn, limits, strict=True)]


@given(
    logs(),
    st.sampled_from(provider_names()),
    st.sampled_from([None, 8, 12]),
    st.sampled_from([None, 60.0]),
    st.sampled_from([1, 3]),
    st.sampled_from([0, 2]),
)
@settings(max_examples=300, deadline=None)
def test_parts_are_never_negative_and_add_up(
    requests: list[TokenRequest], name: str, kv_tokens: int | None, ttl_s: float | None, replicas: int, in_flight: int
) -> None:
    """Under every provider and any mix of limits: hit first and equal to the engine's tokens, all parts >= 0, sum exact."""
    policy = load_policy(name)
    policy = structs.replace(
        policy,
        block_tokens=min(policy.block_tokens, 2),
        min_tokens=min(policy.min_tokens, 2),
        kv_tokens=None if policy.store in ("entries", "slots") else kv_tokens,
        ttl_s=ttl_s or policy.ttl_s,
        replicas=replicas,
        in_flight=in_flight,
    )
    replayed = replay(requests, policy)
    entries = Waterfall(requests, policy, replayed).entries()

    assert entries[0].cause == "hit"
    assert entries[0].tokens == sum(m.engine_tokens for m in replayed.matches)
    assert min(entry.tokens for entry in entries) >= 0
    assert sum(entry.tokens for entry in entries) == sum(r.prompt_tokens for r in requests)


@pytest.mark.parametrize(
    ("changes", "times_s", "cause", "lost"),
    [
        ({"kv_tokens": 4}, (0, 1, 2), "capacity", 2),
        ({"ttl_s": 10.0}, (0, 1, 99), "ttl", 2),
        ({"replicas": 2}, (0, 1, 2), None, 0),
        ({"min_tokens": 3}, (0, 1, 2), "below-minimum", 2),
        ({"in_flight": 9}, (0, 1, 2), "parallel-start", 2),
    ],
)
def test_each_rule_is_charged_with_its_own_loss(
    changes: dict[str, object], times_s: tuple[float, ...], cause: str | None, lost: int
) -> None:
    """A, B, A with two tokens of A to be reused: the one rule that prevents it has them, and nothing else loses."""
    policy = structs.replace(load_policy("sglang", 1), **changes)  # type: ignore[arg-type]
    tokens = ([1, 2, 3], [7, 8, 9], [1, 2, 3])
    requests = [request(i, one, time_s=t) for i, (one, t) in enumerate(zip(tokens, times_s, strict=True))]
    found = causes(requests, policy)

    assert found["hit"] == 2 - lost
    assert {name: n for name, n in found.items() if name not in ("hit", "unknown", "block-floor") and n} == (
        {cause: lost} if cause else {}
    )
    assert found["unknown"] == 6


def test_routing_is_charged_where_another_replica_had_the_prefix() -> None:
    """Two equal prompts go to two replicas in turn: what the second could have used is lost to routing."""
    policy = structs.replace(load_policy("sglang", 1), replicas=2)
    found = causes([request(0, [1, 2, 3]), request(1, [1, 2, 3])], policy)

    assert (found["hit"], found["routing"], found["block-floor"]) == (0, 2, 1)


def test_a_missing_mark_is_charged_under_breakpoint_rules() -> None:
    """Without a mark nothing is stored: all that was shareable, but what is always computed, is lost to the marker."""
    policy = structs.replace(load_policy("anthropic"), min_tokens=0, ttl_s=None)
    unmarked = [structs.replace(request(i, [1, 2, 3, 4]), marks=()) for i in range(2)]
    marked = [request(i, [1, 2, 3, 4], mark=3) for i in range(2)]

    assert causes(unmarked, policy)["marker"] == 4 - policy.computed_tail_tokens
    assert causes(marked, policy)["hit"] == 3
