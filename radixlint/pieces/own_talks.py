"""Which requests without a session id are of one conversation, by messages that only one conversation can have."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final

from radixlint.pieces.item import HEAD_ROLES
from radixlint.pieces.piece_book import PieceBook
from radixlint.privacy import JoinedGroups
from radixlint.traffic import Request

_NONE: Final = -1
_TELLING_TOKENS: Final = 16
_ANSWERS: Final = frozenset({"assistant", "tool", "function"})


def own_talks(book: PieceBook, requests: Sequence[Request], chains: Sequence[int]) -> Sequence[int]:
    """Return a conversation number for each request: that of ``chains``, parted where requests only share common sayings.

    Of requests without a session id, a message tells the conversation unless it is said in several: it is the newest one of
    different requests behind the same instructions, or an answer to different messages, or so short that it may be.
    """
    loose = array("I", (i for i, request in enumerate(requests) if request.session is None))
    if not loose:
        return chains
    is_told_often = _told_often(book, loose)
    groups = JoinedGroups(len(requests))
    holders: dict[tuple[int, int | bytes], int] = {}
    for position in loose:
        numbers, chain = book.numbers(position), chains[position]
        groups.join(position, holders.setdefault((chain, numbers.tobytes()), position))
        for number in set(numbers):
            if not is_told_often[number]:
                groups.join(position, holders.setdefault((chain, number), position))
    found: dict[tuple[int, int], int] = {}
    parts = [(chain, _NONE) for chain in chains]
    for position in loose:
        parts[position] = chains[position], groups.leader(position)
    return array("I", (found.setdefault(part, len(found)) for part in parts))


def _told_often(book: PieceBook, loose: Sequence[int]) -> bytearray:
    """Return for each item whether it is one of a head, or may be said in several conversations."""
    is_head = bytes(book.role(number) in HEAD_ROLES for number in range(len(book)))
    told = bytearray(is_head[number] or book.item_tokens(number) < _TELLING_TOKENS for number in range(len(book)))
    is_answer = bytes(book.role(number) in _ANSWERS for number in range(len(book)))
    before = array("q", [_NONE]) * len(book)
    newest: dict[tuple[bytes, int], int] = {}
    for position in loose:
        numbers = book.numbers(position)
        head = 0
        while head < len(numbers) and is_head[numbers[head]]:
            head += 1
        for at in range(head + 1, len(numbers)):
            number, last = numbers[at], numbers[at - 1]
            if is_answer[number] and not is_head[last]:
                told[number] |= before[number] not in (_NONE, last)
                before[number] = last
        if head < len(numbers):
            key, sent = (numbers[:head].tobytes(), numbers[-1]), hash(numbers.tobytes())
            told[numbers[-1]] |= newest.setdefault(key, sent) != sent
    return told
