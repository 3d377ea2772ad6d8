"""Langfuse: generations alone, each once, with the input in every shape and usage that sums to the prompt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_records import read_bytes, read_records

from radixlint.errors import LogError
from radixlint.traffic import Message, Usage

FIXTURES = Path(__file__).parent / "fixtures" / "logs"
ASKED = (Message("user", "Q"),)


def generation(**fields: Any) -> dict[str, Any]:
    usage = {"input": 9, "output": 1, "total": 10}
    return {"id": "g", "traceId": "t", "type": "GENERATION", "startTime": "2026-11-02T09:00:00Z", "usageDetails": usage, **fields}


def usage_of(details: object, old: object = None) -> Usage | None:
    return read_records(generation(input="Q", usageDetails=details, usage=old)).requests[0].usage


def test_the_fixture() -> None:
    """Agents, embeddings and outer copies are left out, repeats merged; usage alone where input is missing or cut."""
    log = read_bytes((FIXTURES / "langfuse.jsonl").read_bytes())

    assert (log.format, log.records, log.records_read, log.skipped) == ("langfuse", 10, 10, {})
    assert [(r.id, len(r.messages), len(r.tools)) for r in log.requests] == [
        *(("g1", 2, 1), ("g2", 4, 1), ("g3", 2, 0), ("g4", 0, 0), ("g5", 0, 0)),
    ]
    assert [r.usage for r in log.requests] == [
        *(Usage(160, 0, 5), Usage(176, 128, 4), Usage(160, 100, 4, 30), Usage(90, None, 4), Usage(9010, 9000, 4)),
    ]
    for word in ("no model calls", "repeat a call", "capture input", "SDK for its size", "copies of their usage"):
        assert any(word in note for note in log.notes)


def test_fields_come_from_the_observation_and_its_trace() -> None:
    """Template and tenant stand at the generation; session, user and tags at a trace, on a line of its own."""
    first = read_bytes((FIXTURES / "langfuse.jsonl").read_bytes()).requests[0]

    assert (first.template, first.tenant, first.model, first.time_s) == ("desk@3", "team-a", "gpt-5.4", 1793610001.0)
    assert (first.session, first.user, first.tags) == ("s1", "ann", ("shop",))
    assert first.reply == Message("assistant", "On its way.")


def test_traces_with_observations_inside() -> None:
    """A document of one trace gives its generations under the trace's names."""
    (request,) = read_bytes((FIXTURES / "langfuse_trace.json").read_bytes()).requests

    assert (request.id, request.session, request.user, request.tags) == ("x1", "s9", "bob", ("vip",))
    assert request.usage == Usage(160, None, 5)


def test_pages_and_arrays() -> None:
    """A page of the API and an array of observations give the same requests."""
    observation = generation(input=[{"role": "user", "content": "Q"}])
    page = read_records({"data": [observation], "meta": {"page": 1}}).requests
    array = read_bytes(json.dumps([observation]).encode()).requests
    mixed = read_records({"data": [5, observation], "meta": {"page": 1}}).requests

    assert page == array == mixed
    assert page[0].messages == ASKED


@pytest.mark.parametrize(
    "given",
    [
        [{"role": "user", "content": "Q"}],
        {"messages": [{"role": "user", "content": "Q"}]},
        {"messages": '[{"role": "user", "content": "Q"}]'},
        {"input": [{"role": "user", "content": "Q"}]},
        {"args": [], "kwargs": {"messages": [{"role": "user", "content": "Q"}]}},
        '[{"role": "user", "content": "Q"}]',
        '{"messages": [{"role": "user", "content": "Q"}]}',
        "Q",
    ],
    ids=["list", "object", "text inside", "responses", "arguments", "list as text", "object as text", "plain"],
)
def test_input_in_every_shape(given: object) -> None:
    """The same question is read from every shape an integration or an export gives it."""
    assert read_records(generation(input=given)).requests[0].messages == ASKED


