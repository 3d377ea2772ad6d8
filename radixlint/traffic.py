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


class Message(Struct, frozen=True):
    """One message as sent; text parts are joined by a newline, other parts appear as an opaque mark with their hash."""

    role: str
    text: str
    tool_calls: tuple[ToolCall, ...] = ()


class Usage(Struct, frozen=True):
    """What the server reported, in tokens, cached included in prompt; None where it said nothing (never 0)."""

    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None


class Request(Struct, frozen=True):
    """One request of a log, in file order.

    Either ``token_ids`` is given, or ``tools`` (compact JSON, keys as logged) and ``messages`` are to be laid out and
    tokenized. ``time_s`` is seconds since the epoch (or since any start). ``namespace`` separates what is never
    shared.
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


class LogRead(Struct, frozen=True):
    """What came of reading logs.

    ``records`` counts non-blank lines, ``skipped`` bad ones by reason, ``notes`` are full sentences about what is
    missing or was altered, ``alterations`` those of them that tell what was skipped, dropped or altered in reading,
    ``requests`` the good records ordered by time where given, else as read.
    """

    format: str
    records: int
    requests: tuple[Request, ...]
    skipped: dict[str, int]
    notes: tuple[str, ...] = ()
    alterations: tuple[str, ...] = ()


def has_too_many_bad_records(records: int, read: int) -> bool:
    """Whether more than 5 % of ``records`` could not be read."""
    return records - read > BAD_RECORDS_LIMIT * records


class CachePolicy(Struct, frozen=True):
    """The rules of one engine's prefix cache.

    ``block_tokens`` is the unit of reuse (vLLM block, SGLang page); ``computed_tail_tokens`` is how many prompt tokens
    are always computed; ``kv_tokens`` is the usable size, None for unlimited; ``source`` says where the figures are from.
    """

    name: str
    block_tokens: int
    computed_tail_tokens: int = 1
    kv_tokens: int | None = None
    eviction: str = "lru"
    source: str = ""
    is_assumed: bool = False


class TokenRequest(Struct, frozen=True):
    """A tokenized request: ``tokens`` and ``output`` are uint32 buffers; ``output`` leaves out the last sampled token."""

    index: int
    tokens: bytes
    output: bytes = b""
    namespace: str = ""

    @property
    def prompt_tokens(self) -> int:
        """Length of the prompt in tokens."""
        return len(self.tokens) // TOKEN_BYTES


class Match(Struct, frozen=True):
    """How a cache answered one request, in tokens: 0 <= engine <= shareable <= prompt."""

    index: int
    prompt_tokens: int
    shareable_tokens: int
    engine_tokens: int
