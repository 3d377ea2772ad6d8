"""The text that most requests of a cluster hold: instructions, tools, examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from radixlint.pieces.piece_book import PieceBook

_LOOKED_AT: Final = 64
_FEWEST_TURNS: Final = 5
_TURNS_PER_MISS: Final = 20


class Common(Struct, frozen=True):
    """Keys of pieces: ``in_half`` of a cluster's requests at least, and ``in_all`` but one in 20.

    Text of the newest turn is common only ``in_all`` of five requests or more: what is often retrieved is none.
    """

    in_half: frozenset[int]
    in_all: frozenset[int]


class CommonText:
    """Finds the common text of a cluster when it is first asked for, from as many as 64 of its requests, evenly spread."""

    def __init__(self, book: PieceBook, groups: Sequence[int]) -> None:
        self._book = book
        self._members: dict[int, list[int]] = {}
        for position, group in enumerate(groups):
            self._members.setdefault(group, []).append(position)
        self._found: dict[int, Common] = {}

    def of(self, group: int) -> Common:
        """Return the common text of a cluster."""
        found = self._found.get(group)
        if found is None:
            found = self._found[group] = self._look(self._members[group])
        return found

    def _look(self, members: list[int]) -> Common:
        looked_at = members[:: -(-len(members) // _LOOKED_AT)]
        counts: Counter[int] = Counter()
        for position in looked_at:
            counts.update({key for number in set(self._book.numbers(position)) for key in self._book.keys(number)})
        count = len(looked_at)
        most = count - count // _TURNS_PER_MISS if count >= _FEWEST_TURNS else count + 1
        in_half = frozenset(key for key, held in counts.items() if 2 * held >= count and held > 1)
        return Common(in_half, frozenset(key for key in in_half if counts[key] >= most))
