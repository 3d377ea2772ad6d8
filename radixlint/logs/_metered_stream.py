"""The bytes of files as they are read: counted for who watches, and none beyond the size that a file had when it was opened."""

from __future__ import annotations

import io
import os
import stat
import time
from collections.abc import Callable, Sequence
from typing import BinaryIO, Final

from radixlint.logs._log_files import STDIN, LogFile

_STEP_S: Final = 0.2

Progress = Callable[[int, int | None], None]
"""Told how many bytes were read so far, compressed as they lie there, and how many there are, None if nobody knows."""


class Meter:
    """Counts over all files, and tells ``progress`` a few times a second."""

    def __init__(self, progress: Progress | None, files: Sequence[LogFile]) -> None:
        self._progress = progress
        sizes = [] if progress is None else [size_of(file.path) for file in files]
        self._total_bytes = None if None in sizes else sum(size for size in sizes if size is not None)
        self._done_bytes = 0
        self._told_s = time.monotonic()

    def add(self, count_bytes: int) -> None:
        """Count bytes that were read."""
        self._done_bytes += count_bytes
        if self._progress is None:
            return
        now_s = time.monotonic()
        if now_s - self._told_s >= _STEP_S:
            self._told_s = now_s
            self._progress(self._done_bytes, self._total_bytes)

    def finish(self) -> None:
        """Say that all was read: what was read is then all there is."""
        if self._progress is not None:
            self._progress(self._done_bytes, self._done_bytes)


class MeteredStream:
    """A stream up to the size of its file at the start, or to the end of the line that was being written then."""

    def __init__(self, stream: BinaryIO, meter: Meter, size_bytes: int | None = None) -> None:
        self._stream = stream
        self._meter = meter
        self._size_bytes = size_bytes
        self._left_bytes = size_bytes or 0
        self._is_in_line = True

    def read(self, most_bytes: int) -> bytes:
        """Return the next bytes, at most ``most_bytes``; nothing at the end."""
        if self._size_bytes is None:
            data = self._next(most_bytes)
        elif self._left_bytes:
            data = self._next(min(most_bytes, self._left_bytes))
            self._left_bytes -= len(data)
            self._is_in_line = not data.endswith(b"\n")
        else:
            data = self._stream.readline(most_bytes) if self._is_in_line else b""
            self._is_in_line = bool(data) and not data.endswith(b"\n")
        self._meter.add(len(data))
        return data

    def _next(self, most_bytes: int) -> bytes:
        stream = self._stream
        if not isinstance(stream, io.BufferedReader):
            return stream.read(most_bytes)
        pieces: list[bytes] = []
        # A signal is noticed between two of our own calls only, not while the library waits for more than there is.
        while most_bytes and (piece := stream.read1(most_bytes)):
            pieces.append(piece)
            # What ends the input of a terminal is gone once it was read, and reading on would wait for it again.
            most_bytes = 0 if stream.isatty() else most_bytes - len(piece)
        return b"".join(pieces)

    @property
    def has_grown(self) -> bool:
        """Whether the file is longer now than what was to be read."""
        return self._size_bytes is not None and os.fstat(self._stream.fileno()).st_size > self._size_bytes


def size_of(file: str | int) -> int | None:
    """Return the size of a regular file, a path or a descriptor, in bytes; None if it has none that means something."""
    if file == STDIN:
        return None
    try:
        found = os.stat(file)
    except OSError:
        return None
    # What the kernel makes up while it is read, as in /proc, has the size 0.
    return found.st_size or None if stat.S_ISREG(found.st_mode) else None
