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


NUMBERS = ["0.7.2", "1.2.3", ".", "..", ",", ",,", "9" * 5000, f"0.{'9' * 5000}", "-1", "٣"]
FIGURES = [
    "[2026-11-29 13:19:03] Prefill batch, #new-seq: {}, #new-token: {}, #cached-token: {}, token usage: {}, #running-req: {}",
    "[2026-11-29 13:19:03] Decode batch, full token usage: {}, #retracted_reqs: {}",
    "[2026-11-29 13:19:03] max_total_num_tokens={}, page_size={}",
    "INFO 11-29 13:02:26 [loggers.py:1] Engine {}: Avg prompt throughput: {} tokens/s, GPU KV cache usage: {}%, "
    "Prefix cache hit rate: {}%",
    "INFO 11-29 13:02:26 [kv.py:1] GPU KV cache size: {} tokens, block_size={}, num_gpu_blocks_override={}",
    "INFO 11-29 13:02:26 [kv.py:1] args: {{'max_log_len': {}, 'num_gpu_blocks_override': {}, 'block_size': {}}}",
]


@pytest.mark.parametrize("figures", FIGURES)
@pytest.mark.parametrize("number", NUMBERS)
def test_odd_numbers_in_figures_are_never_a_crash(figures: str, number: str) -> None:
    """What is no number, or has more digits than any count, is left out wherever an engine prints a figure."""
    odd = figures.format(*[number] * figures.count("{}"))
    good = "[2026-11-29 13:19:03] Prefill batch, #new-seq: 1, #new-token: 30, #cached-token: 10, token usage: 0.5"

    stats = read_bytes(f"{odd}\n{good}\n".encode()).stats

    sums = [(one.new_tokens, one.cached_tokens, one.peak_kv_usage_rate) for one in stats if one.engine == "sglang"]
    assert sums == [(30, 10, 0.5)]


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
