"""The parts of prompts that can be told apart: tools and messages, and the lines and calls in them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from radixlint.traffic import Message

TOOL_ROLE: Final = "tools"
"""The role of a tool definition, which is no message."""
HEAD_ROLES: Final = frozenset({"system", "developer", TOOL_ROLE})
"""The roles of tools and instructions."""


class PieceKind(StrEnum):
    """What a piece is."""

    TOOL = "tool"
    LINE = "line"
    CALL = "call"


class Piece(Struct, frozen=True, gc=False):
    """A part of an item: a tool as a whole, a line of a message with its line end, or a tool call.

    ``key`` is a 64-bit hash of kind and text, the same in every process: equal pieces have equal keys, and so have lines of the
    same words in another form (``line_form``), and tools and calls that are equal as JSON. ``start`` and ``end``
    are code points in the item's text; of a call both are its number in the message. ``tokens`` is its length, about: those
    of an item's pieces add up to the item's.
    """

    key: int
    kind: PieceKind
    start: int
    end: int
    tokens: int


class Item(Struct, frozen=True, gc=False):
    """A tool or a message, once for all requests that hold an equal one; ``number`` counts them by first appearance.

    ``role`` is the message's, or ``TOOL_ROLE``. ``tokens`` is its length in the prompt, its marks included.
    """

    number: int
    role: str
    source: str | Message
    pieces: tuple[Piece, ...]
    tokens: int

    @property
    def text(self) -> str:
        """The tool's JSON or the message's text."""
        return self.source if isinstance(self.source, str) else self.source.text

    def piece_text(self, piece: Piece) -> str:
        """Return the text of one of its pieces; of a call its name, a blank and its arguments."""
        if piece.kind is PieceKind.CALL and isinstance(self.source, Message):
            call = self.source.tool_calls[piece.start]
            return f"{call.name} {call.arguments}"
        return self.text[piece.start : piece.end]
