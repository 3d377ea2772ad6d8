"""Requests whose tools and instructions are alike: those of one application, or one version of it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from radixlint.pieces.item import HEAD_ROLES
from radixlint.pieces.piece_book import PieceBook
from radixlint.pieces.shared_pieces import SharedPieces
from radixlint.privacy import JoinedGroups


def clusters(book: PieceBook, partners: Sequence[int]) -> array[int]:
    """Return the cluster of each request, by position: the position of the first request in it.

    A request and its partner are of one cluster if their heads share at least half of the longer one's tokens in pieces. A
    head is what there is of tools and instructions, or else the first message.
    """
    shared = SharedPieces(book)
    is_head = bytes(book.role(number) in HEAD_ROLES for number in range(len(book)))

    def head(position: int) -> list[int]:
        numbers = book.numbers(position)
        return [number for number in numbers if is_head[number]] or list(numbers[:1])

    groups = JoinedGroups(len(partners))
    for position, partner in enumerate(partners):
        if partner >= 0 and _are_alike(book, shared, head(position), head(partner)):
            groups.join(position, partner)
    return array("I", map(groups.leader, range(len(partners))))


def _are_alike(book: PieceBook, shared: SharedPieces, one: list[int], other: list[int]) -> bool:
    if one == other:
        return True
    longer = max(sum(book.item_tokens(number) for number in head) for head in (one, other))
    return 2 * shared.overlap(one, other) >= longer
