"""Histories that grow: a request of a conversation repeats the one before, so only what follows it has to be parsed.

Comparing bytes with those of the conversation's last request, or at least with a first message that other conversations
have too, is several times faster than finding the borders of messages.
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
_BUDGET_BYTES: Final = 16 << 20
# What a conversation takes beside its JSON, about.
_ENTRY_BYTES: Final = 600
_FIRSTS_KEPT: Final = 4096
_ELEMENTS: Final = msgspec.json.Decoder(list[Raw])

Odd = tuple[tuple[int, Known], ...]


class History(Struct, frozen=True):
    """The messages of a request, and those of them that have marks or notes with their positions.

    Their JSON without ``]`` is ``head``, a first message that other conversations have too (else empty), and ``tail``.
    """

    messages: tuple[Message, ...] = ()
    odd: Odd = ()
    head: bytes = b""
    tail: bytes = b""


_NOTHING: Final = History()


class Histories:
    """The last request of each conversation, within a budget; conversations are told apart by what follows the first message.

    ``decode`` reads one message.
    """

    def __init__(self, decode: Callable[[Raw], Known]) -> None:
        self._decode = decode
        self._firsts: dict[bytes, History] = {}
        self._last: dict[bytes, History] = {}
        self._bytes = 0

    def read(self, array: Raw) -> History:
        """Return the messages of the JSON ``array``.

        Raises:
            msgspec.DecodeError: this is no array.
            RecordError: as ``decode`` does for a message.
        """
        text = bytes(memoryview(array)[:-1])
        first = self._firsts.get(text[:_KEY_BYTES], _NOTHING)
        head = first.head
        if not text.startswith(head):
            first, head = _NOTHING, b""
        start = len(head)
        key = text[start : start + (_KEY_BYTES if start else 2 * _KEY_BYTES)]
        before = self._last.get(key, _NOTHING)
        if not before.messages or before.head != head or not text.startswith(before.tail, start):
            before = first
        if before.messages:
            rest = text[start + len(before.tail) :].lstrip()
            fields = _ELEMENTS.decode(b"[%b]" % rest[1:]) if rest else []
        else:
            fields = _ELEMENTS.decode(array)
        known = [self._decode(field) for field in fields]
        history = _grown(before, known, head, text[start:])
        if fields and not before.messages and (first := self._learn_first(text, fields[0], known[0])) is not _NOTHING:
            start = len(first.head)
            key = text[start : start + _KEY_BYTES]
            history = History(history.messages, history.odd, first.head, text[start:])
        self._keep(key, history)
        return history

    def read_each(self, fields: list[Raw]) -> History:
        """Return the messages ``fields``, with nothing remembered about the conversation."""
        return _grown(_NOTHING, [self._decode(field) for field in fields])

    def _learn_first(self, text: bytes, field: Raw, known: Known) -> History:
        """Return the conversation that ends with its first message, if that is long; else nothing."""
        json = bytes(field)
        end = text.find(json) + len(json)
        if end < _KEY_BYTES:  # what follows would enter the key of the first message
            return _NOTHING
        if len(self._firsts) >= _FIRSTS_KEPT:
            self._forget()
        first = self._firsts[text[:_KEY_BYTES]] = _grown(_NOTHING, [known], text[:end])
        self._bytes += end + _ENTRY_BYTES
        return first

    def _keep(self, key: bytes, history: History) -> None:
        if not history.tail:
            return
        before = self._last.get(key)
        self._bytes += len(history.tail) - (-_ENTRY_BYTES if before is None else len(before.tail))
        if self._bytes > _BUDGET_BYTES:
            self._forget()
        else:
            self._last[key] = history

    def _forget(self) -> None:
        self._firsts.clear()
        self._last.clear()
        self._bytes = 0


def _grown(before: History, known: list[Known], head: bytes = b"", tail: bytes = b"") -> History:
    count = len(before.messages)
    odd = before.odd
    for position, one in enumerate(known, count):
        if one.marks or one.notes:
            odd = (*odd, (position, one))
    return History((*before.messages, *[one.message for one in known]), odd, head, tail)
