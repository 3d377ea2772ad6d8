"""Entries behind breakpoints: cases by hand from the vendors' rules, and a slow twin."""

from __future__ import annotations

from array import array

import pytest
from entry_prompts import prompt
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from radixlint.errors import DataError
from radixlint.providers import load_policy
from radixlint.replay.entry_cache import EntryCache
from radixlint.replay.prefix_cache import MISS, Hit
from radixlint.traffic import CacheLimits, CachePolicy, TokenRequest

ANTHROPIC = load_policy("anthropic", model="claude-opus-4-8")
OPENAI = load_policy("openai-breakpoint", model="gpt-5.6-sol")
SMALL = CachePolicy(
    "small", 1, match="breakpoint", store="entries", computed_tail_tokens=0, min_tokens=3, ttl_s=10, long_ttl_s=20, max_marks=2
)
DEVELOPER_TOKENS = 9_000


def test_changed_last_message_behind_a_fixed_prefix_never_hits_the_implicit_mark() -> None:
    """GPT-5.6 and later: 9,000 fixed developer tokens and a new last message give no hit, and a whole rewrite each time."""
    cache = EntryCache(OPENAI)
    hits = [cache.serve(prompt([(1, DEVELOPER_TOKENS), (question, 100)])) for question in range(10, 15)]

    assert [hit.tokens for hit in hits] == [0] * 5
    assert [hit.written_tokens for hit in hits] == [DEVELOPER_TOKENS + 100] * 5


def test_an_explicit_mark_behind_the_fixed_prefix_hits_it() -> None:
    """The same log with a breakpoint behind the developer message reads 9,000 tokens and writes the last message only."""
    cache = EntryCache(OPENAI)
    hits = [cache.serve(prompt([(1, DEVELOPER_TOKENS), (question, 100)], [0])) for question in range(10, 15)]

    assert [hit.tokens for hit in hits] == [0] + [DEVELOPER_TOKENS] * 4
    assert [hit.written_tokens for hit in hits] == [DEVELOPER_TOKENS + 100] + [100] * 4


def test_a_growing_conversation_hits_its_last_implicit_mark_however_many_blocks_ago() -> None:
    """GPT-5.6 and later look back without a limit of blocks: the newest message of the turn before is found."""
    cache = EntryCache(OPENAI)
    first = [(1, 2_000), (2, 100)]
    cache.serve(prompt(first))

    assert cache.serve(prompt([*first, *((word, 10) for word in range(100, 160))])).tokens == 2_100


@pytest.mark.parametrize(("later_blocks", "read_tokens"), [(1, 2_000), (19, 2_000), (20, 0), (21, 0)])
def test_look_back_ends_after_twenty_places(later_blocks: int, read_tokens: int) -> None:
    """Anthropic searches 20 places, the breakpoint's own the first: an entry 19 blocks before is found, 20 or 21 before not."""
    cache = EntryCache(ANTHROPIC)
    cache.serve(prompt([(1, 2_000)], [0]))
    blocks = [(1, 2_000), *((word, 10) for word in range(100, 100 + later_blocks))]

    assert cache.serve(prompt(blocks, [later_blocks])).tokens == read_tokens


def test_a_second_mark_close_by_finds_what_the_last_cannot_see() -> None:
    """A mark that stays where the entry is reads it, however far the rolling mark has gone on."""
    cache = EntryCache(ANTHROPIC)
    cache.serve(prompt([(1, 2_000)], [0]))
    blocks = [(1, 2_000), *((word, 10) for word in range(100, 140))]

    assert cache.serve(prompt(blocks, [0, 40])) == Hit(2_000, 2_000, written_tokens=400)


def test_marks_see_back_from_their_place_only() -> None:
    """An entry behind the last mark of a request is not read, though the prompt starts with it."""
    cache = EntryCache(ANTHROPIC)
    cache.serve(prompt([(1, 2_000), (2, 500)], [1]))

    assert cache.serve(prompt([(1, 2_000), (2, 500), (3, 10)], [0])) == Hit(0, 0, written_tokens=2_000)


