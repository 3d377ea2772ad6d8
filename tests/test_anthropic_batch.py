"""Anthropic Message Batches: requests in lists or lines, joined with their results."""

from __future__ import annotations

from pathlib import Path

from log_records import read_bytes, read_records

from radixlint.traffic import Message, Usage

FIXTURES = Path(__file__).parent / "fixtures" / "logs"


def test_the_fixture() -> None:
    """Requests of a list and of lines are joined with their results; failed ones are left out, lone results are usage."""
    log = read_bytes((FIXTURES / "anthropic_batch.jsonl").read_bytes())
    by_id = {r.id: r for r in log.requests}

    assert log.format == "anthropic-batch"
    assert sorted(by_id, key=str) == ["a", "b", "c", "z"]
    assert by_id["a"].messages == (Message("system", "S"), Message("user", "Q1"))
    assert [by_id[i].usage for i in "abcz"] == [Usage(11, 0, 1, 8), Usage(10, 8, 1, 0), None, Usage(9, 5)]
    assert [by_id[i].reply for i in "abc"] == [Message("assistant", "A1"), Message("assistant", "A2"), None]
    assert [by_id[i].has_prompt for i in "abcz"] == [True, True, True, False]
    assert (log.records_read, log.skipped) == (log.records, {})
    assert any("Left out, batch request failed: 2" in note for note in log.notes)
    assert any(note.startswith("Requests in a list that cannot be read were left out: 1") for note in log.notes)


def test_indices_follow_the_requests() -> None:
    """Each request has an index of its own, in the order of first sight."""
    log = read_bytes((FIXTURES / "anthropic_batch.jsonl").read_bytes())

    assert {r.id: r.index for r in log.requests} == {"a": 0, "b": 1, "c": 2, "z": 3}


def test_results_before_requests() -> None:
    """A result waits for its request."""
    message = {"content": [{"type": "text", "text": "A"}], "usage": {"input_tokens": 3, "cache_read_input_tokens": 1}}
    result = {"custom_id": "a", "result": {"type": "succeeded", "message": message}}
    asked = {"custom_id": "a", "params": {"model": "m", "messages": [{"role": "user", "content": "Q"}]}}

    (request,) = read_records(result, asked).requests

    assert (request.messages, request.usage, request.index) == ((Message("user", "Q"),), Usage(4, 1), 0)
