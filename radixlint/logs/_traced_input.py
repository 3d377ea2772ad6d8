"""The input of a traced call in the shapes integrations give it: messages, a body, keyword arguments, JSON as text, text."""

from __future__ import annotations

from typing import Final

from radixlint.logs._json_text import parsed
from radixlint.logs._logged_bodies import as_fields
from radixlint.logs._record_json import Record

_BODY: Final = ("messages", "prompt", "input")
_MOST_WRAPS: Final = 3


def traced_body(value: object) -> Record | None:
    """Return ``value`` as a body of an API, None if it holds no prompt; text that is no JSON is a question of the user.

    Of a list, items that are tool definitions (LangChain's tracers append them as messages of a tool) are its tools.

    Raises:
        CutText: it is JSON that ends early.
    """
    for _ in range(_MOST_WRAPS):
        value = parsed(value)
        if not isinstance(value, dict) or any(value.get(name) for name in _BODY):
            break
        value = next((value[name] for name in ("kwargs", "request", "body", "params") if value.get(name)), None)
    if isinstance(value, str) and value.strip():
        value = [{"role": "user", "content": value}]
    if isinstance(value, list):
        value = {"messages": value}
    if not isinstance(value, dict) or not value:
        return None
    body = {name: parsed(one) if name in ("messages", "tools") else one for name, one in value.items()}
    messages = body.get("messages")
    if isinstance(messages, list):
        body |= _split_tools(messages, body.get("tools"))
    elif "messages" not in body and isinstance(body.get("input"), str):
        body.setdefault("model", "unknown")  # a question to a model that answers, not an envelope
    return as_fields(body)


def _split_tools(messages: list[object], tools: object) -> dict[str, object]:
    found = [one["content"] for one in messages if isinstance(one, dict) and _is_definition(one)]
    if not found:
        return {}
    rest = [one for one in messages if not (isinstance(one, dict) and _is_definition(one))]
    return {"messages": rest, "tools": [*(tools if isinstance(tools, list) else []), *found]}


def _is_definition(message: dict[str, object]) -> bool:
    content = message.get("content")
    if message.get("role") != "tool" or not isinstance(content, dict):
        return False
    function = content.get("function", content)
    return isinstance(function, dict) and "name" in function and ("parameters" in function or "input_schema" in function)
