"""Damaged lines of engine logs and traces: skipped by a reason, whatever was cut, doubled or overwritten in them."""

from __future__ import annotations

import json

import pytest
from engine_log_lines import FIXTURES, answer, event
from hypothesis import given
from hypothesis import strategies as st
from log_records import read_bytes

from radixlint.errors import LogError

NAMES = ("sglang_requests.log", "sglang_stats.log", "vllm_debug_cut.log", "vllm_info.log")
LINES = [line for name in NAMES for line in (FIXTURES / name).read_bytes().splitlines()]
JSON = [
    event("request.finished", "a", {"text": "x", "input_ids": [1, 2], "messages": []}, out=answer(2, 1, [7], e2e_latency=0.5)),
    event("request.received.openai", None, {"messages": [{"role": "user", "content": "hi"}], "tools": []}),
    json.dumps({"timestamp": 5, "input_length": 9, "output_length": 1, "hash_ids": [1, 2]}),
    json.dumps({"id": "t", "block_size": 64, "requests": [{"t": 0.5, "in": 70, "out": 1, "hash_runs": [[1, 2]]}]}),
]
RECORDS = [*LINES, *[text.encode() for text in JSON]]
PIECES = [
    b"'",
    b'"',
    b"[",
    b"]",
    b"{",
    b"}",
    b"(",
    b")",
    b"\\",
    b",",
    b"null",
    b"None",
    b"-1",
    b"1e999",
    b"9" * 400,
    b"\xff",
    b"\0",
    b"\\ud800",
]


@given(
    record=st.sampled_from(RECORDS),
    places=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.02), st.sampled_from([b"", *PIECES])), min_size=1, max_size=4),
)
def test_damage_is_a_reason_never_a_crash(record: bytes, places: list[tuple[float, float, bytes]]) -> None:
    """Whatever stands in a line, it is read, or skipped and counted."""
    for start, share, piece in places:
        at = round(start * len(record))
        record = record[:at] + piece + record[at + round(share * len(record)) :]

    try:
        log = read_bytes(record + b"\n")
    except LogError:
        return
    assert log.records_read + sum(log.skipped.values()) == log.records


VALUES = [None, 5, -1, 1.5, "x", [], [1], [[1]], {}, {"a": 1}, True, "9" * 400]


@pytest.mark.parametrize("text", JSON, ids=["finished", "chat", "blocks", "agent"])
@given(value=st.sampled_from(VALUES), pick=st.integers(min_value=0, max_value=10_000))
def test_odd_values_are_a_reason_never_a_crash(text: str, value: object, pick: int) -> None:
    """Any field of any type in any place is read, dropped or a reason to skip the record."""
    record = json.loads(text)
    holders = _holders(record)
    holder, key = holders[pick % len(holders)]
    holder[key] = value

    try:
        log = read_bytes(json.dumps(record).encode() + b"\n")
    except LogError:
        return
    assert log.records_read + sum(log.skipped.values()) == log.records


def _holders(value: object) -> list[tuple[dict[str, object], str]]:
    if isinstance(value, list):
        return [pair for item in value for pair in _holders(item)]
    if not isinstance(value, dict):
        return []
    return [pair for key in value for pair in ((value, key), *_holders(value[key]))]
