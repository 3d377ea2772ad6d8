"""Made conversations as items, for tests that change one thing between two requests."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Sequence

from radixlint.pieces import TOOL_ROLE, Item, Piece, PieceKind
from radixlint.traffic import Message, ToolCall

WORDS = tuple(
    re.findall(
        r"\w+",
        "harbour ledger copper violet drawer signal pasture kettle window marble captain "
        "thistle lantern engine velvet orchard blanket ribbon furnace meadow compass pillow "
        "quarry saddle tunnel walnut anchor basket candle dolphin feather garden",
    )
)


class ItemMaker:
    """Items of messages and tools; equal ones are one object."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str | Message], Item] = {}

    def tool(self, text: str) -> Item:
        """Return a tool of this JSON text."""
        return self._item(TOOL_ROLE, text, (self._piece(PieceKind.TOOL, text, 0, len(text)),))

    def message(self, role: str, text: str, *calls: ToolCall, extra: str = "") -> Item:
        """Return a message of lines and calls."""
        pieces, start = [], 0
        for line in text.splitlines(keepends=True):
            pieces.append(self._piece(PieceKind.LINE, line, start, start + len(line)))
            start += len(line)
        pieces += [self._piece(PieceKind.CALL, f"{c.name} {c.arguments}", at, at) for at, c in enumerate(calls)]
        return self._item(role, Message(role=role, kept=text, tool_calls=calls, extra=extra), tuple(pieces))

    def _piece(self, kind: PieceKind, text: str, start: int, end: int) -> Piece:
        key = hashlib.blake2b(f"{kind} {text}".encode(), digest_size=8).digest()
        return Piece(int.from_bytes(key, "little"), kind, start, end, len(text) // 4 + 1)

    def _item(self, role: str, source: str | Message, pieces: tuple[Piece, ...]) -> Item:
        tokens = sum(piece.tokens for piece in pieces) + 4
        return self._known.setdefault((role, source), Item(len(self._known), role, source, pieces, tokens))


class Talk:
    """A conversation by seed: a system text, then turns of a question and an answer, some with a call and its result."""

    def __init__(self, seed: int) -> None:
        self.draw, self.maker = random.Random(seed), ItemMaker()
        self.system = self.maker.message("system", "\n".join(self.words(12) for _ in range(8)))

    def words(self, count: int) -> str:
        """Return some words."""
        return " ".join(self.draw.choice(WORDS) for _ in range(count))

    def question(self) -> Item:
        """Return a new question, of one line or several."""
        return self.maker.message("user", "\n".join(self.words(15) for _ in range(self.draw.randint(1, 3))))

    def answer(self) -> Item:
        """Return a new answer."""
        return self.maker.message("assistant", "\n".join(self.words(20) for _ in range(self.draw.randint(1, 4))))

    def call(self) -> list[Item]:
        """Return a call of a tool and its result."""
        arguments = {"order_id": self.draw.randrange(10**6), "branch": self.words(1), "with_lines": True, "note": self.words(2)}
        asked = ToolCall("find_order", json.dumps(arguments), f"call_{self.draw.randrange(10**9)}")
        result = self.maker.message("tool", "\n".join(self.words(25) for _ in range(6)))
        return [self.maker.message("assistant", "", asked), result]

    def turns(self, count: int) -> list[Item]:
        """Return whole turns, each question with its answer; every other one has a call."""
        items: list[Item] = []
        for at in range(count):
            items += [self.question(), *(self.call() if at % 2 else ()), self.answer()]
        return items

    def grown(self, items: Sequence[Item]) -> list[Item]:
        """Return a request that ends in a question as it is one turn later."""
        return [*items, self.answer(), self.question()]


def first_apart(mine: Sequence[Item], theirs: Sequence[Item]) -> int:
    """Return how many leading items of two requests are equal."""
    equal = [a.number == b.number for a, b in zip(mine, theirs, strict=False)]
    return equal.index(False) if False in equal else len(equal)
