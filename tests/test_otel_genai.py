"""OpenTelemetry GenAI: batches and single spans, text in attributes, events or logs, calls once, usage inclusive."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_records import read_bytes, read_records

from radixlint.traffic import Message, ToolCall, Usage

FIXTURES = Path(__file__).parent / "fixtures" / "logs"


def span(id_: str = "b", parent: str | None = None, **attributes: Any) -> dict[str, Any]:
    given = {name.replace("__", "."): value for name, value in attributes.items()}
    own = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 9}
    return {
        "traceId": "a",
        "spanId": id_,
        "parentSpanId": parent,
        "startTimeUnixNano": "1793610000000000000",
        "attributes": own | given,
    }


def asked(text: str) -> str:
    return json.dumps([{"role": "user", "parts": [{"type": "text", "content": text}]}])


def test_the_fixture() -> None:
    """Agents and HTTP spans are left out; text is read from parts, indexed names, log events and a console exporter."""
    log = read_bytes((FIXTURES / "otel_genai.jsonl").read_bytes())

    assert (log.format, log.records, log.records_read, log.skipped) == ("otel-genai", 4, 4, {})
    assert [(r.id, len(r.messages), len(r.tools)) for r in log.requests] == [
        *(("a1", 2, 1), ("a2", 4, 1), ("o1", 11, 1), ("e1", 2, 0), ("n1", 0, 0), ("0xb1", 2, 0)),
    ]
    assert [r.usage for r in log.requests] == [
        *(Usage(160, 0, 5), Usage(176, 128, 4), Usage(300, None, 3), Usage(200, 128, 6), Usage(210, 128, 6, 64), Usage(50)),
    ]
    assert any("no model calls" in note for note in log.notes)


def test_parts_become_messages() -> None:
    """Calls and results in parts are those of a chat; the system instructions stand first."""
    second = read_bytes((FIXTURES / "otel_genai.jsonl").read_bytes()).requests[1]

    assert [m.role for m in second.messages] == ["system", "user", "assistant", "tool"]
    assert second.messages[2].tool_calls == (ToolCall("find_order", '{"number":"7"}', "c1"),)
    assert second.messages[3] == Message("tool", '{"state":"sent"}', extra='{"tool_call_id":"c1"}')
    assert second.reply == Message("assistant", "Sent.")


def test_names_of_a_call() -> None:
    """The served model, conversation, user, address and service are kept; nanoseconds as text are the time."""
    first = read_bytes((FIXTURES / "otel_genai.jsonl").read_bytes()).requests[0]

    assert (first.model, first.session, first.user) == ("gpt-5.4-2026-03-05", "s1", "ann")
    assert (first.host, first.tags, first.time_s) == ("llm.internal:8000", ("service=desk",), 1793610001.0)


def test_host_of_a_server_and_of_a_client() -> None:
    """The resource names the machine of a server's own span; for a client it is not the one that served."""
    resource = {"attributes": {"host.name": "h"}}
    served, sent = ({**span(kind), "kind": kind, "resource": resource} for kind in ("SpanKind.SERVER", "SpanKind.CLIENT"))

    assert [r.host for r in read_records(served, sent).requests] == ["h", None]


def test_indexed_names_in_numeric_order() -> None:
    """Message 10 stands behind message 9, whatever the order of the attributes."""
    old = read_bytes((FIXTURES / "otel_genai.jsonl").read_bytes()).requests[2]

    assert [m.text for m in old.messages[1:]] == [f"turn {i}" for i in range(1, 11)]


def test_events_before_their_span() -> None:
    """Texts in log events are joined with the span whatever comes first; without the span they are a request."""
    lines = (FIXTURES / "otel_genai.jsonl").read_bytes().splitlines(keepends=True)
    usual, events_first = (
        {request.id: request.messages for request in read_bytes(b"".join(order)).requests}
        for order in (lines, [lines[2], lines[0], lines[1], lines[3]])
    )
    (alone,) = read_bytes(lines[2]).requests

    assert usual == events_first
    assert ([m.role for m in alone.messages], alone.usage) == (["system", "user"], None)


