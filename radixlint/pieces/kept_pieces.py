"""The pieces of a log that may come more than once: most of a healthy one do not, and are not kept."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from radixlint.pieces.line_pieces import Cut

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MARK_CHARACTERS: Final = 16
"""What the marks around an item are taken to be, in characters."""
ROUNDING: Final = 1e-6
"""Room for what rounding takes from a length that is exact, in tokens."""
_PARTS: Final = 16
_CHUNK_ITEMS: Final = 1 << 10
_LONGEST: Final = (1 << 16) - 1


class NewPieces:
    """Collects the pieces of all items of a log, in ten bytes each."""

    def __init__(self) -> None:
        self._keys, self._lengths, self._ends = array("Q"), array("H"), array("I", [0])
        self._longer: dict[int, int] = {}

    def add(self, cut: Cut) -> None:
        """Add the pieces of the next item, one at least."""
        lengths = cut.lengths
        if max(lengths) > _LONGEST:
            first = len(self._lengths)
            self._longer.update((first + i, length) for i, length in enumerate(lengths) if length > _LONGEST)
            lengths = [min(length, _LONGEST) for length in lengths]
        self._keys.extend(cut.keys)
        self._lengths.extend(lengths)
        self._ends.append(len(self._keys))

    def kept(self, rates: Sequence[float]) -> KeptPieces:
        """Return what may come again; ``rates`` are the tokens per character of each item."""
        import numpy as np

        if not len(self._keys):
            return KeptPieces(array("Q"), array("I"), array("I", [0]), b"")
        ends = np.frombuffer(self._ends, np.uint32)
        is_kept = self._repeated()
        held, counts = np.add.reduceat(is_kept, ends[:-1], dtype=np.uint32), np.diff(ends)
        # The few others of such an item are asked for as well.
        is_whole = 2 * held >= counts
        is_kept |= np.repeat(is_whole, counts)
        found = KeptPieces(array("Q"), array("I"), array("I", [0]), is_whole.tobytes())
        keys, kept = np.frombuffer(self._keys, np.uint64), np.add.reduceat(is_kept, ends[:-1], dtype=np.uint32)
        found.ends.frombytes(np.cumsum(kept, dtype=np.uint32).tobytes())
        for first, last, tokens in self._tokens(rates):
            chosen = is_kept[first:last]
            found.keys.frombytes(keys[first:last][chosen].tobytes())
            found.tokens.frombytes(tokens[chosen].tobytes())
        return found

    def _repeated(self) -> NDArray[np.bool_]:
        """Return whether the key of each piece comes more than once."""
        import numpy as np

        keys = np.frombuffer(self._keys, np.uint64)
        parts = keys.view(np.uint8)[::8] % _PARTS
        found = np.zeros(len(keys), np.bool_)
        for part in range(_PARTS):
            chosen = np.flatnonzero(parts == part)
            some = keys[chosen]
            order = np.argsort(some)
            some = some[order]
            again = np.flatnonzero(some[1:] == some[:-1])
            found[chosen[order[again]]] = True
            found[chosen[order[again + 1]]] = True
        return found

    def _tokens(self, rates: Sequence[float]) -> Iterator[tuple[int, int, NDArray[np.uint32]]]:
        """Yield the tokens of all pieces, those of some items at a time: the first piece, the end, and the tokens."""
        import numpy as np

        all_ends = np.frombuffer(self._ends, np.uint32)
        for item in range(0, len(rates), _CHUNK_ITEMS):
            bounds = all_ends[item : item + _CHUNK_ITEMS + 1].astype(np.int64)
            first, last = int(bounds[0]), int(bounds[-1])
            lengths = np.frombuffer(self._lengths, np.uint16)[first:last].astype(np.int64)
            for index in self._longer.keys() & range(first, last) if self._longer else ():
                lengths[index - first] = self._longer[index]
            starts, counts = bounds[:-1] - first, np.diff(bounds)
            lengths[starts] += MARK_CHARACTERS
            behind = np.cumsum(lengths)
            # Counted from the start of each item, so that equal items are equally long and pieces add up.
            behind -= np.repeat(np.append(0, behind)[starts], counts)
            upto = (behind * np.repeat(np.array(rates[item : item + _CHUNK_ITEMS]), counts) + ROUNDING).astype(np.uint32)
            tokens = np.diff(upto, prepend=np.uint32(0))
            tokens[starts] = upto[starts]
            yield first, last, tokens


class KeptPieces:
    """Keys and tokens of the pieces that come more than once, and of all pieces of an item where half of them do.

    Attributes:
        keys, tokens: of the pieces, item by item.
        ends: where the pieces of each item begin, and the end of all.
        is_whole: for each item whether all of its pieces are kept.
    """

    def __init__(self, keys: array[int], tokens: array[int], ends: array[int], is_whole: bytes) -> None:
        self.keys, self.tokens, self.ends, self.is_whole = keys, tokens, ends, is_whole

    def of(self, number: int) -> tuple[array[int], array[int]]:
        """Return keys and tokens of what is kept of an item."""
        first, last = self.ends[number], self.ends[number + 1]
        return self.keys[first:last], self.tokens[first:last]

    def parts(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint64], NDArray[np.uint32]]]:
        """Yield place, item, key and tokens of the pieces, some at a time by place; those of one key come together."""
        import numpy as np

        ends, keys = np.frombuffer(self.ends, np.uint32)[1:], np.frombuffer(self.keys, np.uint64)
        tokens, parts = np.frombuffer(self.tokens, np.uint32), keys.view(np.uint8)[::8] % _PARTS
        for part in range(_PARTS):
            chosen = np.flatnonzero(parts == part)
            yield chosen, np.searchsorted(ends, chosen, "right").astype(np.int32), keys[chosen], tokens[chosen]
