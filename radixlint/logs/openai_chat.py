"""OpenAI chat requests, as sent or wrapped with their answer."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from msgspec import Raw
from msgspec.structs import replace

from radixlint.logs._compact_json import compact_elements, dump_compact
from radixlint.logs._record_fields import response_records, shared_fields
from radixlint.logs._record_json import Record, RecordError, decode_value, first_given, unwrap
from radixlint.logs._tally import Tally
from radixlint.traffic import Message, Request, ToolCall

NAME: Final = "openai-chat"
ACCEPTS: Final = "OpenAI chat requests (messages)"

_OPAQUE: Final = "Parts that are not text (images, audio, files) are not tokenized and stand as a mark with their hash"
_ODD_TOOLS: Final = "Tool lists of an unknown shape were ignored"
_ODD_CALLS: Final = "Tool calls of an unknown shape were ignored"
_NO_ROLE: Final = "Messages without a role were read as they are"
# The words of part types, and what people call them.
_KINDS: Final = ("image", "audio", "file", "video", "document")


def find(record: Record) -> tuple[Record, ...]:
    """Return the envelopes down to the chat request, or nothing."""
    return unwrap(record, ("messages",))


def read(envelopes: Sequence[Record], index: int, tally: Tally) -> Request:
    """Return the request in ``envelopes``.

    Raises:
        RecordError: ``no messages``, ``message not an object`` or ``content not text``.
    """
    body = envelopes[-1]
    messages = _messages(decode_value(body["messages"]), tally)
    return replace(
        shared_fields(envelopes, index, tally), tools=_tools(body, tally), messages=messages, reply=_reply(envelopes[0])
    )


def _tools(body: Record, tally: Tally) -> tuple[str, ...]:
    tools = first_given([body], ("tools", "functions"))
    if tools is None:
        return ()
    try:
        return compact_elements(bytes(tools))
    except ValueError:
        tally.note(_ODD_TOOLS)
        return ()


def _messages(value: object, tally: Tally) -> tuple[Message, ...]:
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = decode_value(Raw(value.encode("utf-8", "replace")))
    if not isinstance(value, list) or not value:
        raise RecordError("no messages")
    return tuple([_message(item, tally) for item in value])


def _message(item: object, tally: Tally) -> Message:
    if not isinstance(item, dict):
        raise RecordError("message not an object")
    role = item.get("role")
    if not isinstance(role, str) or not role:
        tally.note(_NO_ROLE)
        role = ""
    content = item.get("content")
    text = content if isinstance(content, str) else _content_text(content, tally)
    return Message(role=role, text=text, tool_calls=_tool_calls(item, tally))


def _content_text(content: object, tally: Tally) -> str:
    if content is None:
        return ""
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        raise RecordError("content not text")
    return "\n".join(_part_text(part, tally) for part in content)


def _part_text(part: object, tally: Tally) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, dict):
        text = next((part[key] for key in ("text", "refusal") if isinstance(part.get(key), str)), None)
        if isinstance(text, str):
            return text
    tally.note(_OPAQUE)
    return _opaque_mark(part)


def _opaque_mark(part: object) -> str:
    type_ = part.get("type") if isinstance(part, dict) else None
    kind = next((kind for kind in _KINDS if isinstance(type_, str) and kind in type_), "part")
    digest = hashlib.sha256(dump_compact(part).encode("utf-8", "surrogatepass")).hexdigest()
    return f"<{kind} sha256:{digest[:16]}>"


def _tool_calls(item: dict[str, object], tally: Tally) -> tuple[ToolCall, ...]:
    calls = item.get("tool_calls")
    if calls is None:
        legacy = item.get("function_call")
        calls = [] if legacy is None else [legacy]
    if not isinstance(calls, list):
        tally.note(_ODD_CALLS)
        return ()
    read = [_tool_call(call) for call in calls]
    if None in read:
        tally.note(_ODD_CALLS)
    return tuple([call for call in read if call is not None])


def _tool_call(call: object) -> ToolCall | None:
    if not isinstance(call, dict):
        return None
    function = call.get("function", call.get("custom", call))
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return None
    arguments = function.get("arguments", function.get("input"))
    if not isinstance(arguments, str):
        arguments = "" if arguments is None else dump_compact(arguments)
    return ToolCall(name=function["name"], arguments=arguments)


def _reply(record: Record) -> str | None:
    for answer in response_records(record):
        choices = decode_value(answer["choices"]) if "choices" in answer else None
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, str):
            return content
    return None
