"""Requests whose tools and instructions are alike: those of one application, or one version of it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from radixlint.pieces.item import HEAD_ROLES, TOOL_ROLE
from radixlint.pieces.json_form import tool_name
from radixlint.pieces.piece_book import PieceBook
from radixlint.pieces.shared_pieces import SharedPieces
from radixlint.privacy import JoinedGroups


def clusters(book: PieceBook, partners: Sequence[int]) -> array[int]:
    """Return the cluster of each request, by position: the position of the first request in it.

    A request and its partner are of one cluster if their heads share at least half of the longer one's tokens in pieces, where
    tools of one name are the same tool, however described. A head is what there is of tools and instructions, or else the
    first message.
    """
    heads = _Heads(book)
    is_head = bytes(book.role(number) in HEAD_ROLES for number in range(len(book)))

    def head(position: int) -> list[int]:
        numbers = book.numbers(position)
        return [number for number in numbers if is_head[number]] or list(numbers[:1])

    groups = JoinedGroups(len(partners))
    for position, partner in enumerate(partners):
        if partner >= 0 and heads.are_alike(head(position), head(partner)):
            groups.join(position, partner)
    return array("I", map(groups.leader, range(len(partners))))


class _Heads:
    """Compares heads; each tool's name is read once."""

    def __init__(self, book: PieceBook) -> None:
        self._book, self._shared = book, SharedPieces(book)
        self._names: dict[int, str | None] = {}

    def are_alike(self, one: Sequence[int], other: Sequence[int]) -> bool:
        if one == other:
            return True
        longer = max(sum(self._book.item_tokens(number) for number in head) for head in (one, other))
        if 2 * self._shared.overlap(one, other) >= longer:
            return True
        (tools, texts), (other_tools, other_texts) = self._parted(one), self._parted(other)
        named = sum(min(tools[name], other_tools[name]) for name in tools.keys() & other_tools.keys())
        return bool(named) and 2 * (named + self._shared.overlap(texts, other_texts)) >= longer

    def _parted(self, head: Sequence[int]) -> tuple[dict[str, int], list[int]]:
        """Return the tokens of the tools by name, and the rest."""
        named: dict[str, int] = {}
        rest = []
        for number in head:
            name = self._name(number) if self._book.role(number) == TOOL_ROLE else None
            if name is None:
                rest.append(number)
            else:
                named[name] = self._book.item_tokens(number)
        return named, rest

    def _name(self, number: int) -> str | None:
        if number not in self._names:
            self._names[number] = tool_name(self._book.item(number).text)
        return self._names[number]
