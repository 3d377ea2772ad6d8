"""How many tokens a block of a trace has: told by its lines, or found in the lengths and the numbers of ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

USUAL_TOKENS: Final = 512
"""Of Mooncake, which publishes most traces of this form."""

_CANDIDATES: Final = (USUAL_TOKENS, *(1 << power for power in range(13)))


def fits(length_tokens: int, blocks: int, block_tokens: int) -> bool:
    """Whether a prompt of ``length_tokens`` has ``blocks`` ids: the last block is either counted or, if partial, not."""
    return blocks in (-(-length_tokens // block_tokens), length_tokens // block_tokens)


def infer_block_tokens(shapes: Sequence[tuple[int, int]]) -> int:
    """Return the block size that fits most ``shapes`` (length in tokens, number of ids), the usual one if it fits as many.

    Sizes that are no power of two are found only if they fit all.
    """
    odd = _range_of_all(shapes)
    best, count = USUAL_TOKENS, -1
    for candidate in (*_CANDIDATES, *odd):
        fitting = sum(fits(length, blocks, candidate) for length, blocks in shapes)
        if fitting > count:
            best, count = candidate, fitting
    return best


def _range_of_all(shapes: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return the smallest size that fits all ``shapes`` with the last block counted, or none."""
    low = max((-(-length // blocks) for length, blocks in shapes if blocks), default=1)
    high = min(((length - 1) // (blocks - 1) for length, blocks in shapes if blocks > 1), default=0)
    return (low,) if low <= high else ()
