"""Messages and tools as chat templates expect them: plain objects, arguments of calls parsed."""

from __future__ import annotations

import json

from radixlint.layout._wire_layout import content_texts
from radixlint.traffic import Message, ToolCall


def message_object(message: Message, *, as_parts: bool) -> dict[str, object]:
    """Return ``message`` as an object with ``role``, ``content`` (text, or a list of text parts), calls and other fields."""
    content = [{"type": "text", "text": text} for text in content_texts(message)] if as_parts else message.text
    found: dict[str, object] = {"role": message.role, "content": content}
    if message.tool_calls:
        found["tool_calls"] = [_call_object(call) for call in message.tool_calls]
    extra = parsed(message.extra) if message.extra else None
    return {**extra, **found} if isinstance(extra, dict) else found


def parsed(text: str) -> object:
    """Return the value of the JSON ``text``; ``text`` itself if it is none.

    >>> parsed('{"a": 1}'), parsed("{a}")
    ({'a': 1}, '{a}')
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _call_object(call: ToolCall) -> dict[str, object]:
    arguments = parsed(call.arguments)
    function = {"name": call.name, "arguments": arguments if isinstance(arguments, dict) else call.arguments}
    return {"id": call.id, "type": "function", "function": function}
