"""Responses requests: instructions, items, tools, and what the server keeps between them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from log_records import read_bytes, read_records

from radixlint.logs import openai_responses
from radixlint.logs._record_json import decode_record
from radixlint.logs._tally import Tally
from radixlint.traffic import CacheMark, Message, Request, ToolCall, Usage

FIXTURES = Path(__file__).parent / "fixtures" / "logs"
LOST = {"model": "m", "previous_response_id": "resp_0", "input": "Go on."}


def answer(id_: str, text: str, **fields: object) -> dict[str, Any]:
    return {"id": id_, "output": [said(text)], **fields}


def said(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}


def read_one(**fields: Any) -> Request:
    return read_records({"model": "m", **fields}).requests[0]


def test_the_fixture() -> None:
    """A log of a tool loop and of continued responses is read whole; what continues nothing known is skipped, with advice."""
    log = read_bytes((FIXTURES / "responses.jsonl").read_bytes())

    assert log.format == "openai-responses"
    assert [[m.text or (m.tool_calls[0].name if m.tool_calls else m.extra) for m in r.messages] for r in log.requests] == [
        ["Be brief.", "What is the weather in Oslo?"],
        ["Be brief.", "What is the weather in Oslo?", '{"reasoning":"Look it up."}', "weather", "-3"],
        ["Be kind.", "What is the weather in Oslo?", '{"reasoning":"Look it up."}', "weather", "-3", "Cold.", "And now?"],
    ]
    assert log.requests[0].tools == ('{"type":"function","name":"weather","parameters":{"type":"object"}}',)
    assert log.requests[1].usage == Usage(90, 64, 5, 20, 20)
    assert [r.time_s for r in log.requests] == [1796119200.0, 1796119201.0, 1796119202.0]
    assert log.skipped == {"only the delta is logged (previous_response_id)": 1}
    assert any("log each response with its id and output" in note for note in log.notes)


def test_input_is_text_or_items() -> None:
    """Text is one message of the user; items keep their role; calls, their outputs and reasoning become messages."""
    items = [
        {"role": "developer", "content": "D"},
        {"role": "user", "content": [{"type": "input_text", "text": "Q", "prompt_cache_breakpoint": {"mode": "explicit"}}]},
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm."}], "encrypted_content": "x"},
        {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "f", "arguments": '{"a": 1}'},
        {"type": "function_call_output", "call_id": "c1", "output": "42"},
        {"type": "function_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "43"}]},
    ]
    request = read_one(instructions="I", input=items)

    assert read_one(input="Q").messages == (Message("user", "Q"),)
    assert request.messages == (
        Message("system", "I"),
        Message("developer", "D"),
        Message("user", "Q"),
        Message("assistant", "", extra='{"reasoning":"Hm."}'),
        Message("assistant", "", (ToolCall("f", '{"a": 1}', "c1"),)),
        Message("tool", "42", extra='{"tool_call_id":"c1"}'),
        Message("tool", "43", extra='{"tool_call_id":"c2"}'),
    )
    assert request.marks == (CacheMark(message=2, part=0),)


def test_items_without_text_stand_as_a_mark() -> None:
    """An item of another kind becomes a mark that does not depend on its id."""
    items = [{"type": "web_search_call", "id": i, "status": "completed", "action": {"query": "x"}} for i in ("a", "b")]

    first, second = read_one(input=items).messages

    assert first == second
    assert first.text.startswith("<call sha256:")


@pytest.mark.parametrize("is_backwards", [False, True])
def test_a_continued_response_has_all_items(is_backwards: bool) -> None:
    """Earlier items and the answer stand in front, instructions are not carried over, whatever order the lines have."""
    mark = {"prompt_cache_breakpoint": {"mode": "explicit"}}
    marked = [{"role": "user", "content": [{"type": "input_text", "text": "Q2", **mark}]}]
    records = [
        {"model": "m", "instructions": "I1", "input": "Q1", "response": answer("resp_1", "A1")},
        {"model": "m", "previous_response_id": "resp_1", "input": marked, "response": answer("resp_2", "A2")},
        {"request": {"model": "m", "instructions": "I3", "previous_response_id": "resp_2", "input": "Q3"}},
    ]
    requests = read_records(*(records[::-1] if is_backwards else records)).requests
    by_length = sorted(requests, key=lambda r: len(r.messages))

    assert [[m.text for m in r.messages] for r in by_length] == [
        ["I1", "Q1"],
        ["Q1", "A1", "Q2"],
        ["I3", "Q1", "A1", "Q2", "A2", "Q3"],
    ]
    assert by_length[1].marks == (CacheMark(message=2),)
    assert by_length[2].reply is None
    assert by_length[0].reply == Message("assistant", "A1")
    assert sorted(r.index for r in requests) == [0, 1, 2]


def test_two_branches_of_one_response() -> None:
    """A response may be continued more than once."""
    first = {"model": "m", "input": "Q1", "response": answer("resp_1", "A1")}
    branches = [{"model": "m", "previous_response_id": "resp_1", "input": text} for text in ("Q2", "Q3")]

    assert [r.messages[-1].text for r in read_records(first, *branches).requests] == ["Q1", "Q2", "Q3"]


def test_a_delta_alone_gives_its_usage_or_nothing() -> None:
    """Without what it continues, a request says at most what was reported; an answer without output does not help."""
    no_output = {"model": "m", "input": "Q", "response": {"id": "resp_0", "usage": {"input_tokens": 5}}}
    told = LOST | {"response": {"usage": {"input_tokens": 90, "input_tokens_details": {"cached_tokens": 64}}}}
    log = read_records(no_output, LOST, told)

    assert log.skipped == {"only the delta is logged (previous_response_id)": 1}
    assert [r.usage for r in log.requests] == [Usage(5), Usage(90, 64)]
    assert [r.has_prompt for r in log.requests] == [True, False]


def test_a_conversation_that_the_server_keeps() -> None:
    """A conversation's id of the API joins its turns, with a note; any other name is a logger's label of a whole input."""
    turns = [{"input": f"Q{i}", "conversation": "conv_1", "response": answer(f"resp_{i}", f"A{i}")} for i in (1, 2)]
    kept = read_records(*({"model": "m", **turn} for turn in turns))
    label = read_records(*({"model": "m", **turn, "conversation": "c"} for turn in turns))

    assert [[m.text for m in r.messages] for r in kept.requests] == [["Q1"], ["Q1", "A1", "Q2"]]
    assert any(note.startswith("Conversations kept on the server") for note in kept.notes)
    assert [[m.text for m in r.messages] for r in label.requests] == [["Q1"], ["Q2"]]


def test_a_prompt_object_hides_text() -> None:
    """A prompt of the server's names the template, and the note says that its text is missing."""
    log = read_records({"model": "m", "prompt": {"id": "pmpt_1", "version": "2", "variables": {"a": "x"}}, "input": "Q"})

    assert log.requests[0].template == "pmpt_1@2"
    assert any(note.startswith("Requests with a prompt object hide its text") for note in log.notes)


@pytest.mark.parametrize(
    "record",
    [
        {"model": "text-embedding-3-small", "input": "Q"},
        {"model": "m", "input": ["a", "b"]},
        {"model": "m", "input": {"messages": []}},
        {"model": "m", "input": [], "messages": []},
        {"model": "m", "input": '{"messages": []}'},
        {"input": "Q"},
        {"model": "m"},
    ],
)
def test_other_bodies_are_left_alone(record: dict[str, Any]) -> None:
    """Embeddings, envelopes, bare text and chats are no Responses requests."""
    assert openai_responses.find(decode_record(json.dumps(record).encode())) == ()


def test_a_response_that_continues_itself_is_no_loop() -> None:
    """Impossible ids end as a delta that nothing is known about."""
    tally = Tally()
    tally.enter("log")
    tally.at(1)
    reading = openai_responses.open(tally)
    record = decode_record(b'{"model":"m","input":"Q","previous_response_id":"r","response":{"id":"r","output":[]}}')

    assert list(reading.take(openai_responses.find(record))) == []
    assert list(reading.rest()) == []
    assert tally.skipped == {"only the delta is logged (previous_response_id)": 1}
