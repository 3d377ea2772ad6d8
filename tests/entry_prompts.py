"""Prompts of a few blocks with marks behind some, for caches of entries."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from radixlint.traffic import TokenMark, TokenRequest


def prompt(
    blocks: Sequence[tuple[int, int]],
    marks: Sequence[int | tuple[int, float]] = (),
    *,
    time_s: float | None = None,
    namespace: str = "",
    tail: int = 4,
) -> TokenRequest:
    """Return a request of blocks ``(word, tokens)``, then ``tail`` tokens of an open turn; marks name blocks from 0."""
    ids = array("I", [word for word, count in blocks for _ in range(count)] + [7] * tail)
    ends, at = [], 0
    for _, count in blocks:
        at += count
        ends.append(at)
    placed = [TokenMark(ends[m]) if isinstance(m, int) else TokenMark(ends[m[0]], m[1]) for m in marks]
    return TokenRequest(0, ids.tobytes(), namespace=namespace, time_s=time_s, block_ends=tuple(ends), marks=tuple(placed))
