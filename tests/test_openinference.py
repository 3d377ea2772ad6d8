"""OpenInference: LLM spans only, messages rebuilt from indexed or nested names in numeric order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from log_records import read_bytes, read_records

from radixlint.traffic import Message, ToolCall, Usage

FIXTURES = Path(__file__).parent / "fixtures" / "logs"


def span(**attributes: Any) -> dict[str, Any]:
    own = {"openinference.span.kind": "LLM", "llm.token_count.prompt": 9, "llm.model_name": "m"}
    return {"traceId": "a", "spanId": "b", "startTimeUnixNano": "1793610000000000000", "attributes": own | attributes}


def test_the_fixture() -> None:
    """Spans of an OTLP batch, nested attributes and flat columns are read; chains are left out, hidden input is usage alone."""
    log = read_bytes((FIXTURES / "openinference.jsonl").read_bytes())

    assert (log.format, log.records_read, log.skipped) == ("openinference", 3, {})
    assert [(r.id, len(r.messages), len(r.tools)) for r in log.requests] == [
        ("c1", 2, 1),
        ("c2", 12, 1),
        ("f1", 2, 1),
        ("f2", 0, 0),
    ]
    assert [r.usage for r in log.requests] == [Usage(150, 0, 4), Usage(220, 128, 4), Usage(150, None, 4), Usage(99)]
    assert any("no model calls" in note for note in log.notes)
    assert any("OPENINFERENCE_HIDE_INPUTS" in note for note in log.notes)


def test_numeric_order_and_names() -> None:
    """Message 10 stands behind message 9; session, user and the metadata's team are kept."""
    second = read_bytes((FIXTURES / "openinference.jsonl").read_bytes()).requests[1]

    assert [m.text for m in second.messages[1:]] == [f"turn {i}" for i in range(1, 12)]
    assert (second.session, second.user, second.tenant, second.host) == ("s1", "ann", "team-a", None)
    assert second.reply == Message("assistant", "turn 12")


def test_parts_calls_and_results() -> None:
    """Parts, tool calls and their results are rebuilt from their own indices."""
    prefix = "llm.input_messages"
    call = f"{prefix}.1.message.tool_calls.0.tool_call"
    log = read_records(
        span(
            **{
                f"{prefix}.0.message.role": "user",
                f"{prefix}.0.message.contents.0.message_content.type": "text",
                f"{prefix}.0.message.contents.0.message_content.text": "Q",
                f"{prefix}.1.message.role": "assistant",
                f"{call}.id": "c",
                f"{call}.function.name": "f",
                f"{call}.function.arguments": '{"a": 1}',
                f"{prefix}.2.message.role": "tool",
                f"{prefix}.2.message.content": "42",
                f"{prefix}.2.message.tool_call_id": "c",
            }
        )
    )

    assert log.requests[0].messages == (
        Message("user", "Q"),
        Message("assistant", "", (ToolCall("f", '{"a": 1}', "c"),)),
        Message("tool", "42", extra='{"tool_call_id":"c"}'),
    )


def test_the_input_as_it_came() -> None:
    """Without rebuilt messages the request body in input.value is read; details of the usage are inside the prompt."""
    body = {"messages": [{"role": "user", "content": "Q"}]}
    counts = {"llm.token_count.prompt_details.cache_input": 4, "llm.token_count.prompt_details.cache_write": 2}
    (request,) = read_records(span(**{"input.value": json.dumps(body)}, **counts)).requests

    assert (request.messages, request.usage) == ((Message("user", "Q"),), Usage(9, 4, None, 2))


def test_completions() -> None:
    """The one prompt of a completion is text as the engine reads it."""
    (request,) = read_records(span(**{"llm.prompts.0.prompt.text": "P"})).requests

    assert (request.rendered, request.messages) == ("P", ())
