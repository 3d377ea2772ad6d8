"""Chunks of bytes to lines in bounded memory; lines end at LF only."""

from __future__ import annotations

from collections.abc import Iterator


def split_lines(chunks: Iterator[bytes], max_line_bytes: int) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines of ``chunks`` without their LF, each with its number from 1; None for one over ``max_line_bytes``."""
    tail: list[bytes] = []
    tail_bytes = 0
    number = 0
    for chunk in chunks:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            number += 1
            if tail_bytes + end - start > max_line_bytes:
                yield number, None
            else:
                yield number, b"".join([*tail, chunk[start:end]]) if tail else chunk[start:end]
            tail, tail_bytes, start = [], 0, end + 1
        rest = chunk[start:]
        tail_bytes += len(rest)
        if tail_bytes > max_line_bytes:
            tail = []  # already too long: only its length is still of interest
        elif rest:
            tail.append(rest)
    if tail_bytes:
        yield number + 1, b"".join(tail) if tail else None
