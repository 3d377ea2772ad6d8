"""How much of one token sequence stands somewhere in another: runs of eight tokens, compared as hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from radixlint.traffic import TOKEN_BYTES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RUN_TOKENS: Final = 8
_CLOSING_TOKENS: Final = 16
# Odd multipliers make the sum of products a polynomial hash modulo 2**64; a chance meeting of two runs is out of reach.
_MULTIPLIER: Final = 0x9E3779B97F4A7C15


def run_hashes(tokens: bytes) -> NDArray[np.uint64]:
    """Return a 64-bit hash for each run of eight tokens of ``tokens`` (uint32 ids); length max(0, tokens - 7)."""
    import numpy as np

    ids = np.frombuffer(tokens, "<u4").astype(np.uint64) + np.uint64(1)
    count = max(0, len(ids) - RUN_TOKENS + 1)
    hashes = np.zeros(count, np.uint64)
    for offset in range(RUN_TOKENS):
        hashes *= np.uint64(_MULTIPLIER)
        hashes += ids[offset : offset + count]
    return hashes


def without_closing(later: bytes, earlier: bytes) -> bytes:
    """Return ``later`` less the tokens both end with, at most 16: the layout closes every prompt alike.

    Without this each new question would seem to repeat its closing marks.
    """
    count = 0
    while (
        count < _CLOSING_TOKENS
        and len(later) > count * TOKEN_BYTES
        and later[len(later) - (count + 1) * TOKEN_BYTES :] == earlier[len(earlier) - (count + 1) * TOKEN_BYTES :]
    ):
        count += 1
    return later[: len(later) - count * TOKEN_BYTES]


def repeated_tokens(later: NDArray[np.uint64], earlier: NDArray[np.uint64]) -> int:
    """Return how many tokens of the later sequence lie in a run of eight that the earlier one holds anywhere.

    Both are given by their ``run_hashes``, the earlier ones sorted.
    """
    import numpy as np

    if not len(later) or not len(earlier):
        return 0
    nearest = np.minimum(np.searchsorted(earlier, later), len(earlier) - 1)
    starts = np.flatnonzero(earlier[nearest] == later)
    edges = np.zeros(len(later) + RUN_TOKENS, np.int64)
    edges[starts] += 1
    edges[starts + RUN_TOKENS] -= 1
    return int(np.count_nonzero(np.cumsum(edges)))
