"""Tools in one order, and JSON that is equal in value in the same bytes."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import structs

from radixlint.traffic import Message, Request

_STYLES: Final = ((",", ":"), (", ", ": "))
_NAME_HOLDERS: Final = ("function", "custom", "toolSpec")

Rewritten = Callable[[str], str]


def sorted_tools(requests: Sequence[Request]) -> tuple[Request, ...]:
    """Return the requests with their tools sorted by name, then by text.

    Cache marks keep their places: one behind the last tool stands behind the last tool again.
    """
    order: dict[tuple[str, ...], tuple[str, ...]] = {}
    name_of = functools.cache(tool_name)
    found = []
    for request in requests:
        tools = order.get(request.tools)
        if tools is None:
            tools = order[request.tools] = tuple(sorted(request.tools, key=lambda tool: (name_of(tool), tool)))
        found.append(request if tools == request.tools else structs.replace(request, tools=tools))
    return tuple(found)


def first_seen_json(requests: Sequence[Request]) -> tuple[Request, ...]:
    """Return the requests with tools and arguments of calls that are equal JSON in the bytes that the log has first.

    Replies count as seen when they were given, and stay as they are.
    """
    first: dict[str, str] = {}
    value_of = functools.cache(_json_value)

    def seen(text: str) -> str:
        value = value_of(text)
        return text if value is None else first.setdefault(value, text)

    return _with_json(requests, seen)


def sorted_keys(requests: Sequence[Request]) -> tuple[Request, ...]:
    """Return the requests with the keys of all objects in tools and in arguments of calls sorted; replies stay as they are."""
    return _with_json(requests, functools.cache(_with_sorted_keys))


def _with_json(requests: Sequence[Request], rewritten: Rewritten) -> tuple[Request, ...]:
    memo = _CallMemo(rewritten)
    found = []
    for request in requests:
        tools = tuple(map(rewritten, request.tools))
        changed = tuple([memo.changed(message) if message.tool_calls else message for message in request.messages])
        is_same = tools == request.tools and all(a is b for a, b in zip(changed, request.messages, strict=True))
        found.append(request if is_same else structs.replace(request, tools=tools, messages=changed))
        if request.reply is not None:
            for call in request.reply.tool_calls:
                rewritten(call.arguments)
    return tuple(found)


class _CallMemo:
    """Messages with the arguments of their calls rewritten, each looked at once, equal ones one object."""

    def __init__(self, rewritten: Rewritten) -> None:
        self._rewritten = rewritten
        self._by_id: dict[int, tuple[Message, Message]] = {}
        self._by_value: dict[Message, Message] = {}

    def changed(self, message: Message) -> Message:
        held = self._by_id.get(id(message))
        if held is None:
            calls = tuple(structs.replace(call, arguments=self._rewritten(call.arguments)) for call in message.tool_calls)
            changed = message if calls == message.tool_calls else structs.replace(message, tool_calls=calls)
            held = self._by_id[id(message)] = (
                message,
                self._by_value.setdefault(changed, changed) if changed is not message else message,
            )
        return held[1]


def tool_name(tool: str) -> str:
    """Return the name of a tool given as JSON, empty if it has none."""
    try:
        value = json.loads(tool)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    holder = next((value[key] for key in _NAME_HOLDERS if isinstance(value.get(key), dict)), value)
    return str(holder.get("name", value.get("type", "")))


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
        styles = (functools.partial(json.dumps, separators=style, ensure_ascii=text.isascii()) for style in _STYLES)
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
