"""A request in wire order: tools, messages, open assistant turn, as marked text cut into pieces that name their place."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from radixlint.traffic import Message, Request

TOOLS_FIRST: Final = "tools-first"
"""The name of the only layout, and the default."""

OPEN_TURN: Final = "open assistant turn"

_KNOWN_ROLES: Final = frozenset(("system", "developer", "user", "assistant", "tool", "function"))


class Piece(Struct, frozen=True):
    """A part of the laid-out prompt: ``where`` names it for people (``tools[3]``, ``messages[0] system``).

    ``where`` holds nothing of the log's own text: an unknown role is ``other role``, for a name may stand there.

    ``text`` starts with ``<`` and ends with a newline, so every border between pieces is a certain cut: the tokens of
    the pieces, joined, are the tokens of the prompt.
    """

    where: str
    text: str


def lay_out(request: Request) -> tuple[Piece, ...]:
    r"""Return the prompt of ``request`` in wire order; the marks are ordinary text, no special tokens.

    Only for a request of tools and messages; one that has ``token_ids`` is laid out already.

    >>> [p.text for p in lay_out(Request(index=0, messages=(Message("user", "Hi"),)))]
    ['<|user|>\nHi\n<|end|>\n', '<|assistant|>\n']
    """
    tools = [Piece(f"tools[{i}]", f"<|tool|>{tool}\n") for i, tool in enumerate(request.tools)]
    messages = [Piece(f"messages[{i}] {_role_name(m.role)}", _message_text(m)) for i, m in enumerate(request.messages)]
    return (*tools, *messages, Piece(OPEN_TURN, "<|assistant|>\n"))


def _role_name(role: str) -> str:
    return role if role in _KNOWN_ROLES else "other role"


def _message_text(message: Message) -> str:
    if not message.tool_calls:
        return f"<|{message.role}|>\n{message.text}\n<|end|>\n"
    calls = "".join(f"<|call|>{call.name} {call.arguments}\n" for call in message.tool_calls)
    return f"<|{message.role}|>\n{message.text}\n{calls}<|end|>\n"
