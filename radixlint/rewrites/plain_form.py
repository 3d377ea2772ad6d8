"""Text in one form: what differs in blanks at line ends, line ends or Unicode normalization alone is written alike."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence

from msgspec import structs

from radixlint.traffic import Message, Request


def plain_form(requests: Sequence[Request]) -> tuple[Request, ...]:
    """Return the requests with all messages in Unicode form NFC, lines ended by a newline, and no blanks in front of it.

    Requests in which nothing changes are the same objects.
    """
    known: dict[int, tuple[Message, Message]] = {}
    text_of = functools.cache(_plain)

    def plain(message: Message) -> Message:
        held = known.get(id(message))
        if held is None:
            text, parts = text_of(message.text), tuple(map(text_of, message.parts))
            is_same = text == message.text and parts == message.parts
            held = known[id(message)] = message, message if is_same else structs.replace(message, kept=text, parts=parts)
        return held[1]

    found = []
    for request in requests:
        changed = tuple(map(plain, request.messages))
        is_same = all(a is b for a, b in zip(changed, request.messages, strict=True))
        found.append(request if is_same else structs.replace(request, messages=changed))
    return tuple(found)


def _plain(text: str) -> str:
    lines = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).removeprefix("\ufeff").split("\n")
    return "\n".join(line.rstrip(" \t") for line in lines)
