"""What a layout makes of a request: pieces of text in wire order that name their place and the content block they end."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

OPEN_TURN: Final = "open assistant turn"

_KNOWN_ROLES: Final = frozenset(("system", "developer", "user", "assistant", "tool", "function"))


class Piece(Struct, frozen=True, gc=False):
    """A part of the laid-out prompt.

    Attributes:
        where: its place for people (``tools[3]``, ``messages[0] system``); it holds nothing of the log's own text.
        text: what the model reads; the texts of all pieces, joined, are the prompt.
        tool: the tool it ends, by position in the request; None if it ends none.
        message: the message it belongs to, by position; None if to none.
        part: the last content block of that message that it holds, from 0.
        mark_characters: how much of ``text`` is the layout's own mark in front of the log's text.
    """

    where: str
    text: str
    tool: int | None = None
    message: int | None = None
    part: int = 0
    mark_characters: int = 0

    @property
    def ends_block(self) -> bool:
        """Whether a content block (a tool, or a block of a message) ends with it."""
        return self.tool is not None or self.message is not None


def message_place(index: int, role: str) -> str:
    """Return the name of a message's place; an unknown role is ``other role``, for a name may stand there.

    >>> message_place(0, "user"), message_place(1, "Mallory")
    ('messages[0] user', 'messages[1] other role')
    """
    return f"messages[{index}] {role if role in _KNOWN_ROLES else 'other role'}"
