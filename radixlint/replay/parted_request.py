"""A request as an unlimited cache needs it: its ids in the parts that requests share, not joined."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from msgspec import Struct

from radixlint.traffic import CacheLimits, TokenRequest


class PartedRequest(Struct, frozen=True):
    """As ``TokenRequest``, but ``parts``, joined, are its tokens."""

    index: int
    parts: tuple[bytes, ...]
    output: bytes
    namespace: str
    id_tokens: int
    prompt_tokens: int
    limits: CacheLimits | None = None


@runtime_checkable
class PartedRequests(Protocol):
    """Requests that are held in parts."""

    def parted(self, position: int) -> PartedRequest:
        """Return the request at ``position``."""


def in_one_part(request: TokenRequest) -> PartedRequest:
    """Return ``request`` as one part."""
    return PartedRequest(
        request.index,
        (request.tokens,),
        request.output,
        request.namespace,
        request.id_tokens,
        request.prompt_tokens,
        request.limits,
    )
