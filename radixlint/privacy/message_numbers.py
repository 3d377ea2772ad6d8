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
        # One after another, for an array of its own takes as much again as the few numbers of a request.
        self._numbers, self._ends = array("I"), array("Q", [0])
        by_value: dict[Message, int] = {}
        for request in requests:
            self._numbers.extend([by_value.setdefault(message, len(by_value)) for message in request.messages])
            self._ends.append(len(self._numbers))
        self.messages = list(by_value)

    def of(self, position: int) -> array[int]:
        """Return the numbers of the messages of the request at ``position``, in their order."""
        return self._numbers[self._ends[position] : self._ends[position + 1]]
