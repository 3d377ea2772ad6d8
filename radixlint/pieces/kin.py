"""For each distinct item the earlier one of its role that it is most like."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from radixlint.pieces.piece_book import PieceBook
from radixlint.pieces.shared_pieces import SharedPieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LOOKED_UP: Final = 3
_SHORTEST_TOKENS: Final = 2
NONE: Final = -1


def kin_of(book: PieceBook, shared: SharedPieces) -> array[int]:
    """Return the number of the kin of each item of ``book``, -1 for none.

    The last earlier items of its role that hold one of its rarest few pieces are compared; the one that shares most tokens
    with it is its kin, of equals the latest.
    """
    kin = array("i", [NONE]) * len(book)
    for number, holders in _last_holders(book):
        best = 0
        for holder in sorted(holders, reverse=True):
            tokens = shared.tokens(number, holder) if len(holders) > 1 else 1
            if tokens > best:
                best, kin[number] = tokens, holder
    return kin


def _last_holders(book: PieceBook) -> Iterator[tuple[int, set[int]]]:
    """Yield the items that share a piece with an earlier one, and for each of its rarest few the last item that holds it."""
    import numpy as np

    found = [_looked_up(*part) for part in book.occurrences()]
    places, owners, holders, held = (np.concatenate(columns) for columns in zip(*found, strict=True))
    del found
    order = np.lexsort((places, held, owners))
    owners, holders = owners[order], holders[order]
    starts = np.flatnonzero(np.concatenate(([True], owners[1:] != owners[:-1]))) if len(owners) else np.zeros(0, np.int64)
    ends = np.append(starts[1:], len(owners))
    for start, end in zip(starts, np.minimum(ends, starts + _LOOKED_UP), strict=True):
        yield int(owners[start]), set(holders[start:end].tolist())


def _looked_up(
    places: NDArray[np.int64], owners: NDArray[np.int32], keys: NDArray[np.uint64], tokens: NDArray[np.uint32]
) -> tuple[NDArray[np.uint32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return, for pieces that an earlier item holds: place, item, the last earlier item, and how often the piece comes."""
    import numpy as np

    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    is_again = np.append(False, ordered[1:] == ordered[:-1])[: len(keys)]
    starts = np.flatnonzero(~is_again)
    counts = np.diff(np.append(starts, len(keys)))
    held, holders = np.empty(len(order), np.int32), np.full(len(order), NONE, np.int32)
    held[order] = np.repeat(counts, counts)
    again = np.flatnonzero(is_again)
    holders[order[again]] = owners[order[again - 1]]
    # A piece that an item holds twice is looked up at its first place.
    usable = (holders != NONE) & (holders != owners) & (tokens >= _SHORTEST_TOKENS)
    return places[usable].astype(np.uint32), owners[usable], holders[usable], held[usable]
