"""OpenInference spans: their prompt from indexed names, and their usage.

``llm.token_count.prompt`` counts cached and written tokens in; the details are parts of it.
"""

from __future__ import annotations

from typing import Any, Final

from radixlint.logs._genai_spans import first_count
from radixlint.logs._json_text import parsed
from radixlint.logs._otlp_spans import Span, Values, collected
from radixlint.logs._record_usage import count_usage
from radixlint.logs._tally import Tally
from radixlint.traffic import Usage

KIND: Final = "openinference.span.kind"
_LLM: Final = "LLM"
_HIDDEN: Final = "__REDACTED__"
_COUNT: Final = "llm.token_count."
_CACHED: Final = (f"{_COUNT}prompt_details.cache_read", f"{_COUNT}prompt_details.cache_input")


def is_llm_span(attributes: Values) -> bool:
    """Whether a span is a call of a model."""
    return str(attributes.get(KIND)).upper() == _LLM


def openinference_usage(attributes: Values, tally: Tally) -> Usage | None:
    """Return the counts of a span, None if it has none."""
    return count_usage(
        tally,
        prompt=first_count(attributes, (f"{_COUNT}prompt",)),
        cached=first_count(attributes, _CACHED),
        output=first_count(attributes, (f"{_COUNT}completion",)),
        written=first_count(attributes, (f"{_COUNT}prompt_details.cache_write",)),
        is_inclusive=True,
    )


def openinference_body(span: Span) -> Any:
    """Return messages and tools as a chat body, or the input as it came; None if the content is hidden.

    Raises:
        CutText: an attribute was cut.
    """
    attributes = span.attributes
    messages = _messages(attributes, "llm.input_messages")
    tools = [parsed(one.get("tool.json_schema", one.get("json_schema"))) for one in collected(attributes, "llm.tools")]
    if messages:
        return {"messages": messages, "tools": [tool for tool in tools if tool]}
    prompts = [one["prompt.text"] for one in collected(attributes, "llm.prompts") if "prompt.text" in one]
    if prompts:
        return {"prompt": prompts}
    given = attributes.get("input.value")
    return None if given in (None, "", _HIDDEN) else parsed(given)


def openinference_reply(span: Span) -> object:
    """Return the answer as a chat message, None if it is not there.

    Raises:
        CutText: an attribute was cut.
    """
    messages = _messages(span.attributes, "llm.output_messages")
    return messages[0] if messages else None


def _messages(attributes: Values, prefix: str) -> list[Values]:
    found = []
    for flat in collected(attributes, prefix):
        one = {name.removeprefix("message."): value for name, value in flat.items()}
        contents = [_block(block) for block in collected(one, "contents")]
        calls = [_call(call) for call in collected(one, "tool_calls")]
        message: Values = {"role": one.get("role", "user"), "content": contents or one.get("content")}
        message |= {name: one[name] for name in ("tool_call_id", "name") if one.get(name)}
        if message["content"] != _HIDDEN and (message["content"] or calls or "role" in one):
            found.append(message | ({"tool_calls": calls} if calls else {}))
    return found


def _block(flat: Values) -> Values:
    block = {name.removeprefix("message_content."): value for name, value in flat.items()}
    return {"type": "text", "text": block["text"]} if isinstance(block.get("text"), str) else block


def _call(flat: Values) -> Values:
    call = {name.removeprefix("tool_call."): value for name, value in flat.items()}
    function = {"name": call.get("function.name", ""), "arguments": call.get("function.arguments", "")}
    return {"id": call.get("id", ""), "function": function}
