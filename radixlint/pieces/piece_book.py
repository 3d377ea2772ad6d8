"""The requests of a log as items in wire order: each distinct tool and message once, its pieces told apart by their keys."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

from radixlint.layout import Layout, WireLayout, message_place
from radixlint.pieces.item import TOOL_ROLE, Item, Piece, PieceKind
from radixlint.pieces.item_numbers import PROMPT_ROLE, ItemNumbers
from radixlint.pieces.json_form import one_form
from radixlint.pieces.kept_pieces import MARK_CHARACTERS, ROUNDING, NewPieces
from radixlint.pieces.line_pieces import LONGEST_PIECE_CHARACTERS, Cut, LineKeys, heads_of, piece_key
from radixlint.recent import Recent
from radixlint.traffic import Message, Request

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ROLE_STEP: Final = 0x9E3779B97F4A7C15
_DEFAULT_TOKENS_PER_CHARACTER: Final = 0.25
_PIECES_KEPT: Final = 1 << 17
_CUT_KEPT: Final = 1 << 15
_HEADS_KEPT: Final = 1 << 22
_BATCH_ITEMS: Final = 1 << 14
_INSTRUCTIONS: Final = frozenset({"system", "developer"})
# A clock in a paragraph must not make all of it new; the many lines of histories are not worth the work.
_LONGEST_HEAD_LINE_CHARACTERS: Final = 240


class PieceBook:
    """The items of the requests of a log, and the pieces of these.

    Requests known by ids alone have none. Lengths in tokens are exact for items that were encoded by themselves; those of
    pieces, and of other items, are estimates: characters, and some for the marks around each item, times the tokens per
    character of the item or of the log as a whole.

    Args:
        requests: the requests, by position; ``prompt_tokens`` their lengths.
        layout: the wire order.
        part_tokens: the lengths of the parts of a request, by position, in which it was encoded.
    """

    def __init__(
        self,
        requests: Sequence[Request],
        layout: Layout,
        prompt_tokens: Sequence[int],
        part_tokens: Callable[[int], Sequence[int]] = lambda position: (),
    ) -> None:
        self._requests, self._layout, self._prompt_tokens = requests, layout, prompt_tokens
        self._part_tokens = part_tokens
        self._items = ItemNumbers()
        self._head_roles = _head_roles(requests)
        self._numbers, self._ends = array("I"), array("I", [0])
        self._exact, self._characters, self._odd = array("I"), array("I"), bytearray()
        self._lines, pieces = LineKeys(), NewPieces()
        self._number_items(pieces)
        self._items.forget()
        self._lines = LineKeys()
        self._rate = self._tokens_per_character()
        self._item_tokens = array("I", map(self._whole_tokens, range(len(self))))
        self._kept = pieces.kept(array("d", map(self._rate_of, range(len(self)))))
        self._recent: Recent[int, Item] = Recent(_PIECES_KEPT)
        self._recent_cuts: Recent[int, tuple[list[int], list[int]]] = Recent(_CUT_KEPT)
        self._recent_heads: Recent[int, array[int]] = Recent(_HEADS_KEPT)

    def __len__(self) -> int:
        """Return how many distinct items there are."""
        return len(self._characters)

    @property
    def requests(self) -> Sequence[Request]:
        """The requests, by position."""
        return self._requests

    def prompt_tokens(self, position: int) -> int:
        """Return the length of the request at ``position``."""
        return self._prompt_tokens[position]

    def numbers(self, position: int) -> array[int]:
        """Return the numbers of the items of the request at ``position``, in wire order."""
        return self._numbers[self._ends[position] : self._ends[position + 1]]

    def items(self, position: int) -> list[Item]:
        """Return the items of the request at ``position``, in wire order."""
        return [self.item(number) for number in self.numbers(position)]

    def item(self, number: int) -> Item:
        """Return an item; its text is cut anew if it was not asked for lately."""
        found = self._recent.get(number)
        if found is None:
            pieces = tuple(self._pieces(number))
            found = Item(number, self._items.role(number), self._items.sources[number], pieces, self._item_tokens[number])
            self._recent.keep(number, found, len(pieces) + 8)
        return found

    def role(self, number: int) -> str:
        """Return the role of an item."""
        return self._items.role(number)

    def item_tokens(self, number: int) -> int:
        """Return the length of an item in tokens."""
        return self._item_tokens[number]

    def is_odd(self, number: int) -> bool:
        """Whether lines of an item may be written in another form than others of the same key."""
        return bool(self._odd[number])

    def keys(self, number: int) -> Sequence[int]:
        """Return the keys of the pieces of an item."""
        return self._cut_lately(number)[0]

    def piece_tokens(self, number: int) -> Sequence[int]:
        """Return the lengths of the pieces of an item in tokens; they add up to the item's."""
        return self._cut_lately(number)[1]

    def heads(self, number: int) -> Sequence[int]:
        """Return, for each piece of an item and for its end, the hash of all that is in front of it (``heads_of``)."""
        found = self._recent_heads.get(number)
        if found is None:
            found = heads_of(self.keys(number))
            self._recent_heads.keep(number, found, len(found))
        return found

    def repeated(self, number: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return keys and tokens of those pieces of an item that may come in other items as well."""
        return self._kept.of(number)

    def occurrences(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint64], NDArray[np.uint32]]]:
        """Yield the pieces that may come again, some at a time by place; those of one key come together.

        For each: its place among all, its item's number, its key (other in each role), and its length in tokens.
        """
        import numpy as np

        by_role: dict[str, int] = {}
        roles = np.fromiter(
            (by_role.setdefault(role, len(by_role)) for role in map(self.role, range(len(self)))), np.uint32, len(self)
        )
        for places, owners, keys, tokens in self._kept.parts():
            keys ^= roles[owners] * np.uint64(_ROLE_STEP)
            yield places, owners, keys, tokens

    def place(self, position: int, item_index: int, piece_index: int) -> str:
        """Return the name of a piece's place, which holds nothing of the log's own words.

        ``item_index`` counts the items of the request at ``position``, ``piece_index`` the pieces of that item: ``tools[3]``,
        ``messages[0] system line 2``, ``messages[2] assistant call 1``, ``prompt line 5``. Behind the last piece is the place
        of the last one: there a text ends that went on in another request.
        """
        item = self.items(position)[item_index]
        if item.role == TOOL_ROLE and isinstance(item.source, str):
            before = self.numbers(position)[:item_index]
            return f"tools[{sum(isinstance(self._items.sources[number], str) for number in before)}]"
        name = PROMPT_ROLE
        if isinstance(item.source, Message):
            before = self.numbers(position)[:item_index]
            index = sum(isinstance(self._items.sources[number], Message) for number in before)
            name = message_place(index, item.source.role)
        piece = item.pieces[min(piece_index, len(item.pieces) - 1)]
        if piece.kind is PieceKind.CALL:
            return f"{name} call {piece.start + 1}"
        line = item.text.count("\n", 0, piece.start) + 1
        return f"{name} line {line}"

    def _number_items(self, pieces: NewPieces) -> None:
        roles: list[str] = []
        sources: list[str | Message] = []
        first = 0
        for position, request in enumerate(self._requests):
            for role, source in self._wire(request):
                roles.append(role)
                sources.append(source)
            self._ends.append(len(self._numbers) + len(sources))
            if len(sources) >= _BATCH_ITEMS or position == len(self._requests) - 1:
                self._numbers.extend(self._items.numbers(roles, sources))
                self._take_new(pieces)
                for i in range(first, position + 1):
                    self._take_lengths(i, self.numbers(i))
                first = position + 1
                roles.clear()
                sources.clear()

    def _take_new(self, pieces: NewPieces) -> None:
        for number in range(len(self), len(self._items.sources)):
            cut = self._cut(number)
            pieces.add(cut)
            self._odd.append(cut.is_odd)
            self._characters.append(sum(cut.lengths) + MARK_CHARACTERS)
            self._exact.append(0)

    def _take_lengths(self, position: int, numbers: Sequence[int]) -> None:
        """Take the lengths of items that are new, where the request was encoded item by item, the open turn behind them."""
        if not numbers or all(map(self._exact.__getitem__, numbers)):
            return
        parts = self._part_tokens(position)
        if len(parts) == len(numbers) + 1:
            for number, tokens in zip(numbers, parts, strict=False):
                self._exact[number] = tokens

    def _wire(self, request: Request) -> Iterator[tuple[str, str | Message]]:
        if request.rendered is not None and not request.messages:
            yield PROMPT_ROLE, request.rendered
            return
        if request.rendered is None and (request.token_ids is not None or request.block_ids is not None):
            return
        wire: Sequence[str | Message | None] = (*request.tools, *request.messages)
        if isinstance(self._layout, WireLayout):
            wire = self._layout.wire(request)
        for item in wire:
            if item is not None:
                yield (TOOL_ROLE if isinstance(item, str) else item.role), item

    def _cut(self, number: int) -> Cut:
        source = self._items.sources[number]
        if isinstance(source, str) and self.role(number) == TOOL_ROLE:
            return Cut([piece_key(PieceKind.TOOL, one_form(source))], [len(source)])
        longest = _LONGEST_HEAD_LINE_CHARACTERS if self.role(number) in self._head_roles else LONGEST_PIECE_CHARACTERS
        cut = self._lines.cut(source if isinstance(source, str) else source.text, longest)
        if isinstance(source, Message):
            for call in source.tool_calls:
                text = f"{call.name} {call.arguments}"
                cut.keys.append(piece_key(PieceKind.CALL, f"{call.name} {one_form(call.arguments)}"))
                cut.lengths.append(len(text))
        return cut

    def _cut_lately(self, number: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return the keys and the tokens of the pieces of an item."""
        if self._kept.is_whole[number]:
            return self._kept.of(number)
        found = self._recent_cuts.get(number)
        if found is None:
            cut = self._cut(number)
            found = cut.keys, self._tokens_of(number, cut.lengths)
            self._recent_cuts.keep(number, found, len(cut.keys) + 8)
        return found

    def _pieces(self, number: int) -> Iterator[Piece]:
        source, cut = self._items.sources[number], self._cut(number)
        calls = len(source.tool_calls) if isinstance(source, Message) else 0
        kind = PieceKind.TOOL if self.role(number) == TOOL_ROLE and isinstance(source, str) else PieceKind.LINE
        first_call, at = len(cut.keys) - calls, 0
        sizes = self._tokens_of(number, cut.lengths)
        for i, (key, length, size) in enumerate(zip(cut.keys, cut.lengths, sizes, strict=True)):
            if i >= first_call:
                yield Piece(key, PieceKind.CALL, i - first_call, i - first_call, size)
            else:
                yield Piece(key, kind, at, at + length, size)
                at += length

    def _tokens_of(self, number: int, lengths: Sequence[int]) -> list[int]:
        """Return the tokens of pieces, counted from the start of the item, so that they add up."""
        rate = self._rate_of(number)
        upto = [int(behind * rate + ROUNDING) for behind in accumulate(lengths, initial=MARK_CHARACTERS)]
        upto[0] = 0
        return [after - before for before, after in pairwise(upto)]

    def _rate_of(self, number: int) -> float:
        return self._exact[number] / self._characters[number] if self._exact[number] else self._rate

    def _whole_tokens(self, number: int) -> int:
        return self._exact[number] or int(self._characters[number] * self._rate + ROUNDING)

    def _tokens_per_character(self) -> float:
        sent = sum(map(self._characters.__getitem__, self._numbers))
        known = sum(n for i, n in enumerate(self._prompt_tokens) if self._ends[i + 1] > self._ends[i])
        return known / sent if sent and known else _DEFAULT_TOKENS_PER_CHARACTER


def _head_roles(requests: Sequence[Request]) -> frozenset[str]:
    """Return whose texts are instructions; where no request has any, they stand in its questions."""
    has_any = any(message.role in _INSTRUCTIONS for request in requests for message in request.messages[:1])
    return _INSTRUCTIONS if has_any else _INSTRUCTIONS | {"user", PROMPT_ROLE}
