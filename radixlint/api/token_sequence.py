"""Tokenized requests as a sequence: numbers of the pieces that requests share, joined to ids on access."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import overload

from msgspec import Struct

from radixlint.api.id_buffers import IdBuffers
from radixlint.replay import PartedRequest
from radixlint.traffic import TOKEN_BYTES, CacheLimits, Request, TokenMark, TokenRequest


class PieceIds(Struct, frozen=True, gc=False):
    """The ids of one request: ``pieces`` are numbers of buffers, in wire order; ``block_ends`` are uint32."""

    pieces: Sequence[int]
    output: bytes = b""
    block_ends: bytes = b""
    marks: tuple[TokenMark, ...] = ()


class TokenColumns:
    """The ids of all requests, in their order; what few requests have is held for these alone.

    Attributes:
        buffers: the pieces.
    """

    def __init__(self, buffers: IdBuffers | None = None) -> None:
        self.buffers = buffers or IdBuffers()
        # One after another, for a tuple a request takes three times as much.
        self._pieces, self._ends = array("I"), array("Q", [0])
        self._outputs: dict[int, bytes] = {}
        self._block_ends: dict[int, bytes] = {}
        self._marks: dict[int, tuple[TokenMark, ...]] = {}

    def __len__(self) -> int:
        return len(self._ends) - 1

    def append(self, ids: PieceIds) -> None:
        """Add the next request."""
        position = len(self)
        self._pieces.extend(ids.pieces)
        self._ends.append(len(self._pieces))
        if ids.output:
            self._outputs[position] = ids.output
        if ids.block_ends:
            self._block_ends[position] = ids.block_ends
        if ids.marks:
            self._marks[position] = ids.marks

    def parts(self, position: int) -> tuple[bytes, ...]:
        """Return the ids of the prompt at ``position`` in the buffers that requests share."""
        return tuple(map(self.buffers.__getitem__, self._pieces[self._ends[position] : self._ends[position + 1]]))

    def output(self, position: int) -> bytes:
        """Return the ids of the answer that enter the cache."""
        return self._outputs.get(position, b"")

    def block_ends(self, position: int) -> tuple[int, ...]:
        """Return the ends of the content blocks in tokens."""
        ends = self._block_ends.get(position)
        return tuple(memoryview(ends).cast("I")) if ends else ()

    def marks(self, position: int) -> tuple[TokenMark, ...]:
        """Return the explicit cache marks."""
        return self._marks.get(position, ())


class TokenSequence(Sequence[TokenRequest]):
    """The requests by position; the ids of a request are joined anew on each access, so that a log need not fit whole.

    Args:
        requests: what was tokenized.
        columns: their ids, in the same order.
        limits: their own limits, in the same order, empty where none has any.
    """

    def __init__(self, requests: Sequence[Request], columns: TokenColumns, limits: Sequence[CacheLimits | None] = ()) -> None:
        self._requests = requests
        self._columns = columns
        self.limits = limits

    def with_limits(self, limits: Sequence[CacheLimits | None]) -> TokenSequence:
        """Return the same requests, held once, with ``limits`` of their own."""
        return TokenSequence(self._requests, self._columns, limits)

    def __len__(self) -> int:
        return len(self._columns)

    @overload
    def __getitem__(self, position: int) -> TokenRequest: ...

    @overload
    def __getitem__(self, position: slice) -> tuple[TokenRequest, ...]: ...

    def __getitem__(self, position: int | slice) -> TokenRequest | tuple[TokenRequest, ...]:
        places = range(len(self))[position]
        return self._at(places) if isinstance(places, int) else tuple(map(self._at, places))

    def parted(self, position: int) -> PartedRequest:
        """Return the request at ``position`` in its shared buffers, which are not joined."""
        request, parts = self._requests[position], self._columns.parts(position)
        ids = request.block_tokens if _is_blocks(request) else 1
        length_tokens = request.prompt_tokens if _is_blocks(request) else None
        if length_tokens is None:
            length_tokens = sum(map(len, parts)) // TOKEN_BYTES * ids
        limits = self.limits[position] if self.limits else None
        return PartedRequest(request.index, parts, self._columns.output(position), request.namespace, ids, length_tokens, limits)

    def part_tokens(self, position: int) -> list[int]:
        """Return the lengths in tokens of the parts in which the request at ``position`` was encoded."""
        return [len(part) // TOKEN_BYTES for part in self._columns.parts(position)]

    def _at(self, position: int) -> TokenRequest:
        request, columns = self._requests[position], self._columns
        parts = columns.parts(position)
        is_blocks = _is_blocks(request)
        return TokenRequest(
            request.index,
            parts[0] if len(parts) == 1 else b"".join(parts),
            columns.output(position),
            request.namespace,
            request.priority,
            request.time_s,
            request.block_tokens if is_blocks else 1,
            request.prompt_tokens if is_blocks else None,
            columns.block_ends(position),
            columns.marks(position),
            request.host,
            self.limits[position] if self.limits else None,
        )


def _is_blocks(request: Request) -> bool:
    return request.token_ids is None and request.block_ids is not None
