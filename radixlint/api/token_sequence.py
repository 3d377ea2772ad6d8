"""Tokenized requests as a sequence that holds shared buffers and joins them on access."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, overload

from msgspec import Struct

from radixlint.replay import PartedRequest
from radixlint.traffic import TOKEN_BYTES, CacheLimits, Request, TokenMark, TokenRequest

_CHUNK_BYTES: Final = 256 * TOKEN_BYTES


class StoredTokens(Struct, frozen=True, gc=False):
    """The ids of one request: ``buffers`` in wire order, equal ones shared between requests; ``block_ends`` are uint32."""

    buffers: tuple[bytes, ...]
    output: bytes = b""
    block_ends: bytes = b""
    marks: tuple[TokenMark, ...] = ()


class TokenSequence(Sequence[TokenRequest]):
    """The requests by position; the ids of a request are joined anew on each access, so that a log need not fit whole.

    Args:
        requests: what was tokenized.
        stored: their ids, in the same order.
        limits: their own limits, in the same order, empty where none has any.
    """

    def __init__(
        self, requests: Sequence[Request], stored: Sequence[StoredTokens], limits: Sequence[CacheLimits | None] = ()
    ) -> None:
        self._requests = requests
        self._stored = stored
        self.limits = limits

    def with_limits(self, limits: Sequence[CacheLimits | None]) -> TokenSequence:
        """Return the same requests, held once, with ``limits`` of their own."""
        return TokenSequence(self._requests, self._stored, limits)

    def __len__(self) -> int:
        return len(self._stored)

    @overload
    def __getitem__(self, position: int) -> TokenRequest: ...

    @overload
    def __getitem__(self, position: slice) -> TokenSequence: ...

    def __getitem__(self, position: int | slice) -> TokenRequest | TokenSequence:
        if isinstance(position, slice):
            return TokenSequence(self._requests[position], self._stored[position], self.limits[position])
        request, stored = self._requests[position], self._stored[position]
        is_blocks = request.token_ids is None and request.block_ids is not None
        return TokenRequest(
            request.index,
            stored.buffers[0] if len(stored.buffers) == 1 else b"".join(stored.buffers),
            stored.output,
            request.namespace,
            request.priority,
            request.time_s,
            request.block_tokens if is_blocks else 1,
            request.prompt_tokens if is_blocks else None,
            tuple(memoryview(stored.block_ends).cast("I")) if stored.block_ends else (),
            stored.marks,
            request.host,
            self.limits[position] if self.limits else None,
        )

    def parted(self, position: int) -> PartedRequest:
        """Return the request at ``position`` in its shared buffers, which are not joined."""
        request, stored = self._requests[position], self._stored[position]
        ids = request.block_tokens if request.token_ids is None and request.block_ids is not None else 1
        length_tokens = request.prompt_tokens if request.token_ids is None and request.block_ids is not None else None
        if length_tokens is None:
            length_tokens = sum(map(len, stored.buffers)) // TOKEN_BYTES * ids
        limits = self.limits[position] if self.limits else None
        return PartedRequest(request.index, stored.buffers, stored.output, request.namespace, ids, length_tokens, limits)


class ChunkStore:
    """Cuts ids into chunks of 256 tokens and keeps one of equal ones: prompts that start alike share their start."""

    def __init__(self) -> None:
        self._chunks: dict[bytes, bytes] = {}

    def cut(self, ids: bytes) -> tuple[bytes, ...]:
        """Return the chunks of ``ids``."""
        keep = self._chunks.setdefault
        chunks = (ids[at : at + _CHUNK_BYTES] for at in range(0, len(ids), _CHUNK_BYTES))
        return tuple(keep(chunk, chunk) for chunk in chunks)
