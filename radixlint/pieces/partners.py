"""For each request the earlier one that it should have shared its prefix with."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
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
    choice = _Choice(book, shared, kin_of(book, shared))
    partners = array("q", [NONE]) * len(requests)
    for position, request in enumerate(requests):
        numbers = book.numbers(position)
        if numbers:
            partners[position] = choice.partner(position, request.namespace, chains[position], nearest[position])
            choice.add(position, request.namespace, chains[position])
    return partners


class _Choice:
    def __init__(self, book: PieceBook, shared: SharedPieces, kin: Sequence[int]) -> None:
        self._book, self._shared, self._kin = book, shared, kin
        self._last_of_chain: dict[tuple[str, int], int] = {}
        self._last_holders: dict[str, dict[int, int]] = {}
        self._last_in: dict[str, int] = {}

    def add(self, position: int, namespace: str, chain: int) -> None:
        """Let later requests find the one at ``position``."""
        self._last_of_chain[namespace, chain] = position
        self._last_in[namespace] = position
        self._last_holders.setdefault(namespace, {}).update(dict.fromkeys(self._book.numbers(position), position))

    def partner(self, position: int, namespace: str, chain: int, nearest: int | None) -> int:
        """Return the partner of the request at ``position``, which is not added yet."""
        holders = self._last_holders.get(namespace)
        if holders is None:
            return NONE
        numbers = self._book.numbers(position)
        previous = self._last_of_chain.get((namespace, chain))
        own = 0
        if previous is not None:
            before = self._book.numbers(previous)
            if numbers[: len(before)] == before:
                return previous
            own = self._shared.overlap(numbers, before, self._kin)
        others = self._candidates(numbers, holders)
        if nearest is not None and self._book.requests[nearest].namespace == namespace and self._book.numbers(nearest):
            others.add(nearest)
        found, best = self._last_in[namespace], 0
        for other in sorted(others, reverse=True):
            tokens = self._shared.overlap(numbers, self._book.numbers(other), self._kin)
            if tokens > best:
                found, best = other, tokens
        return previous if previous is not None and best < max(2 * own, 1) else found

    def _candidates(self, numbers: Sequence[int], holders: dict[int, int]) -> set[int]:
        found = set()
        for number in nlargest(_HEAVIEST, set(numbers), key=lambda number: (self._book.item_tokens(number), number)):
            holder = holders.get(number, NONE)
            if holder == NONE:
                holder = holders.get(self._kin[number], NONE)
            if holder != NONE:
                found.add(holder)
        return found
