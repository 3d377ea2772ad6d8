"""The rules of a prefix cache, for all requests and for one."""

from __future__ import annotations

from msgspec import Struct


class CachePolicy(Struct, frozen=True):
    """The rules of one engine's or provider's prefix cache.

    Attributes:
        name: as in ``--engine``.
        block_tokens: the unit of reuse (vLLM block, SGLang page, OpenAI's 128-token step).
        match: what must agree for a hit. ``block``: the longest prefix of whole blocks; ``breakpoint``: a prefix that ends
            exactly where an earlier request wrote one; ``unit``: a stored unit, whole.
        store: how it is kept and given up. ``tree``: whole leaves of a radix tree (SGLang); ``block-pool``: vLLM's free
            queue; ``lru-blocks``: plain LRU per block; ``slots``: the last prompt of each slot (llama.cpp); ``entries``: a
            prefix per breakpoint or unit with a time to live (hosted APIs).
        computed_tail_tokens: how many prompt tokens are always computed.
        kv_tokens: the usable size, None for unlimited.
        eviction: the order of giving up: lru, lfu, slru or priority.
        min_tokens: shorter prefixes are not cached.
        ttl_s: time to live since the last use, None for no limit; ``long_ttl_s`` the longer one that can be asked for.
        has_one_ttl: ``ttl_s`` holds whatever requests and their marks ask for.
        max_marks: breakpoints a request may write, explicit and implicit together.
        implicit_mark: where one stands without being asked for: ``none``, ``last-block``, ``last-message``.
        look_back_blocks: how many content blocks before a breakpoint are searched for an entry, None for all.
        unit_tokens: fixed interval at which long text writes units, 0 for none.
        chunk_tokens: longest piece of a prompt prefilled at once, None for the whole.
        slots: how many slots (``store`` slots).
        replicas: separate caches; ``routing`` chooses one: round-robin, random, hash-prefix or cache-aware.
        in_flight: batch size for the lower bound where a batch sees neither itself nor the one before; 0 for serial.
        source: where the figures are from.
        is_assumed: nobody named the engine.
    """

    name: str
    block_tokens: int
    match: str = "block"
    store: str = "tree"
    computed_tail_tokens: int = 1
    kv_tokens: int | None = None
    eviction: str = "lru"
    min_tokens: int = 0
    ttl_s: float | None = None
    long_ttl_s: float | None = None
    max_marks: int = 0
    implicit_mark: str = "none"
    look_back_blocks: int | None = None
    unit_tokens: int = 0
    chunk_tokens: int | None = None
    slots: int = 0
    replicas: int = 1
    routing: str = "round-robin"
    in_flight: int = 0
    source: str = ""
    is_assumed: bool = False
    has_one_ttl: bool = False


class CacheLimits(Struct, frozen=True, gc=False):
    """The limits of one request where they differ from the policy's, by its model or its wish; None for the policy's.

    A time without end is ``math.inf``. ``is_explicit``: there is no implicit mark.
    """

    min_tokens: int | None = None
    ttl_s: float | None = None
    long_ttl_s: float | None = None
    is_explicit: bool = False


class TokenMark(Struct, frozen=True, gc=False):
    """A cache mark at a place in the tokens: behind the first ``end_tokens``; ``ttl_s`` as asked for."""

    end_tokens: int
    ttl_s: float | None = None
