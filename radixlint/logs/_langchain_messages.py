"""Messages as LangChain writes them (constructors, dumped models, nested for a batch) to chat messages."""

from __future__ import annotations

import json
from typing import Any, Final

from msgspec import Raw

from radixlint.logs._opened_text import elements, opened
from radixlint.logs._record_json import Record, RecordError, decode_value

_ROLES: Final = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "function",
    "chat": "user",
    "humanmessage": "user",
    "aimessage": "assistant",
    "systemmessage": "system",
    "toolmessage": "tool",
    "functionmessage": "function",
    "chatmessage": "user",
    "developermessage": "developer",
}
_SEVERAL: Final = "several prompts in one request"
_CHUNK: Final = "chunk"
_KEPT: Final = ("tool_call_id", "reasoning_content")


def langchain_body(body: Record) -> Record:
    """Return ``body`` with its messages as those of a chat.

    Raises:
        RecordError: ``several prompts in one request``, a batch.
    """
    if "messages" not in body:
        return body
    listed = elements(body["messages"])
    if listed and bytes(memoryview(listed[0])[:1]) == b"[":
        if len(listed) > 1:
            raise RecordError(_SEVERAL)
        listed = elements(listed[0])
    if any(b'"lc"' in one or b'"type"' in one for one in map(bytes, listed)):
        listed = [Raw(json.dumps(langchain_message(decode_value(opened(one)))).encode()) for one in listed]
    return {**body, "messages": Raw(b"[%b]" % b",".join(map(bytes, listed)))}


def langchain_message(message: object) -> object:
    """Return ``message`` as a chat message; one that is not LangChain's as it is."""
    if not isinstance(message, dict):
        return message
    fields = next((message[key] for key in ("kwargs", "data") if isinstance(message.get(key), dict)), message)
    role = _role(message, fields)
    if role is None:
        return message
    more = fields.get("additional_kwargs")
    kept: dict[str, object] = {**(more if isinstance(more, dict) else {}), **fields}
    own = fields.get("tool_calls")
    calls = [_call(call) for call in own] if isinstance(own, list) and own else kept.get("tool_calls")
    content = fields.get("content")
    if calls and isinstance(content, list):
        # The calls stand in the content once more.
        content = [one for one in content if not (isinstance(one, dict) and one.get("type") in ("tool_use", "function_call"))]
    return {
        "role": role,
        "content": content,
        **({"tool_calls": calls} if calls else {}),
        **{name: kept[name] for name in _KEPT if kept.get(name)},
    }


def _role(message: dict[str, Any], fields: dict[str, Any]) -> str | None:
    if "role" in message and "kwargs" not in message:
        return None
    own = fields.get("role")
    ids = message.get("id") if message.get("type") == "constructor" else None
    named = ids[-1] if isinstance(ids, list) and ids else message.get("type")
    if isinstance(own, str) and str(named).lower().startswith("chat"):
        return own
    word = str(named).lower()
    return _ROLES.get(word.removesuffix(_CHUNK))


def _call(call: object) -> object:
    if not isinstance(call, dict) or "args" not in call:
        return call
    return {"id": call.get("id"), "function": {"name": call.get("name"), "arguments": json.dumps(call["args"])}}
