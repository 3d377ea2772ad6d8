"""For each request the earlier one that it should have shared its prefix with."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from heapq import nlargest
from typing import Final

from radixlint.pieces.kin import NONE, kin_of
from radixlint.pieces.piece_book import PieceBook
from radixlint.pieces.shared_pieces import SharedPieces
from radixlint.traffic import Request

_HEAVIEST: Final = 4


def partners_of(book: PieceBook, requests: Sequence[Request], chains: Sequence[int], nearest: Sequence[int | None]) -> array[int]:
    """Return the partner of each request by position, -1 where its namespace has no earlier request with items.

    The earlier request of its namespace that it shares most tokens with, in whatever order, of equals the latest. A few are
    compared: the previous one of its chain, the nearest, and the last ones that hold its heaviest items or their kin. The
    previous one of its chain is taken if it goes on where that ended, or unless another shares twice as much.

    Args:
        book: the items of ``requests``.
        requests: the requests, by position.
        chains: the conversation of each.
        nearest: the earlier request that each shares most leading tokens with, None for none.
    """
    shared = SharedPieces(book)
    choice = _Choice(book, shared, kin_of(book, shared), chains, nearest)
    partners = array("i", [NONE]) * len(requests)
    for positions in _namespaces(book, requests):
        for position in positions:
            partners[position] = choice.partner(position)
            choice.add(position)
        choice.forget(positions)
    return partners


def _namespaces(book: PieceBook, requests: Sequence[Request]) -> Iterable[array[int]]:
    """Return the positions of the requests with items of each namespace."""
    found: dict[str, array[int]] = {}
    for position, request in enumerate(requests):
        if book.numbers(position):
            found.setdefault(request.namespace, array("I")).append(position)
    return found.values()


class _Choice:
    """Chooses among the earlier requests of one namespace; what it knows of these stands in arrays, as there may be many."""

    def __init__(
        self, book: PieceBook, shared: SharedPieces, kin: Sequence[int], chains: Sequence[int], nearest: Sequence[int | None]
    ) -> None:
        self._book, self._shared, self._kin, self._chains, self._nearest = book, shared, kin, chains, nearest
        self._last_of_chain = array("i", [NONE]) * (max(chains, default=NONE) + 1)
        self._last_holders = array("i", [NONE]) * len(book)
        self._last = NONE

    def add(self, position: int) -> None:
        """Let later requests find the one at ``position``."""
        self._last = self._last_of_chain[self._chains[position]] = position
        for number in self._book.numbers(position):
            self._last_holders[number] = position

    def forget(self, positions: Iterable[int]) -> None:
        """Let the requests of the next namespace not find those at ``positions``, which are all that were added."""
        self._last = NONE
        for position in positions:
            self._last_of_chain[self._chains[position]] = NONE
            for number in self._book.numbers(position):
                self._last_holders[number] = NONE

    def partner(self, position: int) -> int:
        """Return the partner of the request at ``position``, which is not added yet."""
        if self._last == NONE:
            return NONE
        numbers = self._book.numbers(position)
        previous = self._last_of_chain[self._chains[position]]
        own = 0
        if previous != NONE:
            before = self._book.numbers(previous)
            if numbers[: len(before)] == before:
                return previous
            own = self._shared.overlap(numbers, before, self._kin)
        others = self._candidates(numbers)
        nearest = self._nearest[position]
        if nearest is not None and self._is_found(nearest, position):
            others.add(nearest)
        found, best = self._last, 0
        for other in sorted(others, reverse=True):
            tokens = own if other == previous else self._shared.overlap(numbers, self._book.numbers(other), self._kin)
            if tokens > best:
                found, best = other, tokens
        return previous if previous != NONE and best < max(2 * own, 1) else found

    def _is_found(self, nearest: int, position: int) -> bool:
        requests = self._book.requests
        return requests[nearest].namespace == requests[position].namespace and bool(self._book.numbers(nearest))

    def _candidates(self, numbers: Sequence[int]) -> set[int]:
        found = set()
        for number in nlargest(_HEAVIEST, set(numbers), key=lambda number: (self._book.item_tokens(number), number)):
            holder = self._last_holders[number]
            if holder == NONE and self._kin[number] != NONE:
                holder = self._last_holders[self._kin[number]]
            if holder != NONE:
                found.add(holder)
        return found
