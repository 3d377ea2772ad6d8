"""Numbers for messages, equal ones alike: passes over a log compare numbers, and look at each message once."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from radixlint.traffic import Message, Request


class MessageNumbers:
    """The messages of a log by number, in order of first appearance.

    Attributes:
        messages: the distinct messages; a message's number is its place here.
        of: the numbers of each request's messages, in their order.
    """

    def __init__(self, requests: Sequence[Request]) -> None:
        self.messages: list[Message] = []
        self._by_value: dict[Message, int] = {}
        # Equal messages are mostly one object; while the requests hold them, no other object has its identity.
        self._by_identity: dict[int, int] = {}
        self.of = [self._numbers(request.messages) for request in requests]
        self._by_identity.clear()
        self._by_value.clear()

    def _numbers(self, messages: tuple[Message, ...]) -> array[int]:
        known = self._by_identity
        try:
            return array("I", map(known.__getitem__, map(id, messages)))
        except KeyError:
            for message in messages:
                if id(message) not in known:
                    number = known[id(message)] = self._by_value.setdefault(message, len(self.messages))
                    if number == len(self.messages):
                        self.messages.append(message)
            return self._numbers(messages)
