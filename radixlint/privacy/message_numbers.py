"""Numbers for messages, equal ones alike: passes over a log compare numbers, and look at each message once."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from radixlint.traffic import Message, Request


class MessageNumbers:
    """The messages of a log by number, in order of first appearance.

    Attributes:
        messages: the distinct messages; a message's number is its place here.
    """

    def __init__(self, requests: Sequence[Request]) -> None:
        self.messages: list[Message] = []
        # One after another, for an array of its own takes as much again as the few numbers of a request.
        self._numbers, self._ends = array("I"), array("Q", [0])
        by_value: dict[Message, int] = {}
        # Equal messages are mostly one object; while the requests hold them, no other object has its identity.
        by_identity: dict[int, int] = {}
        for request in requests:
            try:
                own = array("I", map(by_identity.__getitem__, map(id, request.messages)))
            except KeyError:
                own = array("I", [self._number(message, by_identity, by_value) for message in request.messages])
            self._numbers += own
            self._ends.append(len(self._numbers))

    def of(self, position: int) -> array[int]:
        """Return the numbers of the messages of the request at ``position``, in their order."""
        return self._numbers[self._ends[position] : self._ends[position + 1]]

    def _number(self, message: Message, by_identity: dict[int, int], by_value: dict[Message, int]) -> int:
        number = by_identity.get(id(message))
        if number is None:
            number = by_identity[id(message)] = by_value.setdefault(message, len(self.messages))
            if number == len(self.messages):
                self.messages.append(message)
        return number
