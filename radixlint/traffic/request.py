"""One request of a log: what was asked, of whom, and what the server reported."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from radixlint.traffic.message import Message

UNREADABLE_USER: Final = ""
"""The user of a request that names one in a form that cannot be read: somebody, but nobody knows who."""


class CacheMark(Struct, frozen=True, gc=False):
    """An explicit cache mark (breakpoint) as logged: it stands behind a tool, or behind a content block of a message.

    ``message`` is None for a mark behind ``tools[tool]``; ``part`` counts the blocks of the message from 0. ``ttl_s`` is
    the time to live asked for, None for the provider's default. Marks stand in wire order.
    """

    tool: int | None = None
    message: int | None = None
    part: int = 0
    ttl_s: float | None = None


class CacheAsk(Struct, frozen=True, gc=False):
    """What a request as a whole asks of the cache; None for the provider's default.

    ``is_explicit``: no mark but its own. ``ttl_s`` is the time to live of all that it writes at marks; ``retention_s`` that
    of prefixes in caches without marks.
    """

    is_explicit: bool = False
    ttl_s: float | None = None
    retention_s: float | None = None


class Settings(Struct, frozen=True, gc=False):
    """What else a log tells that may bear on a miss; requests with equal ones share one object.

    ``parameters`` are those fields of the body that a cache or a template may look at (``tool_choice``, ``thinking``,
    ``reasoning_effort``, ...), name and compact JSON, sorted by name. ``miss_reason`` is the provider's own word for why
    the prompt was not read from its cache, None if it gives none.
    """

    parameters: tuple[tuple[str, str], ...] = ()
    miss_reason: str | None = None


class Usage(Struct, frozen=True, gc=False):
    """What the server reported, in tokens, cached and written included in prompt; None where it said nothing (never 0).

    ``written_tokens`` were written to the cache at a price, ``written_long_tokens`` of them for the longer time to live.
    """

    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    written_tokens: int | None = None
    written_long_tokens: int | None = None


class Request(Struct, frozen=True, gc=False):
    """One request of a log, in file order.

    The prompt is given in one of four forms: ``token_ids``; ``block_ids`` (uint32, each stands for ``block_tokens`` tokens
    and all before them, the last perhaps for fewer) with ``prompt_tokens``; ``rendered`` text as the engine read it; or
    ``tools`` (compact JSON, keys as logged) and ``messages`` that are to be laid out. A record with usage alone has none.

    ``time_s`` is seconds since the epoch (or since any start). ``namespace`` separates what is never shared. ``reply`` is
    the answer as logged. ``host`` names the machine or replica that served it; ``tenant`` is a team, organisation or
    customer; ``tags`` are the log's own labels; ``template`` names the prompt template if the log does. ``format`` names
    the log format it was read as, empty for a request that was not read. ``settings`` are None where the log has none.
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
    settings: Settings | None = None

    @property
    def has_prompt(self) -> bool:
        """Whether the prompt itself is known, in any form; else only what was reported about it."""
        return bool(self.messages or self.tools) or any(x is not None for x in (self.token_ids, self.rendered, self.block_ids))
