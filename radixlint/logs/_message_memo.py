"""Each distinct message once: what was decoded before is found by the hash of its JSON, and shared by all requests."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from msgspec import Raw, Struct

from radixlint.traffic import Message

_ENTRIES_KEPT: Final = 1 << 18
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
    """Messages by the SHA-256 of their JSON (so the JSON need not be kept), and by value.

    Equal messages are one object even if they are written differently, as a cache mark moves on with every turn.
    """

    def __init__(self) -> None:
        self._by_json: _Generations[bytes, Known] = _Generations()
        self._by_value: _Generations[Message, Message] = _Generations()

    def read(self, field: Raw, decode: Callable[[Raw], Known]) -> Known:
        """Return what ``decode`` makes of ``field``, called only if it was not met lately."""
        key = hashlib.sha256(field).digest()
        known = self._by_json.get(key)
        if known is None:
            known = self._share(decode(field))
            self._by_json.keep(key, known)
        return known

    def _share(self, known: Known) -> Known:
        same = self._by_value.get(known.message)
        if same is None:
            self._by_value.keep(known.message, known.message)
            return known
        return Known(same, known.marks, known.notes)
