"""Cache marks where they serve most: behind what all requests have, and behind the newest message."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from radixlint.rewrites.turn_roles import head_length
from radixlint.traffic import CacheMark, Message, Request


def marked(requests: Sequence[Request]) -> tuple[Request, ...]:
    """Return the requests with two cache marks: behind tools and instructions, and behind the newest message.

    Where a provider takes fewer blocks of look-back than a turn adds, more marks would be needed. Requests without messages
    stay as they are.
    """
    return tuple(structs.replace(request, marks=_marks(request)) if request.messages else request for request in requests)


def _marks(request: Request) -> tuple[CacheMark, ...]:
    messages, head = request.messages, head_length(request.messages)
    newest = len(messages) - 1
    if head > newest:
        return (_behind(messages, newest),)
    if head:
        return _behind(messages, head - 1), _behind(messages, newest)
    if request.tools:
        return CacheMark(tool=len(request.tools) - 1), _behind(messages, newest)
    return (_behind(messages, newest),)


def _behind(messages: Sequence[Message], index: int) -> CacheMark:
    message = messages[index]
    blocks = len(message.parts) or int(bool(message.text) or not message.tool_calls)
    return CacheMark(message=index, part=max(0, blocks + len(message.tool_calls) - 1))
