"""What requests lose by their order: tokens that stood in their partner too, behind the first place where the two differ."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, groupby
from operator import itemgetter
from typing import Final

from msgspec import Struct

from radixlint.pieces.clusters import clusters
from radixlint.pieces.common_text import CommonText
from radixlint.pieces.item import TOOL_ROLE
from radixlint.pieces.item_numbers import PROMPT_ROLE
from radixlint.pieces.newest_turn import newest_turn
from radixlint.pieces.piece_book import PieceBook
from radixlint.pieces.shared_pieces import SharedPieces
from radixlint.traffic import Message

_BY_CHANCE_TOKENS: Final = 8
_ANSWERS: Final = frozenset({"assistant", "tool", "function"})


class Loss(Struct, frozen=True, gc=False):
    """A request that could have shared more with its partner.

    ``item`` is the first of its items in which the two differ, ``piece`` the first piece in that: 0 where their roles differ,
    the last where they differ only behind it. ``lost_tokens`` stand behind it, could have been shared, and were not.
    ``realigned``: in the partner they follow in the same order. ``overlap_tokens`` is what the two share in whatever order.
    All tokens are estimates.
    """

    position: int
    partner: int
    item: int
    piece: int
    lost_tokens: int
    realigned: bool
    overlap_tokens: int


def losses(
    book: PieceBook,
    partners: Sequence[int],
    chains: Sequence[int],
    uncached: Sequence[int],
    groups: Sequence[int] | None = None,
) -> Iterator[Loss]:
    """Yield the losses of requests, by position.

    Lost is what stands behind the break in both requests and is history (they are of one chain) or common text of their
    cluster, as far as it is uncached. In the newest user turn only whole messages are history, so that what is retrieved
    again is no loss; nor are fewer than 8 tokens, which may be equal by chance.

    Args:
        book: the items of the requests.
        partners: see ``partners_of``.
        chains: the conversation of each request.
        uncached: how many prompt tokens of each no earlier request had as a prefix.
        groups: see ``clusters``; None to find them.
    """
    search = _Search(book, chains, clusters(book, partners) if groups is None else groups)
    for position, partner in enumerate(partners):
        if partner >= 0 and uncached[position] >= _BY_CHANCE_TOKENS:
            found = search.loss(position, partner, uncached[position])
            if found is not None:
                yield found


class _Rest(Struct, frozen=True):
    """What stands behind a break: keys and tokens of the pieces; of each whether it is of the newest turn, and may be history."""

    keys: list[int]
    tokens: list[int]
    is_newest: list[bool]
    may_be_history: list[bool]
    may_be_common: list[bool]


class _Search:
    def __init__(self, book: PieceBook, chains: Sequence[int], groups: Sequence[int]) -> None:
        self._book, self._chains = book, chains
        self._groups = groups
        self._common = CommonText(book, self._groups)
        self._shared = SharedPieces(book)

    def loss(self, position: int, partner: int, uncached: int) -> Loss | None:
        """Return what the request at ``position`` loses, None for nothing."""
        book = self._book
        mine, theirs = book.numbers(position), book.numbers(partner)
        if mine[: len(theirs)] == theirs:
            return None
        item = next((i for i, (one, other) in enumerate(zip(mine, theirs, strict=False)) if one != other), len(mine))
        if item == len(mine):
            return None
        piece = self._piece(mine[item], theirs[item])
        other_keys = [key for number in theirs[item:] for key in book.keys(number)][piece:]
        rest = self._rest(mine, set(theirs[item:]), item, piece)
        counted = self._counted(position, partner, rest, Counter(other_keys))
        if not any(counted):
            return None
        sizes = [book.item_tokens(number) for number in mine]
        scale = book.prompt_tokens(position) / max(sum(sizes), 1)
        lost = min(int(_tail(rest.tokens, counted, uncached / scale) * scale), uncached)
        if lost < _BY_CHANCE_TOKENS:
            return None
        overlap = int(self._shared.overlap(mine, theirs) * scale)
        piece = min(piece, len(book.keys(mine[item])) - 1)
        return Loss(position, partner, item, piece, lost, _is_in_order(rest.keys, counted, other_keys), overlap)

    def _piece(self, mine: int, theirs: int) -> int:
        """Return the index of the first piece in which two items differ, which may be the end of the first one."""
        if self._book.role(mine) != self._book.role(theirs):
            return 0
        one, other = self._book.keys(mine), self._book.keys(theirs)
        end = min(len(one), len(other))
        apart = next((i for i in range(end) if one[i] != other[i]), end)
        may_differ = range(apart) if self._book.is_odd(mine) or self._book.is_odd(theirs) else self._by_value(mine, apart)
        return next((i for i in may_differ if self._text(mine, i) != self._text(theirs, i)), apart)

    def _by_value(self, number: int, end: int) -> Iterable[int]:
        """Return which of the first ``end`` pieces have equal keys where they are equal as JSON, but maybe other bytes."""
        if self._book.role(number) == TOOL_ROLE:
            return range(end)
        source = self._book.item(number).source
        calls = len(source.tool_calls) if isinstance(source, Message) else 0
        return range(len(self._book.keys(number)) - calls, end)

    def _text(self, number: int, piece: int) -> str:
        item = self._book.item(number)
        return item.piece_text(item.pieces[piece])

    def _rest(self, mine: array[int], theirs: set[int], item: int, piece: int) -> _Rest:
        book = self._book
        newest = newest_turn(book, mine)
        rest = _Rest([], [], [], [], [])
        for i in range(item, len(mine)):
            number = mine[i]
            first = piece if i == item else 0
            keys = book.keys(number)[first:]
            is_newest = i >= newest
            rest.keys.extend(keys)
            rest.tokens.extend(book.piece_tokens(number)[first:])
            rest.is_newest.extend([is_newest] * len(keys))
            may_be_history = not is_newest or number in theirs or book.role(number) == PROMPT_ROLE
            rest.may_be_history.extend([may_be_history] * len(keys))
            # The same answer to another question is given twice, not sent in vain; behind the same question it is an example.
            is_answer = book.role(number) in _ANSWERS and i > item and mine[i - 1] not in theirs
            rest.may_be_common.extend([not is_answer] * len(keys))
        return rest

    def _counted(self, position: int, partner: int, rest: _Rest, others: Counter[int]) -> list[bool]:
        """Return, for each piece behind the break, whether it could have been shared."""
        if others.keys().isdisjoint(rest.keys):
            return []
        is_history = self._chains[position] == self._chains[partner]
        group = self._groups[position]
        common = self._common.of(group) if group == self._groups[partner] else None
        counted = []
        marks = zip(rest.keys, rest.is_newest, rest.may_be_history, rest.may_be_common, strict=True)
        for key, is_newest, may_be_history, may_be_common in marks:
            is_held = others[key] > 0
            if is_held:
                others[key] -= 1
                if not (is_history and may_be_history):
                    found = () if common is None else common.in_turns if is_newest else common.in_half
                    is_held = may_be_common and key in found
            counted.append(is_held)
        return _without_scraps(rest.tokens, counted)


def _without_scraps(tokens: list[int], counted: list[bool]) -> list[bool]:
    """Return ``counted`` without runs of fewer than 8 tokens: words that a form repeats between what changes."""
    kept: list[bool] = []
    for is_counted, run in groupby(zip(tokens, counted, strict=True), key=itemgetter(1)):
        sizes = [size for size, _ in run]
        kept.extend([is_counted and sum(sizes) >= _BY_CHANCE_TOKENS] * len(sizes))
    return kept


def _tail(tokens: list[int], counted: list[bool], uncached: float) -> float:
    """Return how many of the last ``uncached`` tokens are counted."""
    found, left = 0.0, uncached
    for size, is_counted in zip(reversed(tokens), reversed(counted), strict=True):
        if left <= 0:
            break
        if is_counted:
            found += min(size, left)
        left -= size
    return found


def _often(keys: list[int]) -> set[int]:
    return {key for key, count in Counter(keys).items() if count > 1} if len(set(keys)) < len(keys) else set()


def _is_in_order(keys: list[int], counted: list[bool], others: list[int]) -> bool:
    """Whether the counted pieces that come once in both stand in the same order."""
    often = _often(keys) | _often(others)
    places = dict(zip(others, range(len(others)), strict=True))
    found = [places[key] for key in compress(keys, counted) if key not in often]
    return bool(found) and found == sorted(found)
