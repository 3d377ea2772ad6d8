"""The messages of a chat request to text: content as string or parts, calls in both of their forms."""

from __future__ import annotations

import hashlib
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Raw, Struct

from radixlint.logs._compact_json import dump_compact
from radixlint.logs._record_json import RecordError, decode_value
from radixlint.logs._tally import Tally
from radixlint.traffic import Message, ToolCall

_OPAQUE: Final = "Parts that are not text (images, audio, files) are not tokenized and stand as a mark with their hash"
_ODD_CALLS: Final = "Tool calls of an unknown shape were ignored"
_NO_ROLE: Final = "Messages without a role were read as they are"
# The words of part types, and what people call them.
_KINDS: Final = ("image", "audio", "file", "video", "document")


class _WireFunction(Struct, frozen=True, gc=False):
    name: str
    arguments: str


class _WireCall(Struct, frozen=True, gc=False):
    function: _WireFunction


class _WireMessage(Struct, frozen=True):
    role: Annotated[str, Meta(min_length=1)]
    content: str | None = None
    tool_calls: list[_WireCall] | None = None
    function_call: None = None


_USUAL: Final = msgspec.json.Decoder(list[_WireMessage])


def read_messages(field: Raw, tally: Tally) -> tuple[Message, ...]:
    """Return the messages in the JSON of ``field``.

    Raises:
        RecordError: ``no messages``, ``message not an object`` or ``content not text``.
    """
    try:
        usual = _USUAL.decode(field)
    except (msgspec.DecodeError, RecursionError):
        return _read_any(field, tally)
    if not usual:
        raise RecordError("no messages")
    return tuple([Message(m.role, m.content or "", _calls(m.tool_calls) if m.tool_calls else ()) for m in usual])


def _calls(calls: list[_WireCall]) -> tuple[ToolCall, ...]:
    return tuple([ToolCall(call.function.name, call.function.arguments) for call in calls])


def _read_any(field: Raw, tally: Tally) -> tuple[Message, ...]:
    value = decode_value(field)
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
