"""Traces whose ids stand for blocks: lengths in tokens, rules in ids."""

from __future__ import annotations

import random

import pytest
from oracle_cases import ids

from radixlint.replay import replay
from radixlint.traffic import CachePolicy, TokenRequest

STORES = ("tree", "block-pool", "lru-blocks")


def trace(*lines: tuple[list[int], int]) -> list[TokenRequest]:
    """Return requests of ids that stand for 64 tokens each; the second of a pair is the prompt's length."""
    return [TokenRequest(i, ids(blocks), id_tokens=64, length_tokens=length) for i, (blocks, length) in enumerate(lines)]


@pytest.mark.parametrize("kv_tokens", [None, 640])
@pytest.mark.parametrize("store", STORES)
def test_full_blocks_count_and_never_the_last_token(store: str, kv_tokens: int | None) -> None:
    """A repeated prompt hits its full blocks, but not a last one that is full; hit ids count it, filled or not."""
    requests = trace(([1, 2, 3], 150), ([1, 2, 3], 150), ([1, 2, 9], 192), ([1, 2, 9], 192), ([1, 4], 128))
    matches = replay(requests, CachePolicy("any", 16, store=store, kv_tokens=kv_tokens)).matches

    assert [m.prompt_tokens for m in matches] == [150, 150, 192, 192, 128]
    assert [m.shareable_tokens for m in matches] == [0, 150, 128, 192, 64]
    assert [m.engine_tokens for m in matches] == [0, 128, 128, 128, 64]
    assert [m.engine_blocks for m in matches] == [0, 3, 2, 3, 1]


@pytest.mark.parametrize("store", ["tree", "block-pool"])
def test_larger_blocks_are_so_many_ids(store: str) -> None:
    """Blocks of 128 tokens are two ids: an odd one is not hit."""
    requests = trace(([1, 2, 3, 4], 256), ([1, 2, 3, 5], 256), ([1, 2, 3, 4], 256))
    for kv_tokens in (None, 1_024):
        matches = replay(requests, CachePolicy("any", 128, store=store, kv_tokens=kv_tokens)).matches

        assert [m.engine_tokens for m in matches] == [0, 128, 128]
        assert [m.engine_blocks for m in matches] == [0, 2, 4]


def test_ids_of_different_lengths_never_share() -> None:
    """Equal ids that stand for 64 tokens and for one are different text."""
    requests = [*trace(([1, 2], 128)), TokenRequest(1, ids([1, 2])), TokenRequest(2, ids([1, 2]))]
    for kv_tokens in (None, 1_024):
        matches = replay(requests, CachePolicy("any", 1, kv_tokens=kv_tokens)).matches

        assert [(m.shareable_tokens, m.engine_tokens) for m in matches] == [(0, 0), (0, 0), (2, 1)]


def test_a_rounded_replay_equals_a_replay_of_ids() -> None:
    """Rounding to another block size gives what a replay under that policy gives, for traces too."""
    draw = random.Random(5)
    requests = [
        TokenRequest(i, ids([1, 2, draw.randrange(3), i % 2]), id_tokens=64, length_tokens=draw.randint(193, 256))
        for i in range(20)
    ]
    first, second = CachePolicy("any", 64), CachePolicy("any", 128)

    assert replay(requests, first).under(second) == replay(requests, second)
