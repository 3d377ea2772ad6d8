"""Layouts with ChatML-like marks of ordinary text: where the tools stand, and whether content blocks stay apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from radixlint.layout._pieces import OPEN_TURN, Piece, message_place
from radixlint.traffic import Message, Request

OPEN_TURN_TEXT: Final = "<|assistant|>\n"
_END: Final = "\n<|end|>\n"


class WireLayout(Struct, frozen=True):
    r"""Tools, messages and the open assistant turn as marked text; the marks are no special tokens.

    Without ``cuts_blocks`` a message is one piece, every piece starts with ``<`` and ends with a newline, so each border is a
    certain cut: the tokens of the pieces, joined, are the tokens of the prompt. With it every content block is a piece, and
    the tokens of the prompt are by definition those of its pieces, encoded apart.

    ``tools_at`` tells before which message the tools stand; None leaves them out.

    >>> layout = WireLayout("tools-first", tools_at=lambda messages: 0)
    >>> [p.text for p in layout.lay_out(Request(index=0, messages=(Message("user", "Hi"),)))]
    ['<|user|>\nHi\n<|end|>\n', '<|assistant|>\n']
    """

    name: str
    tools_at: Callable[[Sequence[Message]], int] | None
    cuts_blocks: bool = False

    def lay_out(self, request: Request) -> tuple[Piece, ...]:
        tools = [] if self.tools_at is None else [_tool_piece(i, tool) for i, tool in enumerate(request.tools)]
        at = self.tools_at(request.messages) if self.tools_at is not None and tools else 0
        framed = [self._message_pieces(i, message) for i, message in enumerate(request.messages)]
        head, rest = ([piece for pieces in some for piece in pieces] for some in (framed[:at], framed[at:]))
        return (*head, *tools, *rest, Piece(OPEN_TURN, OPEN_TURN_TEXT, mark_characters=len(OPEN_TURN_TEXT)))

    def wire(self, request: Request) -> list[str | Message | None]:
        """Return tools (str), messages and the open turn (None) in wire order: what ``texts`` frames, one by one."""
        if self.tools_at is None or not request.tools:
            return [*request.messages, None]
        at = self.tools_at(request.messages)
        return [*request.messages[:at], *request.tools, *request.messages[at:], None]

    def texts(self, item: str | Message | None) -> list[str]:
        """Return the texts of the pieces of one item of ``wire``: the same as in ``lay_out``, wherever it stands."""
        if item is None:
            return [OPEN_TURN_TEXT]
        return [f"<|tool|>{item}\n"] if isinstance(item, str) else self._message_texts(item)

    def frame(self, message: Message) -> tuple[int, int] | None:
        """Return how many characters of its piece stand before and behind the text of ``message``; None if it has several."""
        if message.tool_calls or (self.cuts_blocks and len(content_texts(message)) != 1):
            return None
        return _mark_characters(message), len(_END)

    def _message_texts(self, message: Message) -> list[str]:
        blocks = content_texts(message)
        if not message.tool_calls and (len(blocks) == 1 or not self.cuts_blocks):
            return [f"<|{message.role}|>\n{message.text}{_END}"]
        texts = [f"{text}\n" for text in blocks]
        texts += [f"<|call|>{call.name} {call.arguments}\n" for call in message.tool_calls]
        texts[0] = f"<|{message.role}|>\n{texts[0]}" if blocks else f"<|{message.role}|>\n\n{texts[0]}"
        texts[-1] += "<|end|>\n"
        return texts if self.cuts_blocks else ["".join(texts)]

    def _message_pieces(self, index: int, message: Message) -> list[Piece]:
        where, mark = message_place(index, message.role), _mark_characters(message)
        last = len(content_texts(message)) + len(message.tool_calls) - 1
        texts = self._message_texts(message)
        if len(texts) == 1:
            return [Piece(where, texts[0], None, index, last, mark)]
        return [Piece(where, text, None, index, part, 0 if part else mark) for part, text in enumerate(texts)]


def content_texts(message: Message) -> tuple[str, ...]:
    """Return the texts of the content blocks of ``message``; none for a message of tool calls alone."""
    if message.parts:
        return message.parts
    return () if message.tool_calls and not message.text else (message.text,)


def _mark_characters(message: Message) -> int:
    return len(message.role) + len("<||>\n")


def _tool_piece(index: int, tool: str) -> Piece:
    return Piece(f"tools[{index}]", f"<|tool|>{tool}\n", index, mark_characters=len("<|tool|>"))