def test_cut_json_is_no_question() -> None:
    """Input that is JSON cut short gives usage alone, not a question that reads like JSON; text in brackets is text."""
    log = read_records(generation(input='[{"role": "user", "content": "Wh'), generation(id="h", input="[draft] Q"))

    assert [(r.id, [m.text for m in r.messages]) for r in log.requests] == [("g", []), ("h", ["[draft] Q"])]
    assert any("input was cut" in note for note in log.notes)


def test_tools_among_the_messages() -> None:
    """Tool definitions that a tracer appended as messages are tools, answers of tools stay messages."""
    tool = {"type": "function", "function": {"name": "f", "parameters": {}}}
    given = [
        {"role": "user", "content": "Q"},
        {"role": "tool", "content": "42", "tool_call_id": "c"},
        {"role": "tool", "content": tool},
    ]
    (request,) = read_records(generation(input=given)).requests

    assert (len(request.tools), [m.role for m in request.messages]) == (1, ["user", "tool"])


def test_usage_details_are_apart_from_input() -> None:
    """Langfuse takes details out of input: the prompt is the sum of its families, whatever the integration."""
    assert usage_of({"input": 20, "input_cached_tokens": 80, "output": 5, "total": 105}) == Usage(100, 80, 5)
    assert usage_of({"input": 20, "input_cache_read": 70, "input_cache_creation": 10, "output": 5}) == Usage(100, 70, 5, 10)
    assert usage_of({"input": 20, "cache_read_input_tokens": 70, "cache_creation_input_tokens": 10}) == Usage(100, 70, None, 10)
    assert usage_of({"input": 20, "input_audio_tokens": 80, "output": 5}) == Usage(100, None, 5)
    assert usage_of({"input": 20, "input_cached_tokens": 0, "output": 2, "output_reasoning_tokens": 3}) == Usage(20, 0, 5)


def test_a_total_tells_details_inside_input() -> None:
    """An integration that leaves cached tokens in input is told by a total of just input and output."""
    assert usage_of({"input": 100, "input_cached_tokens": 80, "output": 5, "total": 105}) == Usage(100, 80, 5)


def test_names_of_an_api_count_as_that_api_does() -> None:
    """Raw usage of a provider keeps its meaning."""
    assert usage_of({"prompt_tokens": 100, "completion_tokens": 5}) == Usage(100, None, 5)
    assert usage_of({"input_tokens": 20, "cache_read_input_tokens": 80, "output_tokens": 5}) == Usage(100, 80, 5)


def test_old_usage() -> None:
    """The old form has three counts under two sets of names; characters are no tokens, and 0 is unknown."""
    assert usage_of({}, {"input": 90, "output": 4, "total": 94, "unit": "TOKENS"}) == Usage(90, None, 4)
    assert usage_of(None, {"promptTokens": 90, "completionTokens": 4, "totalTokens": 94}) == Usage(90, None, 4)
    assert usage_of(None, {"input": 90, "output": 4, "unit": "CHARACTERS"}) is None
    assert usage_of({}, {"input": 0, "output": 0, "total": 0, "unit": "TOKENS"}) is None


def test_rows_of_the_blob_export() -> None:
    """Snake case names, and JSON as text in every column, are read alike."""
    row = {
        "id": "g",
        "trace_id": "t",
        "type": "GENERATION",
        "start_time": "2026-11-02 09:00:00.000000",
        "user_id": "ann",
        "provided_model_name": "m",
        "input": '[{"role":"user","content":"Q"}]',
        "usage_details": '{"input":9,"output":1}',
        "prompt_name": "desk",
        "prompt_version": 2,
    }
    (request,) = read_records(row).requests

    assert (request.messages, request.usage, request.model, request.template) == (ASKED, Usage(9, None, 1), "m", "desk@2")


def test_traces_alone_are_refused() -> None:
    """Rows of traces hold no calls: the error says what to export."""
    trace = {"id": "t", "timestamp": "2026-11-02T09:00:00Z", "name": "turn", "input": "Q", "output": "A", "userId": "u"}

    for row in (trace | {"observations": ["a", "b"]}, trace | {"bookmarked": False}):
        with pytest.raises(LogError) as error:
            read_records(row, row)
        assert "export the observations" in str(error.value.hint)
