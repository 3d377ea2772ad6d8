"""What every prefix cache answers, whatever its rules: how much of a prompt is there, and then keep it."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from radixlint.traffic import TokenRequest


class Hit(Struct, frozen=True):
    """What was there: ``tokens`` of the prompt under all rules of the policy, and the ``blocks`` they stand in.

    ``blocks`` counts blocks of the policy, or the leading block ids of a trace, a partly filled last one included.
    ``written_tokens`` are written to the cache by serving the request where writes have a price (breakpoints), beyond those
    hit; ``written_long_tokens`` of them for the longer time to live.
    """

    tokens: int
    blocks: int
    written_tokens: int = 0
    written_long_tokens: int = 0


MISS = Hit(0, 0)


class PrefixCache(Protocol):
    """One cache under one policy; requests come one at a time, in order of ``TokenRequest.time_s`` where that is known."""

    def match(self, request: TokenRequest) -> Hit:
        """Return what ``request`` would hit now; later answers are the same as without the question."""

    def serve(self, request: TokenRequest) -> Hit:
        """Return what ``request`` hits, then keep its prompt and output as the policy's cache does."""
