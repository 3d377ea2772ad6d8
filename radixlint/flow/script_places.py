"""Where a node of tree-sitter stands in the text: its offsets in UTF-8 bytes become offsets in code points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

_CHUNK: Final = 256
_FOLLOWING: Final = bytes(range(0x80, 0xC0))
"""The bytes of UTF-8 that start no code point."""


class ByteOffsets:
    """Offsets of the nodes of one parse of ``data``, counted from the start of each 256 bytes."""

    __slots__ = ("_counts", "_data")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._counts: list[int] | None = None
        if not data.isascii():
            self._counts = [0]
            for start in range(0, len(data), _CHUNK):
                self._counts.append(self._counts[-1] + len(data[start : start + _CHUNK].translate(None, _FOLLOWING)))

    def range(self, node: Tree) -> tuple[int, int]:
        """Return the half-open range of ``node``."""
        if self._counts is None:
            return node.start_byte, node.end_byte
        return self.offset(node.start_byte), self.offset(node.end_byte)

    def offset(self, byte: int) -> int:
        """Return the offset of byte ``byte``, which starts a code point or is the end."""
        if self._counts is None:
            return byte
        chunk = byte // _CHUNK
        return self._counts[chunk] + len(self._data[chunk * _CHUNK : byte].translate(None, _FOLLOWING))
