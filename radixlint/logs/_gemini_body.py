"""Gemini's generateContent bodies, in camel and snake case and as its SDKs take them, to the prompt."""

from __future__ import annotations

import json
from typing import Any, Final

from msgspec import Raw

from radixlint.logs._chat_messages import read_chat
from radixlint.logs._opened_text import elements
from radixlint.logs._record_json import Record, RecordError, as_record, decode_value
from radixlint.logs._request_bodies import Prompt
from radixlint.logs._tally import Tally
from radixlint.logs._tool_list import read_tools

NO_CONTENTS: Final = "no contents"
_HIDDEN: Final = "Requests with cachedContent hide the prefix that the server keeps: their rates are lower bounds"
_ROLES: Final = {"model": "assistant", "function": "tool"}
_SYSTEM: Final = ("systemInstruction", "system_instruction")
_CACHED: Final = ("cachedContent", "cached_content")
_DECLARATIONS: Final = ("functionDeclarations", "function_declarations")
# The SDKs take what stands beside the contents on the wire as one argument.
_CONFIG: Final = "config"


def is_gemini(body: Record) -> bool:
    """Whether this is a body of Gemini's."""
    return "contents" in body and "messages" not in body


def gemini_prompt(body: Record, tally: Tally) -> Prompt:
    """Return the prompt of a generateContent body, its system instruction as the first message.

    Raises:
        RecordError: ``no contents``, ``message not an object`` or ``content not text``.
    """
    body = {**(as_record(body.get(_CONFIG)) or {}), **body}
    if "contents" not in body:
        raise RecordError(NO_CONTENTS)
    if _first(body, _CACHED) is not None:
        tally.note(_HIDDEN)
    contents = decode_value(body["contents"])
    turns = _turns(contents)
    system = _first(body, _SYSTEM)
    if system is not None and (parts := _parts(decode_value(system))):
        turns = [{"role": "system", "content": _blocks(parts)}, *turns]
    chat = read_chat(_dumped(turns), tally, empty=NO_CONTENTS)
    tools, _ = read_tools({"tools": _tools(body["tools"])} if "tools" in body else {}, tally)
    return {"tools": tools, "messages": chat.messages, "marks": chat.marks}


def gemini_message(content: object) -> dict[str, object]:
    """Return one ``content`` (a role and its parts) as a chat message."""
    role = content.get("role") if isinstance(content, dict) else None
    parts = _parts(content)
    told = _ROLES.get(role, role) if isinstance(role, str) else "user"
    calls = [_call(call) for part in parts if (call := _of(part, "functionCall", "function_call")) is not None]
    results = [result for part in parts if (result := _of(part, "functionResponse", "function_response")) is not None]
    message: dict[str, object] = {"role": "tool" if results else told, "content": _blocks(parts)}
    if calls:
        message["tool_calls"] = calls
    if results and isinstance(results[0], dict):
        message |= {"name": results[0].get("name"), "tool_call_id": results[0].get("id")}
    return message


def _turns(contents: object) -> list[dict[str, object]]:
    """Return the messages in ``contents``: a list of contents, or what the SDKs take for one."""
    if isinstance(contents, list) and any(isinstance(one, dict) and "parts" in one for one in contents):
        return [gemini_message(one) for one in contents]
    return [gemini_message(contents)] if contents else []


def _parts(content: object) -> list[Any]:
    if isinstance(content, dict):
        content = content.get("parts", [content])
    return content if isinstance(content, list) else [] if content is None else [content]


def _blocks(parts: list[Any]) -> list[object]:
    return [block for part in parts if (block := _block(part)) is not None]


def _block(part: object) -> object:
    """Return ``part`` as a content block, None for a call, which stands beside the blocks."""
    if not isinstance(part, dict):
        return part
    if _of(part, "functionCall", "function_call") is not None:
        return None
    result = _of(part, "functionResponse", "function_response")
    if isinstance(result, dict):
        return {"json": result.get("response")}
    if isinstance(part.get("text"), str):
        return {"type": "thinking", "thinking": part["text"]} if part.get("thought") is True else {"text": part["text"]}
    data = _of(part, "inlineData", "inline_data", "fileData", "file_data")
    kind = _of(data, "mimeType", "mime_type")
    return part if kind is None else {**part, "type": kind}


def _call(call: object) -> object:
    if not isinstance(call, dict):
        return call
    return {"id": call.get("id"), "function": {"name": call.get("name"), "arguments": call.get("args")}}


def _of(part: object, *names: str) -> object:
    return next((part[name] for name in names if part.get(name) is not None), None) if isinstance(part, dict) else None


def _tools(field: Raw) -> Raw:
    """Return the declarations as a plain list, each as logged; other tools (search, code) as they are."""
    tools: list[bytes] = []
    for one in elements(field):
        tool = as_record(one) or {}
        declared = _first(tool, _DECLARATIONS)
        tools += map(bytes, [one] if declared is None else elements(declared))
    return Raw(b"[%b]" % b",".join(tools))


def _first(fields: Record, names: tuple[str, ...]) -> Raw | None:
    return next((fields[name] for name in names if name in fields and fields[name] != Raw(b"null")), None)


def _dumped(value: object) -> Raw:
    return Raw(json.dumps(value).encode())
