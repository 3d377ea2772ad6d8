"""Numbers for messages, equal ones alike, looked up by identity: a log shares its messages, so each is read once."""

from __future__ import annotations

from radixlint.traffic import Message


class MessageKeys:
    """Gives equal messages the same number; holds what it has seen, so that no other object takes its identity."""

    def __init__(self) -> None:
        self._by_id: dict[int, tuple[int, Message]] = {}
        self._by_value: dict[Message, int] = {}

    def of(self, message: Message) -> int:
        """Return the number of ``message``."""
        known = self._by_id.get(id(message))
        if known is None:
            known = self._by_id[id(message)] = self._by_value.setdefault(message, len(self._by_value)), message
        return known[0]
