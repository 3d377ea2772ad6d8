"""Whole prefix units: cases by hand from DeepSeek's guide, and a slow twin."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from radixlint.errors import DataError
from radixlint.providers import load_policy
from radixlint.replay.prefix_cache import MISS, Hit
from radixlint.replay.unit_cache import UnitCache
from radixlint.traffic import CacheLimits, CachePolicy, TokenRequest

DEEPSEEK = load_policy("deepseek", model="deepseek-v4-flash")
SMALL = CachePolicy("small", 2, match="unit", store="entries", ttl_s=10, min_tokens=2)


def request(
    *words: tuple[int, int], output: int = 0, tail: int = 0, time_s: float | None = None, space: str = ""
) -> TokenRequest:
    """Return a prompt of stretches ``(word, tokens)`` and ``tail`` tokens of an open turn, and ``output`` tokens of answer."""
    ids = array("I", [word for word, count in words for _ in range(count)])
    prompt = ids + array("I", [7] * tail)
    ends, at = [], 0
    for _, count in words:
        at += count
        ends.append(at)
    answer = array("I", [8] * output).tobytes()
    return TokenRequest(0, prompt.tobytes(), output=answer, time_s=time_s, namespace=space, block_ends=tuple(ends))


def test_a_common_prefix_hits_from_the_third_request_on() -> None:
    """A+B, then A+C misses though A is shared, then A+D hits A: the prefix became a unit when it was seen twice."""
    cache = UnitCache(DEEPSEEK)
    hits = [cache.serve(request((1, 640), (word, 640))).tokens for word in (2, 3, 4)]

    assert hits == [0, 0, 640]


def test_a_prompt_that_goes_on_hits_the_input_before() -> None:
    """A+B, then A+B+C: the end of the first input is a unit, met whole."""
    cache = UnitCache(DEEPSEEK)
    cache.serve(request((1, 640), (2, 640)))

    assert cache.serve(request((1, 640), (2, 640), (3, 64))) == Hit(1_280, 20)


def test_the_end_of_the_output_is_a_unit() -> None:
    """The next turn of a conversation hits input and answer; one whose answer was altered hits the input alone."""
    cache = UnitCache(DEEPSEEK)
    cache.serve(request((1, 640), output=128))

    assert cache.match(request((1, 640), (8, 128), (3, 64))).tokens == 768
    assert cache.match(request((1, 640), (9, 128), (3, 64))).tokens == 640


def test_a_unit_is_met_whole_or_not_at_all() -> None:
    """One token changed in the last grain of a unit loses all of it; a block cache would keep what stands before."""
    cache = UnitCache(DEEPSEEK)
    cache.serve(request((1, 1_280)))

    assert cache.serve(request((1, 1_279), (2, 1), (3, 64))) == MISS


def test_hits_are_multiples_of_the_grain() -> None:
    """An input of 1,000 tokens is a unit of 960: fifteen times 64."""
    cache = UnitCache(DEEPSEEK)
    cache.serve(request((1, 1_000)))

    assert cache.serve(request((1, 1_000), (2, 500))).tokens == 960


def test_the_same_prompt_again_leaves_a_token_to_compute() -> None:
    """A prompt of whole grains that is sent twice does not hit itself whole; with an open turn behind it does."""
    cache = UnitCache(DEEPSEEK)
    whole, open_turn = request((1, 640)), request((2, 640), tail=4)

    assert [cache.serve(whole).tokens for _ in range(2)] == [0, 0]
    assert [cache.serve(open_turn).tokens for _ in range(2)] == [0, 640]


def test_long_text_writes_units_at_fixed_intervals_where_they_are_known() -> None:
    """With an interval given, the start of a long text is a unit at once; the packaged figure is unknown and leaves it out."""
    first, second = request((1, 5_000), (2, 64)), request((1, 4_500), (3, 64))
    stepped, plain = UnitCache(structs.replace(DEEPSEEK, unit_tokens=2_048)), UnitCache(DEEPSEEK)

    assert [cache.serve(first).tokens for cache in (stepped, plain)] == [0, 0]
    assert [cache.serve(second).tokens for cache in (stepped, plain)] == [4_096, 0]


def test_units_live_from_their_last_use() -> None:
    """A hit starts the time to live anew; a longer gap loses the unit."""
    cache = UnitCache(structs.replace(DEEPSEEK, ttl_s=100))
    hits = [cache.serve(request((1, 640), tail=4, time_s=at)).tokens for at in (0, 100, 200, 301)]

    assert hits == [0, 640, 640, 0]


def test_namespaces_share_no_units() -> None:
    """Neither a unit nor a detected common prefix crosses a namespace."""
    cache = UnitCache(DEEPSEEK)
    for space in ("a", "b"):
        cache.serve(request((1, 640), (2, 64), space=space))

    assert cache.match(request((1, 640), (3, 64), space="a")) == MISS
    assert cache.match(request((1, 640), (2, 64), (3, 64), space="a")).tokens == 704


def test_ids_that_stand_for_blocks_count_their_tokens() -> None:
    """In a trace of block ids of 512 tokens, a unit of two ids counts 1,024 tokens and two blocks."""
    cache = UnitCache(DEEPSEEK)
    first = TokenRequest(0, array("I", [1, 2]).tobytes(), id_tokens=512)
    second = TokenRequest(1, array("I", [1, 2, 3]).tobytes(), id_tokens=512, length_tokens=1_100)

    assert [cache.serve(first), cache.serve(second)] == [MISS, Hit(1_024, 2)]


def test_a_size_is_refused() -> None:
    """Hosted caches have no size to set: saying so beats leaving the figure out of account."""
    with pytest.raises(DataError, match="size of a hosted cache"):
        UnitCache(structs.replace(SMALL, kv_tokens=1_000))


class SlowTwin:
    """The rules by whole sequences side by side; no tree, no digests."""

    def __init__(self, policy: CachePolicy) -> None:
        self.policy = policy
        self.seen: list[tuple[str, bytes]] = []
        self.units: list[tuple[str, bytes, float, float]] = []

    def serve(self, asked: TokenRequest) -> int:
        """Answer as the fast cache must, in tokens."""
        now, grain = asked.time_s or 0.0, self.policy.block_tokens
        sequence = asked.tokens + asked.output
        best = 0
        for space, unit, used, ttl_s in self.units:
            tokens = len(unit) // 4
            fits = space == asked.namespace and asked.tokens.startswith(unit) and now - used <= ttl_s
            if fits and tokens <= asked.prompt_tokens - self.policy.computed_tail_tokens:
                best = max(best, tokens)
        shared = max((common(sequence, old) for space, old in self.seen if space == asked.namespace), default=0)
        ends = {shared, asked.block_ends[-1], len(sequence) // 4}
        if self.policy.unit_tokens:
            ends |= set(range(self.policy.unit_tokens, len(sequence) // 4, self.policy.unit_tokens))
        own = asked.limits or CacheLimits()
        least = self.policy.min_tokens if own.min_tokens is None else own.min_tokens
        written = {end for end in (end // grain * grain for end in ends) if end >= max(1, least)}
        for end in written | ({best} - {0}):
            unit = (asked.namespace, sequence[: end * 4])
            lives = [ttl_s for space, tokens, used, ttl_s in self.units if (space, tokens) == unit and now - used <= ttl_s]
            lives += [own.ttl_s or self.policy.ttl_s or 0.0] if end in written else []
            self.units = [one for one in self.units if one[:2] != unit]
            self.units.append((*unit, now, max(lives)))
        self.seen.append((asked.namespace, sequence))
        return best


def common(one: bytes, other: bytes) -> int:
    """Return how many leading tokens two sequences share, one by one."""
    at = 0
    while at * 4 < min(len(one), len(other)) and one[at * 4 : at * 4 + 4] == other[at * 4 : at * 4 + 4]:
        at += 1
    return at


ASKED = st.tuples(
    st.lists(st.tuples(st.integers(1, 2), st.integers(1, 4)), min_size=1, max_size=5),
    st.integers(0, 4),
    st.integers(0, 3),
    st.integers(0, 12),
    st.sampled_from(["", "b"]),
    st.sampled_from([None, CacheLimits(min_tokens=4), CacheLimits(min_tokens=1, ttl_s=25.0), CacheLimits(ttl_s=3.0)]),
)


@given(st.lists(ASKED, min_size=1, max_size=12), st.integers(1, 3), st.sampled_from([0, 2, 6]), st.integers(0, 1))
def test_equals_the_slow_twin(
    asked: list[tuple[list[tuple[int, int]], int, int, int, str, CacheLimits | None]],
    grain: int,
    interval: int,
    tail_tokens: int,
) -> None:
    """Hits equal those of a twin that compares whole sequences, for any grain, interval, times, limits and namespaces."""
    policy = structs.replace(SMALL, block_tokens=grain, unit_tokens=interval, computed_tail_tokens=tail_tokens)
    cache, twin, now = UnitCache(policy), SlowTwin(policy), 0.0
    for words, output, tail, gap_s, space, limits in asked:
        now += gap_s
        prompt = structs.replace(request(*words, output=output, tail=tail, time_s=now, space=space), limits=limits)
        foreseen = cache.match(prompt)

        assert cache.serve(prompt) == foreseen
        assert foreseen.tokens == twin.serve(prompt)
