"""The requests of a log as items in wire order: each distinct tool and message once, its pieces told apart by their keys."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from radixlint.layout import Layout, WireLayout, message_place
from radixlint.pieces.item import TOOL_ROLE, Item, Piece, PieceKind
from radixlint.pieces.line_pieces import LineKeys, piece_key
from radixlint.recent import Recent
from radixlint.traffic import Message, Request

if TYPE_CHECKING:
    import numpy as np

PROMPT_ROLE: Final = "prompt"
"""The role of a prompt that is known as rendered text alone."""
_ROLE_STEP: Final = 0x9E3779B97F4A7C15
_MARK_CHARACTERS: Final = 16
_DEFAULT_TOKENS_PER_CHARACTER: Final = 0.25
_PIECES_KEPT: Final = 1 << 17


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
        self._exact = array("I")
        self._sources: list[str | Message] = []
        self._roles: list[str] = []
        self._numbers, self._ends = array("I"), array("Q", [0])
        self._keys, self._lengths, self._piece_ends = array("Q"), array("I"), array("Q", [0])
        self._number_items()
        self._tokens, self._item_tokens = self._estimate()
        self._recent: Recent[int, Item] = Recent(_PIECES_KEPT)

    def __len__(self) -> int:
        """Return how many distinct items there are."""
        return len(self._sources)

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
            found = Item(number, self._roles[number], self._sources[number], pieces, self._item_tokens[number])
            self._recent.keep(number, found, len(pieces) + 8)
        return found

    def role(self, number: int) -> str:
        """Return the role of an item."""
        return self._roles[number]

    def item_tokens(self, number: int) -> int:
        """Return the length of an item in tokens."""
        return self._item_tokens[number]

    def keys(self, number: int) -> array[int]:
        """Return the keys of the pieces of an item."""
        return self._keys[self._piece_ends[number] : self._piece_ends[number + 1]]

    def piece_tokens(self, number: int) -> array[int]:
        """Return the lengths of the pieces of an item in tokens; they add up to the item's."""
        return self._tokens[self._piece_ends[number] : self._piece_ends[number + 1]]

    def occurrences(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Return, for each piece of each item: the item's number, the key (other in each role), and the length in tokens."""
        import numpy as np

        ends = np.array(self._piece_ends, np.int64)
        counts = ends[1:] - ends[:-1]
        owners = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        by_role: dict[str, int] = {}
        roles = np.array([by_role.setdefault(role, len(by_role)) for role in self._roles], np.uint64)
        keys = (roles * np.uint64(_ROLE_STEP))[owners]
        keys ^= np.array(self._keys, np.uint64)
        return owners, keys, np.array(self._tokens, np.uint32)

    def place(self, position: int, item_index: int, piece_index: int) -> str:
        """Return the name of a piece's place, which holds nothing of the log's own words.

        ``item_index`` counts the items of the request at ``position``, ``piece_index`` the pieces of that item: ``tools[3]``,
        ``messages[0] system line 2``, ``messages[2] assistant call 1``, ``prompt line 5``.
        """
        item = self.items(position)[item_index]
        if item.role == TOOL_ROLE and isinstance(item.source, str):
            before = self.numbers(position)[:item_index]
            return f"tools[{sum(isinstance(self._sources[number], str) for number in before)}]"
        name = PROMPT_ROLE
        if isinstance(item.source, Message):
            before = self.numbers(position)[:item_index]
            index = sum(isinstance(self._sources[number], Message) for number in before)
            name = message_place(index, item.source.role)
        piece = item.pieces[piece_index]
        if piece.kind is PieceKind.CALL:
            return f"{name} call {piece.start + 1}"
        line = item.text.count("\n", 0, piece.start) + 1
        return f"{name} line {line}"

    def _number_items(self) -> None:
        by_identity: dict[int, int] = {}
        by_value: dict[tuple[str, str] | Message, int] = {}
        lines = LineKeys()
        for position, request in enumerate(self._requests):
            first = len(self._numbers)
            for role, source in self._wire(request):
                # Equal messages are mostly one object, whose text need not be hashed again. A short prompt and a tool may be
                # one object too, but are never one item.
                number = by_identity.get(id(source)) if role != PROMPT_ROLE else None
                if number is None:
                    value = source if isinstance(source, Message) else (role, source)
                    number = by_value.setdefault(value, len(by_value))
                    if number == len(self._sources):
                        self._add(role, source, lines)
                    if role != PROMPT_ROLE:
                        by_identity[id(source)] = number
                self._numbers.append(number)
            self._ends.append(len(self._numbers))
            self._take_lengths(position, self._numbers[first:])

    def _take_lengths(self, position: int, numbers: Sequence[int]) -> None:
        """Take the lengths of items that are new, where the request was encoded item by item, the open turn behind them."""
        if not numbers or all(map(self._exact.__getitem__, numbers)):
            return
        parts = self._part_tokens(position)
        if len(parts) == len(numbers) + 1:
            for number, tokens in zip(numbers, parts, strict=False):
                self._exact[number] = tokens

    def _wire(self, request: Request) -> Iterator[tuple[str, str | Message]]:
        if request.rendered is not None:
            yield PROMPT_ROLE, request.rendered
            return
        if request.token_ids is not None or request.block_ids is not None:
            return
        wire: Sequence[str | Message | None] = (*request.tools, *request.messages)
        if isinstance(self._layout, WireLayout):
            wire = self._layout.wire(request)
        for item in wire:
            if item is not None:
                yield (TOOL_ROLE if isinstance(item, str) else item.role), item

    def _add(self, role: str, source: str | Message, lines: LineKeys) -> None:
        self._sources.append(source)
        self._roles.append(role)
        self._exact.append(0)
        if isinstance(source, str) and role == TOOL_ROLE:
            self._keys.append(piece_key(PieceKind.TOOL, source))
            self._lengths.append(len(source))
        else:
            cut = lines.cut(source if isinstance(source, str) else source.text)
            self._keys.extend(cut.keys)
            self._lengths.extend(cut.lengths)
        if isinstance(source, Message):
            for call in source.tool_calls:
                text = f"{call.name} {call.arguments}"
                self._keys.append(piece_key(PieceKind.CALL, text))
                self._lengths.append(len(text))
        self._piece_ends.append(len(self._keys))

    def _pieces(self, number: int) -> Iterator[Piece]:
        source = self._sources[number]
        keys, tokens = self.keys(number), self.piece_tokens(number)
        lengths = self._lengths[self._piece_ends[number] : self._piece_ends[number + 1]]
        calls = len(source.tool_calls) if isinstance(source, Message) else 0
        is_tool = isinstance(source, str) and self._roles[number] == TOOL_ROLE
        first_call, at = len(keys) - calls, 0
        for i, (key, length, size) in enumerate(zip(keys, lengths, tokens, strict=True)):
            if i >= first_call:
                yield Piece(key, PieceKind.CALL, i - first_call, i - first_call, size)
            else:
                yield Piece(key, PieceKind.TOOL if is_tool else PieceKind.LINE, at, at + length, size)
                at += length

    def _estimate(self) -> tuple[array[int], array[int]]:
        """Return the lengths of all pieces and of all items, in tokens."""
        import numpy as np

        ends = np.array(self._piece_ends, np.int64)
        starts, ends = ends[:-1], ends[1:]
        lengths = np.array(self._lengths, np.int64)
        lengths[starts] += _MARK_CHARACTERS
        behind = np.cumsum(lengths)
        del lengths
        # Counted from the start of each item, so that equal items are equally long and pieces add up.
        behind -= np.repeat(np.append(0, behind)[starts], ends - starts)
        characters = behind[ends - 1]
        sent = int(characters[np.array(self._numbers, np.uint32)].sum())
        known = sum(n for i, n in enumerate(self._prompt_tokens) if self._ends[i + 1] > self._ends[i])
        rate = known / sent if sent and known else _DEFAULT_TOKENS_PER_CHARACTER
        exact = np.array(self._exact, np.float64)
        rates = np.where(exact > 0, exact / np.maximum(characters, 1), rate)
        # What is exact must not lose a token to rounding.
        upto = (behind * np.repeat(rates, ends - starts) + 1e-6).astype(np.uint32)
        tokens = np.diff(upto, prepend=np.uint32(0))
        tokens[starts] = upto[starts]
        return array("I", tokens.tobytes()), array("I", upto[ends - 1].tobytes())
