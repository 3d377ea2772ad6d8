"""Histories that grow: a request of a conversation repeats the one before, so only what follows it has to be parsed.

Comparing bytes with those of the conversation's last request is several times faster than finding the borders of messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Raw, Struct

from radixlint.logs._message_memo import Known
from radixlint.traffic import Message

# As much of a text as tells conversations apart in most logs; where it does not, the last one is kept.
_KEY_BYTES: Final = 256
_BUDGET_BYTES: Final = 48 << 20
_FIRSTS_KEPT: Final = 4096
_ELEMENTS: Final = msgspec.json.Decoder(list[Raw])

Odd = tuple[tuple[int, Known], ...]


class History(Struct, frozen=True):
    """The messages of a request, those of them that have marks or notes with their positions, and their JSON without ``]``."""

    messages: tuple[Message, ...]
    odd: Odd
    json: bytes


_NOTHING: Final = History((), (), b"")


class Histories:
    """The last request of each conversation, within a budget; conversations are told apart by what follows the first message.

    ``decode`` reads one message.
    """

    def __init__(self, decode: Callable[[Raw], Known]) -> None:
        self._decode = decode
        self._firsts: dict[bytes, bytes] = {}
        self._last: dict[bytes, History] = {}
        self._bytes = 0

    def read(self, array: Raw) -> History:
        """Return the messages of the JSON ``array``.

        Raises:
            msgspec.DecodeError: this is no array.
            RecordError: as ``decode`` does for a message.
        """
        text = bytes(memoryview(array)[:-1])
        key = self._key(text)
        before = self._last.get(key, _NOTHING)
        if before.messages and text.startswith(before.json):
            rest = text[len(before.json) :].lstrip()
            fields = _ELEMENTS.decode(b"[%b]" % rest[1:]) if rest else []
        else:
            before = _NOTHING
            fields = _ELEMENTS.decode(array)
            if fields:
                self._learn_first(text, fields[0])
                key = self._key(text)
        history = self._grown(before, fields, text)
        self._keep(key, history)
        return history

    def read_each(self, fields: list[Raw]) -> History:
        """Return the messages ``fields``, with nothing remembered about the conversation."""
        return self._grown(_NOTHING, fields, b"")

    def _grown(self, before: History, fields: list[Raw], text: bytes) -> History:
        known = [self._decode(field) for field in fields]
        count = len(before.messages)
        odd = [(position, one) for position, one in enumerate(known, count) if one.marks or one.notes]
        return History((*before.messages, *[one.message for one in known]), (*before.odd, *odd), text)

    def _key(self, text: bytes) -> bytes:
        first = self._firsts.get(text[:_KEY_BYTES])
        if first is None or not text.startswith(first):
            return text[: 2 * _KEY_BYTES]
        return text[len(first) : len(first) + _KEY_BYTES]

    def _learn_first(self, text: bytes, field: Raw) -> None:
        json = bytes(field)
        end = text.find(json) + len(json)
        if end >= _KEY_BYTES:  # else what follows would enter the key of the first message
            if len(self._firsts) >= _FIRSTS_KEPT:
                self._firsts.clear()
            self._firsts[text[:_KEY_BYTES]] = text[:end]

    def _keep(self, key: bytes, history: History) -> None:
        self._bytes += len(history.json) - len(self._last.get(key, _NOTHING).json)
        if self._bytes > _BUDGET_BYTES:
            self._last.clear()
            self._bytes = len(history.json)
        self._last[key] = history