def test_span_events_and_details() -> None:
    """Events inside the span hold texts too: one each by role, a whole prompt, or the details of the operation."""
    question = {"name": "gen_ai.user.message", "attributes": {"content": "Q"}}
    prompt = {"name": "gen_ai.content.prompt", "attributes": {"gen_ai.prompt": '[{"role": "user", "content": "Q"}]'}}
    details = {"name": "gen_ai.client.inference.operation.details", "attributes": {"gen_ai.input.messages": asked("Q")}}
    spans = [{**span(str(i)), "events": [event]} for i, event in enumerate((question, prompt, details))]

    assert [r.messages for r in read_records(*spans).requests] == [(Message("user", "Q"),)] * 3


def test_calls_inside_calls_count_once() -> None:
    """Of a framework's span around a client's only the inner one counts, over spans between and whatever the order."""
    outer = span("o", gen_ai__input__messages=asked("Q"))
    between = {"traceId": "a", "spanId": "h", "parentSpanId": "o", "attributes": {"http.url": "u"}}
    inner = span("i", "h", gen_ai__input__messages=asked("Q"))

    for order in ((inner, between, outer), (outer, between, inner)):
        assert [r.id for r in read_records(*order).requests] == ["i"]


def test_a_span_logged_twice_is_one_call() -> None:
    """The same span id is merged, and what only one of the rows has is kept."""
    log = read_records(span(), span(gen_ai__input__messages=asked("Q")), span(gen_ai__input__messages=asked("Q")))

    assert [(r.usage, r.messages) for r in log.requests] == [(Usage(9), (Message("user", "Q"),))]


@pytest.mark.parametrize("operation", ["embeddings", "invoke_agent", "execute_tool"])
def test_other_operations_are_no_calls(operation: str) -> None:
    """Only chats and completions are calls of a model for text."""
    log = read_records(span("c"), span("d", gen_ai__operation__name=operation, gen_ai__input__messages=asked("Q")))

    assert [r.id for r in log.requests] == ["c"]


def test_usage_under_old_names_and_as_text() -> None:
    """Counts as text are counts; what is missing stays unknown, and cached tokens are inside."""
    old = span("o", gen_ai__usage__prompt_tokens="7", gen_ai__usage__cache_read_input_tokens="3")
    del old["attributes"]["gen_ai.usage.input_tokens"]

    assert [r.usage for r in read_records(old).requests] == [Usage(7, 3)]


def test_cut_attributes_give_usage_alone() -> None:
    """JSON that ends early was cut by the exporter: no text, and the note names the limit."""
    log = read_records(span(gen_ai__input__messages=asked("Q" * 99)[:50]))

    assert [(r.has_prompt, r.usage) for r in log.requests] == [(False, Usage(9))]
    assert any("OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT" in note for note in log.notes)


def test_no_content_names_the_setting() -> None:
    """Content capture is off by default: usage alone, with what to switch on."""
    log = read_records(span())

    assert not log.requests[0].has_prompt
    assert any("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" in note for note in log.notes)


def test_spans_without_ids() -> None:
    """Attributes alone make a span, and those without ids are never taken for one another."""
    spans = [{"name": "chat", "attributes": span(gen_ai__input__messages=asked(text))["attributes"]} for text in "PQ"]
    flat = span(gen_ai__input__messages=asked("R"))["attributes"] | {"timestamp": 1793610000.5}

    log = read_records(*spans, {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}, flat)

    assert [r.messages[0].text for r in log.requests] == ["P", "Q", "P", "Q", "R"]
    assert log.requests[-1].time_s == 1793610000.5


def test_log_bodies_as_text() -> None:
    """An event's body may be an object as text."""
    event = {"traceId": "a", "spanId": "b", "timeUnixNano": "1", "eventName": "gen_ai.user.message"}
    records = [{**event, "body": {"stringValue": json.dumps({"content": "Q"})}}]

    log = read_records({"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}, span())

    assert [(r.messages, r.usage) for r in log.requests] == [((Message("user", "Q"),), Usage(9))]


def test_an_own_record_with_the_ids_of_a_trace_is_not_a_span() -> None:
    """A request that carries trace ids and attributes stays what it is."""
    record = {"traceId": "a", "spanId": "b", "attributes": {"x": 1}, "messages": [{"role": "user", "content": "Q"}]}

    assert read_records(record).format == "openai-chat"
