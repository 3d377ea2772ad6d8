"""A request as tokens, and how a cache answered it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from radixlint.traffic.cache_policy import CacheLimits, TokenMark

TOKEN_BYTES: Final = 4


class TokenRequest(Struct, frozen=True, gc=False):
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


class Match(Struct, frozen=True, gc=False):
    """How a cache answered one request, in tokens: 0 <= engine <= shareable <= prompt.

    ``engine_blocks`` are the blocks (or block ids of a trace) that were hit, a partly filled last one included.
    """

    index: int
    prompt_tokens: int
    shareable_tokens: int
    engine_tokens: int
    engine_blocks: int = 0
