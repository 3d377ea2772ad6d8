"""The text that most requests of a cluster hold: instructions, tools, examples."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from radixlint.pieces.item import HEAD_ROLES
from radixlint.pieces.newest_turn import newest_turn
from radixlint.pieces.piece_book import PieceBook

_LOOKED_AT: Final = 64
_FEWEST_TURNS: Final = 3
_ENOUGH_TURNS: Final = 8
_TURNS_PER_MISS: Final = 20


class Common(Struct, frozen=True):
    """Keys of common pieces: outside of newest turns (``in_half`` of a cluster's requests at least), and ``in_turns``.

    Of messages, what half of the requests have in the same one is common, or what nearly all have in any: a file that is
    opened in many a talk is not.

    What is often retrieved is not common. So in newest turns a piece is common only if all turns but one in 20 hold it at
    the same place, counted from the start or the end of its message; and where there are fewer than 8, only if such pieces
    make up half of the turns.
    """

    in_half: frozenset[int]
    in_turns: frozenset[int]


class CommonText:
    """Finds the common text of a cluster when it is first asked for, from as many as 64 of its requests, evenly spread."""

    def __init__(self, book: PieceBook, groups: Sequence[int]) -> None:
        self._book = book
        self._groups = groups
        self._members: dict[int, array[int]] = {}
        self._found: dict[int, Common] = {}

    def of(self, group: int) -> Common:
        """Return the common text of a cluster."""
        found = self._found.get(group)
        if found is None:
            if not self._members:
                for position, one in enumerate(self._groups):
                    self._members.setdefault(one, array("I")).append(position)
            members = self._members[group]
            looked_at = members[:: -(-len(members) // _LOOKED_AT)]
            found = self._found[group] = Common(self._in_half(looked_at), self._in_turns(looked_at))
        return found

    def _in_half(self, positions: Sequence[int]) -> frozenset[int]:
        held, placed = Counter[int](), Counter[tuple[int, int]]()
        for position in positions:
            found = {(key, place) for number, place in set(self._messages(position)) for key in self._book.keys(number)}
            placed.update(found)
            held.update({key for key, _ in found})
        count = len(positions)
        nearly_all = max(2, count - count // _TURNS_PER_MISS)
        half = {key for (key, _), times in placed.items() if times > 1 and 2 * times >= count}
        return frozenset(half | {key for key, times in held.items() if times >= nearly_all})

    def _messages(self, position: int) -> Iterator[tuple[int, int]]:
        """Yield the items with the number of the message each is, 0 for those of the head, which may stand anywhere in it."""
        number_of = 0
        for number in self._book.numbers(position):
            is_head = self._book.role(number) in HEAD_ROLES
            number_of += not is_head
            yield number, 0 if is_head else number_of

    def _in_turns(self, positions: Sequence[int]) -> frozenset[int]:
        count = len(positions)
        if count < _FEWEST_TURNS:
            return frozenset()
        places: Counter[tuple[int, int]] = Counter()
        tokens: dict[int, int] = {}
        total = 0
        for position in positions:
            numbers = self._book.numbers(position)
            newest = set(numbers[newest_turn(self._book, numbers) :])
            places.update({place for number in newest for place in self._places(number)})
            for number in newest:
                total += self._book.item_tokens(number)
                tokens.update(zip(self._book.keys(number), self._book.piece_tokens(number), strict=True))
        found = frozenset(key for (key, _), held in places.items() if held >= count - count // _TURNS_PER_MISS)
        is_most = 2 * count * sum(tokens[key] for key in found) >= total
        return found if count >= _ENOUGH_TURNS or is_most else frozenset()

    def _places(self, number: int) -> list[tuple[int, int]]:
        """Return the pieces of an item by their places, counted from its start, and below 0 from its end."""
        keys = self._book.keys(number)
        return [*((key, i) for i, key in enumerate(keys)), *((key, i - len(keys)) for i, key in enumerate(keys))]
