"""OpenTelemetry's GenAI spans: which of them call a model, and their prompt and usage under the names of all versions.

The conventions count cached and written tokens inside ``gen_ai.usage.input_tokens``.
"""

from __future__ import annotations

from typing import Final

from radixlint.logs._genai_messages import (
    event_messages,
    indexed_messages,
    messages_of_parts,
    system_messages,
    tool_list,
)
from radixlint.logs._json_text import parsed
from radixlint.logs._otlp_spans import Span, Values, collected
from radixlint.logs._record_usage import count_usage
from radixlint.logs._tally import Tally
from radixlint.traffic import Usage

_CALLS: Final = ("chat", "text_completion", "generate_content", "completion", "responses")
_OPERATIONS: Final = ("gen_ai.operation.name", "llm.request.type")
_INNER_KINDS: Final = ("gen_ai.agent.name", "traceloop.span.kind", "gen_ai.tool.name")
_SIGNS: Final = ("gen_ai.request.model", "gen_ai.response.model", "gen_ai.system", "gen_ai.provider.name")
_PROMPT: Final = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.usage.prompt_tokens")
_OUTPUT: Final = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.usage.completion_tokens")
_CACHED: Final = (
    *("gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens"),
    *("gen_ai.usage.details.cache_read_tokens", "gen_ai.usage.details.cached_tokens", "gen_ai.usage.input_tokens.cached"),
)
_WRITTEN: Final = (
    *("gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens"),
    *("gen_ai.usage.details.cache_write_tokens", "gen_ai.usage.details.cache_creation_tokens"),
)
_TEXTS: Final = ("gen_ai.prompt", "ai.prompt.messages")
_TOOLS: Final = ("gen_ai.tool.definitions", "ai.prompt.tools")
_EVENT_TEXT: Final = ("gen_ai.content.prompt", "gen_ai.client.inference.operation.details")


def is_model_call(attributes: Values) -> bool:
    """Whether a span with ``attributes`` calls a model for text: no agent, tool, chain or embedding."""
    operation = next((str(attributes[name]) for name in _OPERATIONS if name in attributes), None)
    if operation is not None:
        return operation in _CALLS
    if any(name in attributes for name in _INNER_KINDS):
        return False
    return any(name in attributes for name in (*_SIGNS, *_PROMPT)) or "gen_ai.input.messages" in attributes


def genai_usage(attributes: Values, tally: Tally) -> Usage | None:
    """Return the counts of a span, None if it has none."""
    prompt, cached, output, written = (first_count(attributes, names) for names in (_PROMPT, _CACHED, _OUTPUT, _WRITTEN))
    return count_usage(tally, prompt=prompt, cached=cached, output=output, written=written, is_inclusive=True)


def genai_body(span: Span) -> Values | None:
    """Return messages and tools of a span as a chat body, None if its content was not captured.

    Raises:
        CutText: an attribute was cut.
    """
    attributes = span.attributes
    messages = messages_of_parts(attributes.get("gen_ai.input.messages")) or indexed_messages(attributes, "gen_ai.prompt")
    for event in span.events if not messages else ():
        if event.name in _EVENT_TEXT:
            attributes = attributes | event.attributes | event.body
            messages = messages_of_parts(attributes.get("gen_ai.input.messages") or attributes.get("gen_ai.prompt"))
    messages = messages or event_messages(span.events)
    messages = messages or next((found for name in _TEXTS if (found := messages_of_parts(attributes.get(name)))), [])
    if not messages:
        return None
    return {"messages": system_messages(attributes.get("gen_ai.system_instructions")) + messages, "tools": _tools(attributes)}


def genai_reply(span: Span) -> object:
    """Return the answer as a chat message, None if it was not captured.

    Raises:
        CutText: an attribute was cut.
    """
    attributes = span.attributes
    for event in span.events:
        if event.name == "gen_ai.choice":
            return parsed(event.body.get("message"))
        if event.name in _EVENT_TEXT:
            attributes = attributes | event.attributes | event.body
    messages = messages_of_parts(attributes.get("gen_ai.output.messages")) or indexed_messages(attributes, "gen_ai.completion")
    return messages[0] | {"role": "assistant"} if messages else None


def first_count(attributes: Values, names: tuple[str, ...]) -> object:
    """Return the first of ``names`` that is given; 64-bit integers may be text."""
    value = next((attributes[name] for name in names if attributes.get(name) is not None), None)
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 20 else value


def _tools(attributes: Values) -> list[object]:
    for name in _TOOLS:
        if listed := tool_list(attributes.get(name)):
            return listed
    old = collected(attributes, "llm.request.functions")
    return [
        {"type": "function", "function": {name: parsed(value) if name == "parameters" else value for name, value in one.items()}}
        for one in old
    ]
