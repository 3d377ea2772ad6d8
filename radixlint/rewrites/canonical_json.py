"""JSON that is equal in value in the same bytes: in tools, in arguments of calls, and in the texts of messages."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import structs

from radixlint.json_spans import json_spans
from radixlint.traffic import Message, Request

_STYLES: Final = ((",", ":"), (", ", ": "))
_INDENTS: Final = (2, 4, "\t", 1, 3)

Rewritten = Callable[[str], str]


def first_seen_json(requests: Sequence[Request], *, in_texts: bool = False) -> tuple[Request, ...]:
    """Return the requests with tools and arguments of calls that are equal JSON in the bytes that the log has first.

    ``in_texts``: that which stands in texts as well. Replies count as seen when they were given, and stay as they are.
    """
    first: dict[str, str] = {}
    value_of = functools.cache(_json_value)

    def seen(text: str) -> str:
        value = value_of(text)
        return text if value is None else first.setdefault(value, text)

    return _with_json(requests, seen, in_texts)


def sorted_keys(requests: Sequence[Request], *, in_texts: bool = False) -> tuple[Request, ...]:
    """Return the requests with the keys of all objects in tools and in arguments of calls sorted; replies stay as they are.

    ``in_texts``: of those in texts as well.
    """
    return _with_json(requests, functools.cache(_with_sorted_keys), in_texts)


def _with_json(requests: Sequence[Request], rewritten: Rewritten, in_texts: bool) -> tuple[Request, ...]:
    memo = _MessageMemo(rewritten, in_texts)
    found = []
    for request in requests:
        tools = tuple(map(rewritten, request.tools))
        changed = tuple([memo.changed(message) if in_texts or message.tool_calls else message for message in request.messages])
        is_same = tools == request.tools and all(a is b for a, b in zip(changed, request.messages, strict=True))
        found.append(request if is_same else structs.replace(request, tools=tools, messages=changed))
        if request.reply is not None:
            memo.changed(request.reply)
    return tuple(found)


class _MessageMemo:
    """Messages with the JSON in them rewritten, each looked at once, equal ones one object."""

    def __init__(self, rewritten: Rewritten, in_texts: bool) -> None:
        self._rewritten, self._in_texts = rewritten, in_texts
        self._by_id: dict[int, tuple[Message, Message]] = {}
        self._by_value: dict[Message, Message] = {}

    def changed(self, message: Message) -> Message:
        held = self._by_id.get(id(message))
        if held is None:
            calls = tuple(structs.replace(call, arguments=self._rewritten(call.arguments)) for call in message.tool_calls)
            changed = message if calls == message.tool_calls else structs.replace(message, tool_calls=calls)
            changed = self._with_text(changed) if self._in_texts else changed
            held = self._by_id[id(message)] = (
                message,
                self._by_value.setdefault(changed, changed) if changed is not message else message,
            )
        return held[1]

    def _with_text(self, message: Message) -> Message:
        blocks = message.parts or (message.text,)
        texts = tuple(map(self._text, blocks))
        if texts == blocks:
            return message
        return structs.replace(message, kept="\n".join(texts), parts=texts if message.parts else ())

    def _text(self, text: str) -> str:
        parts, at = [], 0
        for start, end in json_spans(text):
            parts += [text[at:start], self._rewritten(text[start:end])]
            at = end
        return "".join((*parts, text[at:]))


def _json_value(text: str) -> str | None:
    """Return a text that stands for the value of the JSON ``text``; None for text that is none, or repeats a key."""
    try:
        return json.dumps(json.loads(text, object_pairs_hook=_object), sort_keys=True)
    except (ValueError, RecursionError):
        return None


def _with_sorted_keys(text: str) -> str:
    """Return the JSON ``text`` with sorted keys, written as before; itself if it is none, or repeats a key."""
    try:
        value = json.loads(text, object_pairs_hook=_object)
        compact = (functools.partial(json.dumps, separators=style, ensure_ascii=text.isascii()) for style in _STYLES)
        styles = (*compact, *(functools.partial(json.dumps, indent=one, ensure_ascii=text.isascii()) for one in _INDENTS))
        # Numbers and white space that are written in another way would change with the order: such a text is left alone.
        dumps = next((dumps for dumps in styles if dumps(value) == text), None)
        return text if dumps is None else dumps(value, sort_keys=True)
    except (ValueError, RecursionError):
        return text


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("repeated key")
    return found
