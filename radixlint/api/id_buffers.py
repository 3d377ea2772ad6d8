"""The ids of the distinct pieces of a log, by number: requests name the pieces they are made of."""

from __future__ import annotations

from typing import Final

from radixlint.traffic import TOKEN_BYTES

_CHUNK_BYTES: Final = 256 * TOKEN_BYTES


class IdBuffers:
    """Buffers of uint32 ids, each under the number it was given in ``add`` or ``cut``, counted from 0."""

    def __init__(self) -> None:
        self._buffers: list[bytes] = []
        self._chunks: dict[bytes, int] = {}

    def __getitem__(self, number: int) -> bytes:
        return self._buffers[number]

    def add(self, ids: bytes) -> int:
        """Hold ``ids`` and return their number."""
        self._buffers.append(ids)
        return len(self._buffers) - 1

    def cut(self, ids: bytes) -> tuple[int, ...]:
        """Hold ``ids`` in chunks of 256 tokens, equal ones once: prompts that start alike share their start."""
        return tuple(self._chunk(ids[at : at + _CHUNK_BYTES]) for at in range(0, len(ids), _CHUNK_BYTES))

    def _chunk(self, ids: bytes) -> int:
        number = self._chunks.get(ids)
        if number is None:
            number = self._chunks[ids] = self.add(ids)
        return number
