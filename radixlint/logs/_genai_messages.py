"""Messages of OpenTelemetry's GenAI conventions to chat messages: ``parts``, indexed names, events, one each."""

from __future__ import annotations

from typing import Any, Final

from radixlint.logs._compact_json import dump_compact
from radixlint.logs._json_text import parsed
from radixlint.logs._otlp_spans import Event, Values, collected

_EVENT_ROLES: Final = {f"gen_ai.{role}.message": role for role in ("system", "user", "assistant", "tool")}
_RESULTS: Final = ("tool_call_response", "tool_response")


def messages_of_parts(value: object) -> list[Values]:
    """Return chat messages of messages with ``parts``; those without stay as they are.

    Raises:
        CutText: the text is cut.
    """
    items = parsed(value)
    if isinstance(items, str):
        return [{"role": "user", "content": items}]
    if not isinstance(items, list):
        return []
    return [message for item in items if isinstance(item, dict) for message in _chat(item)]


def system_messages(value: object) -> list[Values]:
    """Return the system instructions, which stand apart from the messages, as a message."""
    items = parsed(value)
    if not items:
        return []
    if isinstance(items, str):
        return [{"role": "system", "content": items}]
    parts = (
        [one if isinstance(one, dict) else {"type": "text", "content": one} for one in items] if isinstance(items, list) else []
    )
    return [message for message in _chat({"role": "system", "parts": parts}) if parts]


def indexed_messages(attributes: Values, prefix: str) -> list[Values]:
    """Return the messages under indexed names (``gen_ai.prompt.0.role``), in numeric order."""
    messages = []
    for one in collected(attributes, prefix):
        message: Values = {"role": one.get("role", "user"), "content": parsed_content(one.get("content"))}
        calls = [
            {"id": call.get("id", ""), "function": {"name": call.get("name", ""), "arguments": call.get("arguments", "")}}
            for call in collected(one, "tool_calls")
        ]
        messages.append(message | ({"tool_calls": calls} if calls else {}) | _if_given(one, "tool_call_id"))
    return messages


def event_messages(events: tuple[Event, ...]) -> list[Values]:
    """Return the messages that events of one span hold, in their order."""
    messages = []
    for event in events:
        role = _EVENT_ROLES.get(event.name)
        if role is None:
            continue
        body = event.body or event.attributes
        message: Values = {"role": body.get("role") or role, "content": parsed_content(body.get("content"))}
        calls = parsed(body.get("tool_calls"))
        named = {"tool_call_id": body["id"]} if role == "tool" and body.get("id") else {}
        messages.append(message | ({"tool_calls": calls} if calls else {}) | named)
    return messages


def tool_list(value: object) -> list[Any]:
    """Return tool definitions; one by one they may be text."""
    tools = parsed(value)
    return [parsed(tool) for tool in tools] if isinstance(tools, list) else []


def parsed_content(value: object) -> object:
    """Return the blocks in ``value`` if it is a list of them as text, else the text as it is."""
    if isinstance(value, str) and value.lstrip().startswith("[{"):
        blocks = parsed(value)
        return blocks if isinstance(blocks, list) and all(isinstance(b, dict) and "type" in b for b in blocks) else value
    return value


def _chat(item: Values) -> list[Values]:
    parts = item.get("parts")
    if not isinstance(parts, list):
        return [item]
    role = item.get("role", "user")
    content: list[object] = []
    extra: Values = {}
    results: list[Values] = []
    for part in parts:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind in _RESULTS:
            results.append({"role": "tool", "content": _result(part)} | _if_given(part, "id", "tool_call_id"))
        elif kind == "tool_call":
            function = {"name": part.get("name", ""), "arguments": part.get("arguments")}
            extra.setdefault("tool_calls", []).append({"id": part.get("id") or "", "function": function})
        elif kind == "reasoning":
            extra["reasoning_content"] = str(part.get("content"))
        else:
            content.append({"type": "text", "text": part["content"]} if kind == "text" and "content" in part else part)
    name = _if_given(item, "name")
    own = [{"role": role, "content": content, **extra, **name}] if content or extra or not results else []
    return [*own, *results]


def _result(part: Values) -> str:
    value = next((part[name] for name in ("response", "result", "content") if name in part), "")
    return value if isinstance(value, str) else dump_compact(value)


def _if_given(values: Values, name: str, as_name: str | None = None) -> Values:
    return {as_name or name: values[name]} if values.get(name) else {}
