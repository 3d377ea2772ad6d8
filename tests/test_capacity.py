"""Tests of the one-pass curves and the optimum, against direct simulation and exhaustive search."""

from __future__ import annotations

from array import array
from itertools import combinations

import numpy as np
import pytest
from block_lru_twin import countable, keys_of, leading, token_logs, twin_hits, twin_ttl_hits
from hypothesis import given, settings
from hypothesis import strategies as st

from radixlint.capacity.earlier_greater import earlier_greater_sums
from radixlint.capacity.optimum import optimum_blocks
from radixlint.capacity.reuse import find_reuse
from radixlint.capacity.size_curve import SizeCurve
from radixlint.capacity.ttl_curve import TtlCurve
from radixlint.errors import LogError
from radixlint.traffic import TokenRequest


@given(token_logs(), st.integers(1, 4))
def test_curve_is_direct_simulation_at_every_size(log: list[TokenRequest], block_tokens: int) -> None:
    """The curve gives the blocks and the tokens of a direct simulation at every size up to all distinct blocks."""
    reuse = find_reuse(log, block_tokens)
    blocks, counted = SizeCurve(reuse.rank, reuse.blocks), SizeCurve(reuse.rank, reuse.counted)

    for capacity in range(1, reuse.distinct_blocks + 2):
        direct = twin_hits(log, block_tokens, capacity)
        assert (counted.hits(capacity), blocks.hits(capacity)) == tuple(map(sum, zip(*direct, strict=True)))
    assert blocks.most_hits == sum(hit for _, hit in twin_hits(log, block_tokens, None))


@given(token_logs(), st.integers(1, 4))
def test_smallest_size_for_a_number_of_hits(log: list[TokenRequest], block_tokens: int) -> None:
    """The size found for a number of hits gives them, and one block less does not."""
    reuse = find_reuse(log, block_tokens)
    curve = SizeCurve(reuse.rank, reuse.counted)

    for hits in range(curve.most_hits + 1):
        size = curve.size_for(hits)
        assert curve.hits(size) >= hits
        assert size == 0 or curve.hits(size - 1) < hits


@given(token_logs(), st.integers(1, 4))
def test_time_to_live_is_direct_simulation(log: list[TokenRequest], block_tokens: int) -> None:
    """At any time to live the hits are those of a simulation in which blocks expire."""
    curve = TtlCurve(find_reuse(log, block_tokens))

    for quarters in range(42):
        assert curve.hits(quarters / 4) == twin_ttl_hits(log, block_tokens, quarters / 4)
    if curve.most_hits:
        shortest_s = curve.ttl_for(curve.most_hits)
        assert curve.hits(shortest_s) == curve.most_hits > curve.hits(shortest_s - 0.125)


@given(token_logs(), st.integers(1, 4))
def test_optimum_is_never_below_lru(log: list[TokenRequest], block_tokens: int) -> None:
    """At every size the optimum gets at least what LRU gets, and with room for all just that."""
    reuse = find_reuse(log, block_tokens)
    curve = SizeCurve(reuse.rank, reuse.counted)

    for capacity in range(reuse.distinct_blocks + 1):
        assert optimum_blocks(reuse, capacity) >= curve.hits(capacity)
    assert optimum_blocks(reuse, reuse.distinct_blocks) == curve.most_hits


def best_by_search(log: list[TokenRequest], block_tokens: int, capacity: int) -> int:
    """Return the most leading blocks any choice of what to keep gets, by trying every choice."""
    best = {frozenset(): 0}
    for request in log:
        keys = keys_of(request, block_tokens)
        after: dict[frozenset[object], int] = {}
        for held, hits in best.items():
            now = hits + min(leading(keys, held), countable(request, block_tokens))
            offered = sorted(held | set(keys))
            for kept in combinations(offered, min(capacity, len(offered))):
                after[frozenset(kept)] = max(now, after.get(frozenset(kept), 0))
        best = after
    return max(best.values())


@settings(max_examples=60)
@given(token_logs(max_requests=6, max_ids=3), st.integers(1, 3))
def test_optimum_is_the_best_of_all_choices(log: list[TokenRequest], capacity: int) -> None:
    """The optimum is reached: trying every choice of what to keep gives the same number of leading blocks."""
    assert optimum_blocks(find_reuse(log, 2), capacity) == best_by_search(log, 2, capacity)


@given(token_logs(), st.integers(1, 4))
def test_stored_outputs_are_hit_by_later_prompts(log: list[TokenRequest], block_tokens: int) -> None:
    """With outputs stored, a log of prompts and outputs hits as if each output were the end of a prompt that asks nothing."""
    if log[0].id_tokens != 1:
        return
    cuts = [TokenRequest(r.index, r.tokens[:8], r.tokens[8:], r.namespace, time_s=r.time_s) for r in log]
    reuse = find_reuse(cuts, block_tokens, store_outputs=True)
    whole = twin_hits(log, block_tokens, None)

    assert int(reuse.blocks.sum()) == sum(
        min(blocks, len(r.tokens) // (4 * block_tokens)) for (_, blocks), r in zip(whole, cuts, strict=True)
    )
    assert reuse.prompt_tokens == sum(r.prompt_tokens for r in cuts)


@given(st.lists(st.tuples(st.integers(0, 70), st.integers(0, 5)), max_size=40))
def test_sums_of_earlier_greater_entries(entries: list[tuple[int, int]]) -> None:
    """The sums in bulk are those of a plain double loop."""
    values, weights = np.array(entries, np.int64).reshape(-1, 2).T
    plain = [sum(w for v, w in entries[:at] if v > value) for at, (value, _) in enumerate(entries)]

    assert earlier_greater_sums(values, weights).tolist() == plain


def test_unknown_times_and_mixed_sizes() -> None:
    """One request without a time leaves the time to live unknown; ids of different sizes are refused."""
    ids = array("I", [1, 2]).tobytes()
    timed, untimed = TokenRequest(0, ids, time_s=1.0), TokenRequest(1, ids)

    assert find_reuse([timed, untimed], 1).times_s is None
    with pytest.raises(ValueError, match="times"):
        TtlCurve(find_reuse([timed, untimed], 1))
    with pytest.raises(LogError, match="mixed"):
        find_reuse([timed, TokenRequest(1, ids, id_tokens=64)], 1)
