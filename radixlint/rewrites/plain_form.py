"""Text in one form: what differs only in how the same words are written is written alike."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from msgspec import structs

from radixlint.traffic import Message, Request
from radixlint.written_forms import plain_text


def plain_form(requests: Sequence[Request], form: Callable[[str], str] = plain_text) -> tuple[Request, ...]:
    """Return the requests with all messages in one ``form``; those in which nothing changes are the same objects."""
    known: dict[int, tuple[Message, Message]] = {}
    text_of = functools.cache(form)

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
