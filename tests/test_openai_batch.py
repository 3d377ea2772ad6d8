"""OpenAI Batch files: requests and answers joined by their id, in whatever order and file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from log_records import read_bytes, read_records

from radixlint.logs import read_logs
from radixlint.traffic import LogRead, Message, Usage

FIXTURES = Path(__file__).parent / "fixtures" / "logs"
INPUT, OUTPUT = FIXTURES / "batch_input.jsonl", FIXTURES / "batch_output.jsonl"


def asked(custom_id: str, text: str, **body: object) -> dict[str, Any]:
    messages = [{"role": "user", "content": text}]
    return {"custom_id": custom_id, "method": "POST", "url": "/v1/chat/completions", "body": {"messages": messages, **body}}


def answered(custom_id: str, tokens: int, **body: object) -> dict[str, Any]:
    answer = {"usage": {"prompt_tokens": tokens}, **body}
    return {"id": "batch_req", "custom_id": custom_id, "response": {"status_code": 200, "body": answer}, "error": None}


def pairs(log: LogRead) -> list[tuple[str | None, int | None]]:
    return [(r.messages[0].text if r.messages else None, r.usage.prompt_tokens if r.usage else None) for r in log.requests]


@pytest.mark.parametrize("paths", [(INPUT, OUTPUT), (OUTPUT, INPUT)])
def test_the_fixtures(paths: tuple[Path, Path]) -> None:
    """Both files give the same requests whichever is read first: chats, responses and completions with usage and time."""
    log = read_logs([str(path) for path in paths])
    by_id = {r.id: r for r in log.requests}

    assert log.format == "openai-batch"
    assert list(by_id) == ["a", "b", "c", "d", "g"] if paths[0] is INPUT else set(by_id) == set("abcdg")
    assert by_id["a"].messages == (Message("system", "S"), Message("user", "Q1"))
    assert (by_id["a"].usage, by_id["a"].time_s, by_id["a"].model) == (Usage(20, 16, 1), 1796119201.0, "gpt-5.4")
    assert by_id["b"].messages == (Message("system", "S"), Message("user", "Q2"))
    assert by_id["c"].rendered == "Once upon"
    assert [by_id[i].reply for i in "abc"] == [Message("assistant", text) for text in ("A1", "A2", " a time")]
    assert (by_id["d"].usage, by_id["d"].time_s) == (None, None)
    assert (by_id["g"].has_prompt, by_id["g"].usage) == (False, Usage(7, None, 1))
    assert log.skipped == {"no prompt": 1}
    assert any("Left out, batch request failed: 2" in note for note in log.notes)
    assert any(note.startswith("Answers of a batch without their requests give usage alone") for note in log.notes)


def test_requests_alone_are_read() -> None:
    """Without the file of output there are prompts and no usage."""
    log = read_bytes(INPUT.read_bytes())

    assert [(r.id, r.has_prompt, r.usage) for r in log.requests] == [(i, True, None) for i in "abcd"]


def test_answers_alone_are_usage() -> None:
    """Without the file of input there is what was reported, with time and model."""
    log = read_bytes(OUTPUT.read_bytes())

    assert [(r.id, r.has_prompt, r.model) for r in log.requests] == [(i, False, "gpt-5.4-2026") for i in "abcg"]
    assert [r.time_s for r in log.requests] == [1796119201.0, 1796119202.0, 1796119203.0, 1796119207.0]


def test_ids_of_several_batches_repeat() -> None:
    """Batches count their requests alike; each answer goes to the oldest request of its id, and the notes say so."""
    one_by_one = read_records(asked("1", "Q1"), answered("1", 11), asked("1", "Q2"), answered("1", 12))
    at_once = read_records(asked("1", "Q1"), asked("1", "Q2"), answered("1", 11), answered("1", 12))

    assert pairs(one_by_one) == pairs(at_once) == [("Q1", 11), ("Q2", 12)]
    assert not any("Batch ids" in note for note in one_by_one.notes)
    assert any(note.startswith("Batch ids that were given several times") for note in at_once.notes)


def test_the_order_of_lines_is_not_time() -> None:
    """Requests are ordered by the time of their answers if all have one."""
    log = read_records(asked("1", "Q1"), asked("2", "Q2"), answered("2", 12, created=10), answered("1", 11, created=20))

    assert pairs(log) == [("Q2", 12), ("Q1", 11)]


def test_a_delta_in_a_batch_is_skipped() -> None:
    """A batch request that continues a response holds only its delta."""
    delta = {"custom_id": "1", "url": "/v1/responses", "body": {"model": "m", "previous_response_id": "r", "input": "Q"}}

    assert read_records(asked("2", "Q"), delta).skipped == {"only the delta is logged (previous_response_id)": 1}
