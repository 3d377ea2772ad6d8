"""How many tokens two requests have in common, wherever they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from radixlint.pieces.piece_book import PieceBook
from radixlint.recent import Recent

_PIECES_KEPT: Final = 1 << 16
_COMPARED_ITEMS: Final = 4


class SharedPieces:
    """Counts what items and requests share; the pieces of items that were lately looked at are kept."""

    def __init__(self, book: PieceBook) -> None:
        self._book = book
        self._recent: Recent[int, dict[int, int]] = Recent(_PIECES_KEPT)

    def tokens(self, one: int, other: int) -> int:
        """Return the tokens of the pieces that item ``one`` shares with item ``other`` of its role."""
        mine, theirs = self._pieces(one), self._pieces(other)
        both = mine.keys() & theirs.keys()
        return sum(map(min, map(mine.__getitem__, both), map(theirs.__getitem__, both)))

    def overlap(self, numbers: Sequence[int], others: Sequence[int], kin: Sequence[int] | None = None) -> int:
        """Return the tokens that a request of the items ``numbers`` shares with one of ``others``.

        Equal items count whole. The heaviest few of the rest count the pieces they share with their kin in the other
        request, or with its first item of the same role that is left.
        """
        book = self._book
        left = Counter(others)
        found, rest = 0, []
        for number in numbers:
            if left.get(number, 0):
                left[number] -= 1
                found += book.item_tokens(number)
            else:
                rest.append(number)
        if not rest:
            return found
        spare = [number for number in others if left[number]]
        if len(rest) > _COMPARED_ITEMS:
            rest = sorted(rest, key=book.item_tokens, reverse=True)[:_COMPARED_ITEMS]
        for number in rest:
            role = book.role(number)
            match = kin[number] if kin is not None else None
            if match not in spare:
                match = next((n for n in spare if book.role(n) == role), None)
            if match is not None:
                spare.remove(match)
                found += self.tokens(number, match)
        return found

    def _pieces(self, number: int) -> dict[int, int]:
        found = self._recent.get(number)
        if found is None:
            keys, tokens = self._book.repeated(number)
            found = dict(zip(keys, tokens, strict=True))
            if len(found) < len(keys):
                found = dict.fromkeys(found, 0)
                for key, size in zip(keys, tokens, strict=True):
                    found[key] += size
            self._recent.keep(number, found, len(found) + 8)
        return found
