"""Tests of which sizes and times a curve shows, and that each shows what simulation gives."""

from __future__ import annotations

from array import array
from itertools import pairwise

import pytest
from block_lru_twin import token_logs, twin_hits, twin_ttl_hits
from hypothesis import given
from hypothesis import strategies as st

from radixlint.capacity import CurveOptions, capacity_curve
from radixlint.result.curve import Curve
from radixlint.traffic import TokenRequest

GIVEN_TOKENS = (0, 1, 7, 30, 10**30)


def curve_of(log: list[TokenRequest], block_tokens: int = 2, **fields: object) -> Curve:
    found = capacity_curve(log, block_tokens, CurveOptions(**fields))  # type: ignore[arg-type]
    assert found is not None
    return found


def chats(count: int = 30, turns: int = 8) -> list[TokenRequest]:
    """Return chats that take turns, each prompt the one before and 50 tokens more."""
    turn_sessions = [(turn, session) for turn in range(1, turns + 1) for session in range(count)]
    prompts = [array("I", [session] * 50 * turn).tobytes() for turn, session in turn_sessions]
    return [TokenRequest(at, tokens, time_s=float(at)) for at, tokens in enumerate(prompts)]


@given(token_logs(), st.integers(1, 4))
def test_points_are_direct_simulation(log: list[TokenRequest], block_tokens: int) -> None:
    """Each size and each time to live that is shown has the hit rate of a direct simulation; the optimum is not below."""
    if not sum(request.prompt_tokens for request in log):
        return
    curve = curve_of(log, block_tokens, kv_tokens=GIVEN_TOKENS, has_optimum=True)
    unit = block_tokens if log[0].id_tokens == 1 else log[0].id_tokens
    assert curve.ttl_points is not None

    for point in curve.points:
        hits = sum(hit for hit, _ in twin_hits(log, block_tokens, point.kv_tokens // unit))
        assert point.hit_rate == hits * unit / curve.prompt_tokens
        assert point.optimum_rate is not None
        assert point.optimum_rate >= point.hit_rate
    for each in curve.ttl_points:
        assert each.hit_rate == twin_ttl_hits(log, block_tokens, each.ttl_s) * unit / curve.prompt_tokens
    assert {point.kv_tokens for point in curve.points if point.is_given} == set(GIVEN_TOKENS)


def test_knees_are_the_smallest_sizes() -> None:
    """A knee reaches its share of the maximum, and a block less does not; the last one is the size that reaches all."""
    log = chats()
    curve = curve_of(log, 16)
    knees = [point for point in curve.points if point.knee_rate is not None]

    assert knees[-1].kv_tokens == curve.full_kv_tokens
    assert knees[-1].hit_rate == curve.most_hit_rate
    for knee in knees:
        assert knee.knee_rate is not None
        below = sum(hit for hit, _ in twin_hits(log, 16, knee.kv_tokens // 16 - 1)) * 16 / curve.prompt_tokens
        assert below < knee.knee_rate * curve.most_hit_rate <= knee.hit_rate


def test_flat_stretches_are_left_out() -> None:
    """Sizes rise, and a round one is shown only if it gives a hundredth of the maximum more than the round one before.

    One prompt that comes every other time fits early; the others come around once in 60 and fit all together or not at all.
    """
    around = [array("I", [number] * 160).tobytes() for loop in range(4) for number in range(1, 61)]
    log = [TokenRequest(0, tokens) for each in around for tokens in (array("I", [0] * 160).tobytes(), each)]
    curve = curve_of(log, 16)
    sizes = [point.kv_tokens for point in curve.points]
    plain = [point.of_most_rate for point in curve.points if point.knee_rate is None]

    assert sizes == sorted(set(sizes))
    assert len(plain) > 1
    assert all(later - earlier >= 0.01 for earlier, later in pairwise(plain))
    assert not [size for size in sizes if 500 < size < 9000]


def test_line_runs_from_the_first_rise_to_all() -> None:
    """The line to be drawn starts where a cache gives no more than one block, never falls and ends at the maximum."""
    line = curve_of(chats(), 16).line
    rates = [rate for _, rate in line]

    assert rates == sorted(rates)
    assert rates[0] < 0.02
    assert rates[-1] == curve_of(chats(), 16).most_hit_rate
    assert len(line) > 200


@pytest.mark.parametrize(("per_token", "gib"), [(None, None), (131_072, 0.5)])
def test_memory_of_a_model(per_token: int | None, gib: float | None) -> None:
    """A size is given in GiB where the memory of a token is known."""
    point = next(p for p in curve_of(chats(), 16, kv_tokens=(4096,), kv_bytes_per_token=per_token).points if p.is_given)

    assert point.kv_gib == gib


def test_stored_outputs_raise_the_curve() -> None:
    """With outputs stored, a prompt that goes on from an answer hits it."""
    ids = array("I", range(64)).tobytes()
    log = [TokenRequest(0, ids[:128], ids[128:]), TokenRequest(1, ids)]

    assert curve_of(log, 16).most_hit_rate == 32 / 96
    assert curve_of(log, 16, store_outputs=True).most_hit_rate == 48 / 96
