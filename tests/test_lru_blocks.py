"""Tests of the plain LRU cache of blocks, against a twin that takes one step a block."""

from __future__ import annotations

from array import array

import pytest
from block_lru_twin import token_logs, twin_hits
from hypothesis import given
from hypothesis import strategies as st

from radixlint.blocks.lru_blocks import LruBlocks
from radixlint.errors import LogError
from radixlint.traffic import TokenRequest


def request(ids: list[int], **fields: object) -> TokenRequest:
    return TokenRequest(0, array("I", ids).tobytes(), **fields)  # type: ignore[arg-type]


@given(token_logs(), st.integers(1, 4), st.none() | st.integers(1, 40))
def test_every_hit_is_the_twins(log: list[TokenRequest], block_tokens: int, capacity: int | None) -> None:
    """Each request of any log hits as many blocks and tokens as in the twin, and the cache never holds more than its room."""
    cache = LruBlocks(block_tokens, capacity)
    hits = []
    for each in log:
        asked = cache.match(each)
        hits.append(cache.serve(each))

        assert asked == hits[-1]
        assert capacity is None or cache.held_blocks <= capacity
    unit = block_tokens if log[0].id_tokens == 1 else log[0].id_tokens

    assert [(hit.tokens, hit.blocks) for hit in hits] == [(n * unit, b) for n, b in twin_hits(log, block_tokens, capacity)]


def test_tail_goes_first() -> None:
    """When room is short the tail of the older request is given up, its head stays."""
    cache = LruBlocks(1, 4)
    cache.serve(request([1, 2, 3]))
    cache.serve(request([7, 8]))

    assert cache.match(request([1, 2, 3, 4])).blocks == 2


def test_full_repeat_computes_one_token() -> None:
    """A prompt that is held whole still computes its last token, hence its last block, which counts among the blocks only."""
    cache = LruBlocks(2)
    cache.serve(request([1, 2, 3, 4]))

    assert cache.serve(request([1, 2, 3, 4])) == (2, 2)


def test_partly_filled_block_of_a_trace_takes_a_slot() -> None:
    """An id of a trace takes a slot and hits as a block even if its block is not full, but gives no tokens."""
    cache = LruBlocks(16)
    trace = request([5, 6], id_tokens=512, length_tokens=700)
    cache.serve(trace)

    assert cache.held_blocks == 2
    assert cache.serve(trace) == (512, 2)


def test_mixed_sizes_are_refused() -> None:
    """Ids of different sizes in one cache are an error that says what to do, not a wrong figure."""
    cache = LruBlocks(16)
    cache.serve(request([5, 6], id_tokens=512))

    with pytest.raises(LogError, match="one block size"):
        cache.serve(request([5, 6], id_tokens=64))


@pytest.mark.parametrize(("block_tokens", "capacity"), [(0, None), (16, 0)])
def test_sizes_must_be_positive(block_tokens: int, capacity: int | None) -> None:
    """A cache without blocks or room is refused."""
    with pytest.raises(ValueError, match="no cache"):
        LruBlocks(block_tokens, capacity)