def test_without_a_mark_nothing_is_cached() -> None:
    """Anthropic has no implicit breakpoint: equal prompts without one never hit and write nothing."""
    cache = EntryCache(ANTHROPIC)

    assert [cache.serve(prompt([(1, 5_000)])) for _ in range(3)] == [MISS] * 3


@pytest.mark.parametrize(
    ("model", "min_tokens"), [("claude-opus-4-6", 4_096), ("claude-opus-5-5", 512), ("claude-sonnet-4-5", 1_024)]
)
def test_prefix_below_the_models_minimum_is_not_written(model: str, min_tokens: int) -> None:
    """A prefix one token short of the minimum costs plain input and never hits; one of the minimum is written and hits."""
    short, long = [(1, min_tokens - 1)], [(2, min_tokens)]
    cache = EntryCache(load_policy("anthropic", model=model))

    assert [cache.serve(prompt(short, [0])) for _ in range(2)] == [MISS, MISS]
    assert cache.serve(prompt(long, [0])).written_tokens == min_tokens
    assert cache.serve(prompt(long, [0])) == Hit(min_tokens, min_tokens)


def test_five_minutes_from_the_last_use() -> None:
    """Each hit starts the five minutes anew; a gap of more than five minutes loses the entry."""
    cache = EntryCache(ANTHROPIC)
    hits = [cache.serve(prompt([(1, 2_000)], [0], time_s=at)).tokens for at in (0, 299, 598, 898, 1_199)]

    assert hits == [0, 2_000, 2_000, 2_000, 0]


def test_an_hour_in_front_of_five_minutes() -> None:
    """A long-lived head and a short-lived tail: written apart, at ten minutes the tail is gone and the head is read."""
    cache = EntryCache(ANTHROPIC)
    blocks, marks = [(1, 2_000), (2, 600)], [(0, 3_600.0), 1]
    first, second = (cache.serve(prompt(blocks, marks, time_s=at)) for at in (0, 600))

    assert first == Hit(0, 0, written_tokens=2_600, written_long_tokens=2_000)
    assert second == Hit(2_000, 2_000, written_tokens=600)


def test_requests_without_a_time_expire_nothing() -> None:
    """Where the log has no times, entries live on."""
    cache = EntryCache(ANTHROPIC)

    assert [cache.serve(prompt([(1, 2_000)], [0])).tokens for _ in range(2)] == [0, 2_000]


def test_namespaces_share_nothing() -> None:
    """The same prompt under another model, key or organisation is a miss."""
    cache = EntryCache(ANTHROPIC)
    cache.serve(prompt([(1, 2_000)], [0], namespace="a"))

    assert cache.match(prompt([(1, 2_000)], [0], namespace="b")).tokens == 0
    assert cache.match(prompt([(1, 2_000)], [0], namespace="a")).tokens == 2_000


def test_only_the_latest_marks_are_written() -> None:
    """Of five explicit marks GPT-5.6 writes the latest three beside its implicit one: the first two hold no entry."""
    cache = EntryCache(OPENAI)
    blocks = [(word, 2_000) for word in range(1, 7)]
    cache.serve(prompt(blocks, [0, 1, 2, 3, 4]))
    reads = [cache.match(prompt([*blocks[: n + 1], (99, 50)], [n])).tokens for n in range(5)]

    assert reads == [0, 0, 6_000, 8_000, 10_000]


def test_a_request_that_was_not_laid_out_is_read_at_every_stored_length() -> None:
    """Without block ends the implicit mark stands at the end of the prompt, and the next turn finds it."""
    cache = EntryCache(OPENAI)
    ids = array("I", range(3_000))
    first, second = TokenRequest(0, ids[:2_000].tobytes()), TokenRequest(1, ids.tobytes())

    assert [cache.serve(first).tokens, cache.serve(second).tokens] == [0, 2_000]


def test_a_size_is_refused() -> None:
    """Hosted caches have no size to set: saying so beats leaving the figure out of account."""
    with pytest.raises(DataError, match="size of a hosted cache"):
        EntryCache(structs.replace(SMALL, kv_tokens=1_000))


