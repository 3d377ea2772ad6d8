"""Requests with limits of their own at a cache of entries: mode explicit, times to live, and those that hold for all."""

from __future__ import annotations

from entry_prompts import prompt
from msgspec import structs

from radixlint.providers import load_policy
from radixlint.replay.entry_cache import EntryCache
from radixlint.replay.prefix_cache import MISS, Hit
from radixlint.traffic import CacheLimits

ANTHROPIC = load_policy("anthropic", model="claude-opus-4-8")
OPENAI = load_policy("openai-breakpoint", model="gpt-5.6-sol")


def test_without_marks_of_its_own_an_explicit_request_neither_reads_nor_writes() -> None:
    """In mode explicit nothing stands at the newest message: equal prompts never hit, and with a mark only that one counts."""
    cache, explicit = EntryCache(OPENAI), CacheLimits(is_explicit=True)
    bare = structs.replace(prompt([(1, 3_000)]), limits=explicit)
    marked = structs.replace(prompt([(1, 3_000), (2, 500)], [0]), limits=explicit)

    assert [cache.serve(bare) for _ in range(2)] == [MISS, MISS]
    assert cache.serve(marked) == Hit(0, 0, written_tokens=3_000)
    assert cache.serve(marked) == Hit(3_000, 3_000)


def test_in_mode_explicit_the_latest_four_marks_are_written() -> None:
    """Of six marks the first two hold no entry; there is no implicit one that would take a place."""
    cache, blocks = EntryCache(OPENAI), [(word, 2_000) for word in range(1, 7)]
    cache.serve(structs.replace(prompt(blocks, range(6)), limits=CacheLimits(is_explicit=True)))
    reads = [cache.match(prompt([*blocks[: n + 1], (99, 50)], [n])).tokens for n in range(6)]

    assert reads == [0, 0, 6_000, 8_000, 10_000, 12_000]


def test_the_time_to_live_of_a_request_is_that_of_all_it_writes() -> None:
    """Twelve hours asked for by the request: its writes are long ones, and an hour later it is read; 30 minutes are not."""
    assert OPENAI.long_ttl_s is not None
    long, usual = EntryCache(OPENAI), EntryCache(OPENAI)
    asked = [structs.replace(prompt([(1, 3_000)], time_s=at), limits=CacheLimits(ttl_s=OPENAI.long_ttl_s)) for at in (0, 3_600)]

    assert [long.serve(one) for one in asked] == [Hit(0, 0, 3_000, 3_000), Hit(3_000, 3_000)]
    assert [usual.serve(structs.replace(one, limits=None)) for one in asked] == [Hit(0, 0, 3_000)] * 2


def test_one_time_to_live_for_all_holds_whatever_marks_ask_for() -> None:
    """Where the user sets the time to live, an hour at a mark and twelve in the request count as that time."""
    cache = EntryCache(structs.replace(ANTHROPIC, ttl_s=60, has_one_ttl=True))
    asked = [structs.replace(prompt([(1, 2_000)], [(0, 3_600.0)], time_s=at), limits=CacheLimits(ttl_s=9e9)) for at in (0, 61)]

    assert [cache.serve(one) for one in asked] == [Hit(0, 0, 2_000)] * 2


def test_without_a_time_to_live_marks_expire_nothing() -> None:
    """A policy that leaves the time to live out leaves out those that marks ask for as well."""
    cache = EntryCache(structs.replace(ANTHROPIC, ttl_s=None, long_ttl_s=None))
    asked = [prompt([(1, 2_000)], [(0, 3_600.0)], time_s=at) for at in (0, 1e9)]

    assert [cache.serve(one).tokens for one in asked] == [0, 2_000]
