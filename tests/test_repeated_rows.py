"""Calls that a logger wrote on several rows count once, whatever the format; ids alone merge nothing."""

from __future__ import annotations

from typing import Any

import pytest
from log_records import asking, read_records

from radixlint.traffic import Usage

TS = "2026-11-29T10:00:00Z"
CHAT = {"messages": [{"role": "user", "content": "x"}]}
ROWS: dict[str, dict[str, Any]] = {
    "openai-chat": {**CHAT, "usage": {"prompt_tokens": 9}},
    "anthropic-messages": {"system": "s", **CHAT},
    "openai-responses": {"model": "m", "input": "x"},
    "openai-completions": {"model": "m", "prompt": "x"},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "x"}]}]},
    "bedrock-converse": {
        "messages": [{"role": "user", "content": [{"text": "x"}]}],
        "inferenceConfig": {"maxTokens": 5},
    },
    "sglang-requests": {"event": "request.received.openai", "rid": "a", "obj": {"model": "m", **CHAT}},
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_with_one_id_time_and_content_are_one_request(name: str) -> None:
    """They are read, merged and told, and none is a bad record."""
    row = {"id": "a", "timestamp": TS, **ROWS[name]}

    log = read_records(row, asking(2), row, row)

    assert sorted(request.format for request in log.requests) == sorted([name, "openai-chat"])
    assert (log.records, log.records_read, log.skipped) == (4, 4, {})
    assert "Repeated rows of one call (same id, time and content) were merged: 2." in log.alterations


@pytest.mark.parametrize(
    "other",
    [
        {"id": "b"},
        {"timestamp": "2026-11-29T10:00:01Z"},
        {"timestamp": None},
        {"messages": [{"role": "user", "content": "y"}]},
        {"usage": {"prompt_tokens": 8}},
        {"session": "s"},
        {"model": "other"},
    ],
)
def test_rows_that_differ_are_different_requests(other: dict[str, Any]) -> None:
    """Another id, time, prompt, usage, session or namespace makes another request."""
    row = {"id": "a", "timestamp": TS, "model": "m", **ROWS["openai-chat"]}

    assert len(read_records(row, {**row, **other}).requests) == 2


def test_without_a_time_nothing_is_merged() -> None:
    """A prompt may be sent again, and some loggers give one id to all."""
    row = {"id": "a", **ROWS["openai-chat"]}

    log = read_records(row, row)

    assert len(log.requests) == 2
    assert any("Ids repeat" in note for note in log.notes)


def test_a_row_without_usage_repeats_one_with_it() -> None:
    """A call may be written when it begins and again when it ends; in either order it has its usage in the end."""
    begun, ended = {"id": "a", "ts": TS, **CHAT}, {"id": "a", "ts": TS, **CHAT, "usage": {"prompt_tokens": 9}}

    for rows in ([begun, ended], [ended, begun], [begun, ended, begun, ended]):
        assert [request.usage for request in read_records(*rows).requests] == [Usage(9)]


@pytest.mark.parametrize("contents", [1, 5])
def test_one_id_and_time_for_all_merges_nothing(contents: int) -> None:
    """An id that many rows have, or that has different contents at one time, tells no call from another."""
    rows = [{**asking(0, ts=TS), "messages": [{"role": "user", "content": f"{i % contents}"}]} for i in range(20)]

    log = read_records(*rows)

    assert (len(log.requests), log.alterations) == (20, ())


def chunk(text: str, **fields: Any) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [{"delta": {"content": text}}], **fields}


@pytest.mark.parametrize("is_in_body", [False, True])
def test_rows_of_one_streamed_answer_are_one_request(is_in_body: bool) -> None:
    """A row a chunk is one call, also without ids and times of the rows; usage comes from the last."""
    usage = {"prompt_tokens": 9, "completion_tokens": 2}
    chunks = [chunk("a"), chunk("b", usage=None), chunk("", usage=usage)]

    log = read_records(*({"request": CHAT, "response": {"body": one} if is_in_body else one} for one in chunks), asking(7))

    assert [(request.index, request.usage) for request in log.requests] == [(0, Usage(9, None, 2)), (1, None)]
    assert (log.records, log.records_read, log.skipped) == (4, 4, {})
    assert any("further chunk of a streamed answer" in note and ": 2 (" in note for note in log.alterations)


def test_usage_that_grows_from_chunk_to_chunk_ends_at_the_last() -> None:
    """Some servers count in each chunk what they have sent so far."""
    rows = [{"request": CHAT, "response": chunk("a", usage={"prompt_tokens": 9, "completion_tokens": n})} for n in (1, 2, 3)]

    assert [request.usage for request in read_records(*rows).requests] == [Usage(9, None, 3)]


def test_chunks_of_other_answers_are_other_requests() -> None:
    """The id of a chunk goes before the id of its row, and the prompt must be the same."""
    other = {"messages": [{"role": "user", "content": "y"}]}
    rows = [
        {"id": "r", "request": CHAT, "response": chunk("a")},
        {"id": "r", "request": CHAT, "response": chunk("a", id="chatcmpl-2")},
        {"id": "r", "request": other, "response": chunk("a")},
    ]

    assert len(read_records(*rows).requests) == 3


def test_lines_of_a_batch_that_was_given_twice_are_one_request() -> None:
    """A batch has no times, but its ids are its own: equal lines are one, others with the same id are not."""
    line = {"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "m", **CHAT}}
    other = {**line, "body": {"model": "m", "messages": [{"role": "user", "content": "y"}]}}

    log = read_records(line, line, other)

    assert len(log.requests) == 2
    assert any(note.startswith("Repeated rows of a batch") for note in log.alterations)