WORD = st.integers(1, 2)
ASKED = st.tuples(
    st.lists(st.tuples(WORD, st.integers(1, 3)), min_size=1, max_size=6),
    st.sets(st.integers(0, 5), max_size=4),
    st.integers(0, 1),
    st.sampled_from([None, 25.0]),
    st.integers(0, 12),
    st.sampled_from(
        [
            None,
            CacheLimits(min_tokens=1),
            CacheLimits(min_tokens=5, ttl_s=3.0),
            CacheLimits(ttl_s=20.0),
            CacheLimits(long_ttl_s=30.0, is_explicit=True),
        ]
    ),
)


class SlowTwin:
    """The rules by lists and comparison of whole prefixes; no digests, no sorting tricks."""

    def __init__(self, policy: CachePolicy) -> None:
        self.policy = policy
        self.stored: list[tuple[str, bytes, float, float]] = []

    def serve(self, request: TokenRequest) -> Hit:
        """Answer as the fast cache must."""
        policy, now, own = self.policy, request.time_s or 0.0, request.limits or CacheLimits()
        ttl_s = policy.ttl_s if own.ttl_s is None or policy.has_one_ttl else own.ttl_s
        marks = {mark.end_tokens: mark.ttl_s for mark in request.marks}
        if policy.implicit_mark != "none" and not own.is_explicit:
            marks.setdefault(request.block_ends[-1], None)
        best = 0
        for mark in marks:
            places = sorted({end for end in (*request.block_ends, *marks) if end <= mark}, reverse=True)
            for end in places[: policy.look_back_blocks]:
                if self.live(request, end, now) and end > best:
                    best = end
        marks = {end: ttl_s if asked is None or policy.has_one_ttl else asked for end, asked in marks.items()}
        kept = [end for end in sorted(marks) if end >= (policy.min_tokens if own.min_tokens is None else own.min_tokens)]
        kept = kept[max(0, len(kept) - policy.max_marks) :]
        if best:
            self.keep(request, best, now, None)
        for end in kept:
            self.keep(request, end, now, marks[end])
        longs = [end for end in kept if (marks[end] or 0.0) >= (own.long_ttl_s or policy.long_ttl_s or 0.0)]
        return Hit(best, best, max([0, *(e - best for e in kept)]), max([0, *(e - best for e in longs)]))

    def live(self, request: TokenRequest, end: int, now: float) -> bool:
        """Whether an entry equal to the first ``end`` tokens is there and alive."""
        return any(
            space == request.namespace and tokens == request.tokens[: end * 4] and now - used <= ttl
            for space, tokens, used, ttl in self.stored
        )

    def keep(self, request: TokenRequest, end: int, now: float, ttl: float | None) -> None:
        """Use the entry, or store it; of two lives the longer counts while the old one lasts."""
        mine = (request.namespace, request.tokens[: end * 4])
        old = [t for s, tokens, used, t in self.stored if (s, tokens) == mine and now - used <= t]
        self.stored = [entry for entry in self.stored if (entry[0], entry[1]) != mine]
        self.stored.append((*mine, now, max([*old, *([] if ttl is None else [ttl])])))


@given(
    st.lists(ASKED, min_size=1, max_size=12),
    st.sampled_from([None, 1, 2, 3]),
    st.sampled_from(["none", "last-block", "last-message"]),
    st.integers(0, 3),
    st.booleans(),
)
def test_equals_the_slow_twin(
    asked: list[tuple[list[tuple[int, int]], set[int], int, float | None, int, CacheLimits | None]],
    look_back: int | None,
    implicit: str,
    most: int,
    has_one_ttl: bool,
) -> None:
    """Hits and writes equal those of a twin that compares whole prefixes, for any marks, look-back, times, limits, spaces."""
    policy = structs.replace(SMALL, look_back_blocks=look_back, implicit_mark=implicit, max_marks=most, has_one_ttl=has_one_ttl)
    cache, twin, now = EntryCache(policy), SlowTwin(policy), 0.0
    for blocks, places, space, ttl_s, gap_s, limits in asked:
        now += gap_s
        marks: list[int | tuple[int, float]] = [p if ttl_s is None else (p, ttl_s) for p in sorted(places) if p < len(blocks)]
        request = structs.replace(prompt(blocks, marks, time_s=now, namespace=str(space)), limits=limits)
        foreseen = cache.match(request)

        assert cache.serve(request) == foreseen == twin.serve(request)
