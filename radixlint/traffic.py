"""What was asked and how a cache answered: requests, policies, matches.

Token ids are little-endian uint32 buffers (4 bytes a token), never Python ints.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

TOKEN_BYTES: Final = 4
BAD_RECORDS_LIMIT: Final = 0.05
"""Share of unreadable records above which a run fails unless told to be lenient."""
UNREADABLE_USER: Final = ""
"""The user of a request that names one in a form that cannot be read: somebody, but nobody knows who."""


class ToolCall(Struct, frozen=True):
    """A call the assistant made; ``arguments`` is the string exactly as logged."""

    name: str
    arguments: str
    id: str = ""


class Message(Struct, frozen=True):
    """One message as sent; text parts are joined by a newline, other parts appear as an opaque mark with their hash.

    ``parts`` are the texts of the content blocks where there are several (joined they are ``text``), else empty.
    ``extra`` is a compact JSON object of the other fields that a chat template may print (``name``, ``tool_call_id``,
    ``reasoning_content``), empty for none.
    """

    role: str
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    parts: tuple[str, ...] = ()
    extra: str = ""


class CacheMark(Struct, frozen=True):
    """An explicit cache mark (breakpoint) as logged: it stands behind a tool, or behind a content block of a message.

    ``message`` is None for a mark behind ``tools[tool]``; ``part`` counts the blocks of the message from 0. ``ttl_s`` is
    the time to live asked for, None for the provider's default. Marks stand in wire order.
    """

    tool: int | None = None
    message: int | None = None
    part: int = 0
    ttl_s: float | None = None


class CacheAsk(Struct, frozen=True):
    """What a request as a whole asks of the cache; None for the provider's default.

    ``is_explicit``: no mark but its own. ``ttl_s`` is the time to live of all that it writes at marks; ``retention_s`` that
    of prefixes in caches without marks.
    """

    is_explicit: bool = False
    ttl_s: float | None = None
    retention_s: float | None = None


class Usage(Struct, frozen=True):
    """What the server reported, in tokens, cached and written included in prompt; None where it said nothing (never 0).

    ``written_tokens`` were written to the cache at a price, ``written_long_tokens`` of them for the longer time to live.
    """

    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    written_tokens: int | None = None
    written_long_tokens: int | None = None


class Request(Struct, frozen=True):
    """One request of a log, in file order.

    The prompt is given in one of four forms: ``token_ids``; ``block_ids`` (uint32, each stands for ``block_tokens`` tokens
    and all before them, the last perhaps for fewer) with ``prompt_tokens``; ``rendered`` text as the engine read it; or
    ``tools`` (compact JSON, keys as logged) and ``messages`` that are to be laid out. A record with usage alone has none.

    ``time_s`` is seconds since the epoch (or since any start). ``namespace`` separates what is never shared. ``reply`` is
    the answer as logged. ``host`` names the machine or replica that served it; ``tenant`` is a team, organisation or
    customer; ``tags`` are the log's own labels; ``template`` names the prompt template if the log does. ``format`` names
    the log format it was read as, empty for a request that was not read.
    """

    index: int
    id: str | None = None
    session: str | None = None
    user: str | None = None
    model: str | None = None
    namespace: str = ""
    priority: int = 0
    time_s: float | None = None
    tools: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    token_ids: bytes | None = None
    output_ids: bytes = b""
    usage: Usage | None = None
    rendered: str | None = None
    block_ids: bytes | None = None
    block_tokens: int = 1
    prompt_tokens: int | None = None
    reply: Message | None = None
    marks: tuple[CacheMark, ...] = ()
    cache_ask: CacheAsk | None = None
    tenant: str | None = None
    tags: tuple[str, ...] = ()
    template: str | None = None
    host: str | None = None
    format: str = ""

    @property
    def has_prompt(self) -> bool:
        """Whether the prompt itself is known, in any form; else only what was reported about it."""
        return bool(self.messages or self.tools) or any(x is not None for x in (self.token_ids, self.rendered, self.block_ids))


class EngineStats(Struct, frozen=True):
    """What an engine's own statistics lines say, over one log.

    ``lines`` counts them. ``new_tokens`` and ``cached_tokens`` are sums over the lines, None where lines do not count
    tokens (vLLM); ``computed_tokens`` is then an estimate: printed prompt throughput (computed tokens only) times the
    interval. ``window_hit_rate`` is the last printed rate, 0..1, over the ``window_requests`` most recent requests.
    ``kv_tokens`` and ``block_tokens`` are what the start-up lines name.
    """

    engine: str
    lines: int
    new_tokens: int | None = None
    cached_tokens: int | None = None
    computed_tokens: int | None = None
    window_hit_rate: float | None = None
    window_requests: int | None = None
    peak_kv_usage_rate: float | None = None
    kv_tokens: int | None = None
    block_tokens: int | None = None


class LogRead(Struct, frozen=True):
    """What came of reading logs.

    ``records`` counts lines or documents, in an engine's log the requests it tells of, ``skipped`` bad ones by reason,
    ``notes`` are full sentences about what is missing or was altered, ``alterations`` those of them that tell what was
    passed over, skipped, dropped or altered in reading,
    ``requests`` the good records ordered by time where given, else as read; one record may hold several requests, and
    several records one. ``read`` counts the records that were understood, also those that only add to another (an answer,
    a repeated row); None stands for the number of requests. ``engine`` is the engine whose log this is, if it is one's.
    ``is_sampled`` says that only a part of the log was asked for.
    """

    format: str
    records: int
    requests: tuple[Request, ...]
    skipped: dict[str, int]
    notes: tuple[str, ...] = ()
    alterations: tuple[str, ...] = ()
    read: int | None = None
    stats: tuple[EngineStats, ...] = ()
    engine: str | None = None
    is_sampled: bool = False

    @property
    def records_read(self) -> int:
        """How many records were understood."""
        return len(self.requests) if self.read is None else self.read


def has_too_many_bad_records(records: int, read: int) -> bool:
    """Whether more than 5 % of ``records`` could not be read."""
    return records - read > BAD_RECORDS_LIMIT * records


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


class CacheLimits(Struct, frozen=True):
    """The limits of one request where they differ from the policy's, by its model or its wish; None for the policy's.

    A time without end is ``math.inf``. ``is_explicit``: there is no implicit mark.
    """

    min_tokens: int | None = None
    ttl_s: float | None = None
    long_ttl_s: float | None = None
    is_explicit: bool = False


class TokenMark(Struct, frozen=True):
    """A cache mark at a place in the tokens: behind the first ``end_tokens``; ``ttl_s`` as asked for."""

    end_tokens: int
    ttl_s: float | None = None


class TokenRequest(Struct, frozen=True):
    """A tokenized request: ``tokens`` and ``output`` are uint32 buffers; ``output`` leaves out the last sampled token.

    Each id stands for ``id_tokens`` tokens: 1, or a block's size in traces of block ids, where ``length_tokens`` is the
    length of the prompt. ``block_ends`` are the ends of the content blocks in wire order, in tokens (empty where the
    request was not laid out); ``marks`` the explicit cache marks, in wire order. ``limits`` are its own.
    """

    index: int
    tokens: bytes
    output: bytes = b""
    namespace: str = ""
    priority: int = 0
    time_s: float | None = None
    id_tokens: int = 1
    length_tokens: int | None = None
    block_ends: tuple[int, ...] = ()
    marks: tuple[TokenMark, ...] = ()
    host: str | None = None
    limits: CacheLimits | None = None

    @property
    def prompt_tokens(self) -> int:
        """Length of the prompt in tokens."""
        return len(self.tokens) // TOKEN_BYTES * self.id_tokens if self.length_tokens is None else self.length_tokens


class Match(Struct, frozen=True):
    """How a cache answered one request, in tokens: 0 <= engine <= shareable <= prompt.

    ``engine_blocks`` are the blocks (or block ids of a trace) that were hit, a partly filled last one included.
    """

    index: int
    prompt_tokens: int
    shareable_tokens: int
    engine_tokens: int
    engine_blocks: int = 0
