"""Each distinct message once, in whatever requests it stands."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from msgspec import Raw, Struct

from radixlint.traffic import Message

_ENTRIES_KEPT: Final = 1 << 17
# There are a handful; what goes beyond is not remembered, so that odd input cannot fill memory.
_ROLES_KEPT: Final = 64
Mark = tuple[int, float | None]
_K = TypeVar("_K")
_V = TypeVar("_V")


class Known(Struct, frozen=True):
    """A message as read: its marks (block, time to live in seconds), and what is to be noted each time it is met."""

    message: Message
    marks: tuple[Mark, ...] = ()
    notes: tuple[str, ...] = ()


class _Generations(Generic[_K, _V]):
    """A dict that forgets what was not asked for in a long time: two generations, the old one dropped when the young is full."""

    def __init__(self) -> None:
        self._young: dict[_K, _V] = {}
        self._old: dict[_K, _V] = {}

    def get(self, key: _K) -> _V | None:
        found = self._young.get(key)
        if found is None and self._old and (found := self._old.get(key)) is not None:
            self.keep(key, found)
        return found

    def keep(self, key: _K, value: _V) -> None:
        if len(self._young) >= _ENTRIES_KEPT:
            self._old, self._young = self._young, {}
        self._young[key] = value


class MessageMemo:
    """Messages by value, so that equal ones are one object; and by the SHA-256 of their JSON, where decoding is slow."""

    def __init__(self) -> None:
        self._plain: dict[str, _Generations[str, Message]] = {}
        self._by_value: _Generations[Message, Message] = _Generations()
        self._by_json: _Generations[bytes, Known] = _Generations()

    def plain(self, role: str, text: str) -> Message:
        """Return the message that is ``text`` alone, the one that was met first."""
        by_text = self._plain.get(role)
        if by_text is None:
            if len(self._plain) >= _ROLES_KEPT:
                return Message(role, text)
            by_text = self._plain[sys.intern(role)] = _Generations()
        known = by_text.get(text)
        if known is None:
            known = Message(sys.intern(role), text)
            by_text.keep(text, known)
        return known

    def share(self, message: Message) -> Message:
        """Return the message equal to ``message`` that was met first."""
        if not (message.tool_calls or message.parts or message.extra):
            return self.plain(message.role, message.text)
        known = self._by_value.get(message)
        if known is None:
            self._by_value.keep(message, message)
            return message
        return known

    def read(self, field: Raw, decode: Callable[[Raw], Known]) -> Known:
        """Return what ``decode`` makes of ``field``, called only if it was not met lately."""
        key = hashlib.sha256(field).digest()
        known = self._by_json.get(key)
        if known is None:
            known = decode(field)
            # The same message may be written in another way: a cache mark moves on with every turn.
            known = Known(self.share(known.message), known.marks, known.notes)
            self._by_json.keep(key, known)
        return known
