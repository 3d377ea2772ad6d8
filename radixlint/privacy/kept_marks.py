"""Marks kept to be compared, in eight bytes each: those of a long log take more room than all else that is known of it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CHUNK_MARKS: Final = 1 << 15
_PARTS: Final = 32


class KeptMarks:
    """Hashes of marks, with a number for who holds them; they are compared a part at a time.

    Two marks of one hash count as equal. Each run may have others, one pair in 2**64; it hides a text, and shows none.

    >>> marks = KeptMarks()
    >>> marks.add(7, ["it hurts here"])
    >>> [holders.tolist() for _, holders in marks.parts() if len(holders)]
    [[7]]
    """

    def __init__(self) -> None:
        self._hashes, self._holders, self._ends = array("q"), array("I"), array("I")
        self._chunks: list[tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32]]] = []

    def add(self, holder: int, marks: Iterable[str]) -> None:
        """Keep that ``holder``, a number below 2**32, holds ``marks``."""
        self._hashes.extend(map(hash, marks))
        self._holders.append(holder)
        self._ends.append(len(self._hashes))
        if len(self._hashes) >= _CHUNK_MARKS:
            self._pack()

    def parts(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint32]]]:
        """Yield the hashes of all marks, and the holder of each; equal ones come in one part."""
        import numpy as np

        self._pack()
        for part in range(_PARTS):
            chosen = [np.flatnonzero(hashes % _PARTS == part) for hashes, _, _ in self._chunks]
            each = list(zip(self._chunks, chosen, strict=True))
            holders = np.concatenate([of[np.searchsorted(ends, at, "right")] for (_, of, ends), at in each])
            yield np.concatenate([hashes[at] for (hashes, _, _), at in each]), holders

    def _pack(self) -> None:
        import numpy as np

        # Of their own size: a growing array holds room for more.
        hashes, holders, ends = (
            np.array(self._hashes, np.int64),
            np.array(self._holders, np.uint32),
            np.array(self._ends, np.uint32),
        )
        self._chunks.append((hashes, holders, ends))
        self._hashes, self._holders, self._ends = array("q"), array("I"), array("I")
