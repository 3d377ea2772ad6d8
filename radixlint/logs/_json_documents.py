r"""JSON that is not one record a line: arrays and documents over several lines, cut into records in bounded memory.

Only brackets, quotes and backslashes are looked at. The elements of an array are records; an object outside an array is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_ARRAY_OF_OBJECTS: Final = re.compile(rb"\s*\[\s*(?:\{|\Z)")
_OPEN_OBJECT: Final = re.compile(rb"\s*\{")
# What ends a line in the middle of a document; a line that was cut off ends so by chance only.
_GOES_ON: Final = (b"{", b"[", b",", b":")
# Texts are passed over whole, so that one step leads to the next bracket.
_TO_BRACKET: Final = re.compile(rb'(?:[^"{}\[\]]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+', re.DOTALL)
_TO_QUOTE: Final = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_BETWEEN: Final = re.compile(rb"[\s,]*+")
_SCALAR: Final = re.compile(rb'[^\s,{}\[\]"]++')
_OPENING: Final = b"{["
_CLOSING: Final = b"}]"


def is_documents(head: bytes) -> bool:
    """Whether a file that starts with ``head`` (plain bytes) holds JSON arrays, or documents over several lines."""
    if _ARRAY_OF_OBJECTS.match(head):
        return True
    first, has_end, rest = head.lstrip().partition(b"\n")
    if not first.startswith(b"{") or not has_end or not first.rstrip().endswith(_GOES_ON):
        return False
    return first.rstrip().endswith(b"[") or not _OPEN_OBJECT.match(rest)


def split_documents(chunks: Iterator[bytes], max_record_bytes: int) -> Iterator[tuple[int, bytes | None]]:
    """Yield the records in ``chunks``, each with the line it starts in, from 1; None for one over ``max_record_bytes``."""
    splitter = _Splitter(max_record_bytes)
    for chunk in chunks:
        yield from splitter.feed(chunk)
    if splitter.is_in_record:
        yield splitter.take()


class _Splitter:
    """Where in the text the reader stands: in an array, how deep in a record, whether in a string or a bare value."""

    def __init__(self, max_record_bytes: int) -> None:
        self._max_record_bytes = max_record_bytes
        self._kept: list[bytes] = []
        self._kept_bytes = 0
        self._is_in_array = False
        self._depth = 0
        self._is_in_scalar = False
        self._is_in_string = False
        self._is_escaped = False
        self._line = 1
        self._first_line = 1

    @property
    def is_in_record(self) -> bool:
        """Whether a record has begun and not ended."""
        return self._depth > 0 or self._is_in_string or self._is_in_scalar

    def feed(self, chunk: bytes) -> Iterator[tuple[int, bytes | None]]:
        """Yield the records that end in ``chunk``."""
        position = 0
        while position < len(chunk):
            start = position if self.is_in_record else self._begin(chunk, position)
            if start == len(chunk):
                return
            position = self._end(chunk, start)
            self._keep(chunk[start:position])
            if not self.is_in_record:
                yield self.take()

    def take(self) -> tuple[int, bytes | None]:
        """Return the record that ended, or that was cut off."""
        record = b"".join(self._kept) if self._kept_bytes <= self._max_record_bytes else None
        self._kept, self._kept_bytes = [], 0
        return self._first_line, record

    def _begin(self, chunk: bytes, position: int) -> int:
        """Return where the next record begins: after white space, commas and the brackets of the array around it."""
        start = position
        while True:
            between = _BETWEEN.match(chunk, start)
            start = between.end() if between else start
            mark = chunk[start : start + 1]
            if mark not in (b"[", b"]") or (mark == b"[") == self._is_in_array:
                break
            self._is_in_array = not self._is_in_array
            start += 1
        self._line += chunk.count(b"\n", position, start)
        self._first_line = self._line
        return start

    def _end(self, chunk: bytes, position: int) -> int:
        """Return where the record ends that begins or goes on at ``position``: the end of ``chunk`` if not in it."""
        while position < len(chunk):
            if self._is_in_string:
                position = self._end_string(chunk, position)
            elif self._is_in_scalar or (not self._depth and _SCALAR.match(chunk, position)):
                position = self._end_scalar(chunk, position)
            else:
                position = self._step(chunk, position)
            if not self.is_in_record:
                break
        return position

    def _step(self, chunk: bytes, position: int) -> int:
        """Return the place behind the next bracket in a record, or behind a quote whose string goes on in the next chunk."""
        passed = _TO_BRACKET.match(chunk, position) if self._depth else None
        position = passed.end() if passed else position
        mark = chunk[position : position + 1]
        if mark in _OPENING and mark:
            self._depth += 1
        elif mark in _CLOSING and mark:
            self._depth = max(0, self._depth - 1)
        elif mark:
            self._is_in_string = True
        return min(position + 1, len(chunk))

    def _end_scalar(self, chunk: bytes, position: int) -> int:
        passed = _SCALAR.match(chunk, position)
        position = passed.end() if passed else position
        self._is_in_scalar = position == len(chunk)
        return position

    def _end_string(self, chunk: bytes, position: int) -> int:
        if self._is_escaped:
            self._is_escaped = False
            return position + 1
        passed = _TO_QUOTE.match(chunk, position)
        position = passed.end() if passed else position
        if chunk[position : position + 1] == b'"':
            self._is_in_string = False
        else:
            self._is_escaped = position < len(chunk)
        return min(position + 1, len(chunk))

    def _keep(self, piece: bytes) -> None:
        self._line += piece.count(b"\n")
        self._kept_bytes += len(piece)
        if self._kept_bytes <= self._max_record_bytes:
            self._kept.append(piece)
        else:
            self._kept = []
