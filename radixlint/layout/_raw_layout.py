"""The layout of prompts without roles: texts as they are, nothing around them."""

from __future__ import annotations

from radixlint.layout._pieces import Piece
from radixlint.traffic import Request


class RawLayout:
    """The texts of the messages, joined by a newline, with no marks, no tools and no open turn; one piece."""

    name = "raw"

    def lay_out(self, request: Request) -> tuple[Piece, ...]:
        last = len(request.messages) - 1
        return (Piece("prompt", self.render(request), message=last if last >= 0 else None),)

    def render(self, request: Request, *, with_reply: bool = False) -> str:
        """Return the prompt; ``with_reply`` with the logged answer behind it, as a completion goes on."""
        prompt = "\n".join(message.text for message in request.messages)
        return prompt + request.reply.text if with_reply and request.reply else prompt
