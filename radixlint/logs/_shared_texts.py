"""Equal messages and tools of different requests as one object: history repeats, and memory should not."""

from __future__ import annotations

from msgspec.structs import replace

from radixlint.traffic import Message, Request


class SharedTexts:
    """Remembers each message and tool list that it saw first."""

    def __init__(self) -> None:
        self._messages: dict[Message, Message] = {}
        self._tools: dict[tuple[str, ...], tuple[str, ...]] = {}

    def share(self, request: Request) -> Request:
        """Return an equal request whose messages and tools are those remembered."""
        if not request.messages and not request.tools:
            return request
        first = self._messages.setdefault
        messages = tuple([first(message, message) for message in request.messages])
        return replace(request, messages=messages, tools=self._tools.setdefault(request.tools, request.tools))
