"""Where the newest turn of a request begins."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.pieces.piece_book import PieceBook

_USER = "user"


def newest_turn(book: PieceBook, numbers: Sequence[int]) -> int:
    """Return the index of the first of the last user messages in a row; of the last item where there are none."""
    at = len(numbers) - 1
    while at >= 0 and book.role(numbers[at]) != _USER:
        at -= 1
    if at < 0:
        return len(numbers) - 1
    while at > 0 and book.role(numbers[at - 1]) == _USER:
        at -= 1
    return at
