"""Traces of block ids: any block size, ids as lists or runs, namespaces of their own, and the published totals."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from engine_log_lines import packed
from hypothesis import given
from hypothesis import strategies as st
from log_records import json_lines, read_bytes, read_records
from shared_data import shared_folder

from radixlint.errors import LogError
from radixlint.logs import read_logs
from radixlint.logs._block_sizes import fits, infer_block_tokens
from radixlint.traffic import TOKEN_BYTES, Usage


def block_line(length: int, ids: list[int], **fields: Any) -> dict[str, Any]:
    """Return a line as Mooncake publishes them."""
    return {"timestamp": 27482, "input_length": length, "output_length": 5, "hash_ids": ids, **fields}


def trace(name: str, *turns: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return an agent trace."""
    return {"id": name, "block_size": 64, "requests": list(turns), **fields}


def turn(t: float, length: int, *runs: list[int], **fields: Any) -> dict[str, Any]:
    """Return a request of an agent trace."""
    return {"t": t, "type": "n", "in": length, "out": 9, "hash_runs": list(runs), **fields}


def test_lines_of_block_ids() -> None:
    """Ids, lengths and times (milliseconds from the start) are read; the usual block is said to be assumed from lengths."""
    log = read_records(block_line(1030, [0, 1, 2]), block_line(6, [3]))

    first = log.requests[0]
    assert (log.format, first.block_ids, first.block_tokens, first.prompt_tokens) == ("hash-trace", packed([0, 1, 2]), 512, 1030)
    assert (first.time_s, first.usage, first.namespace, first.session) == (27.482, Usage(output_tokens=5), "", None)
    assert any("512 fits" in note for note in log.notes)


def test_times_with_a_fraction_are_seconds() -> None:
    """Published traces have whole milliseconds or seconds with a fraction."""
    assert read_records(block_line(6, [3], timestamp=61.5)).requests[0].time_s == 61.5


@pytest.mark.parametrize("field", ["block_size", "block_tokens"])
def test_a_block_size_in_the_line_wins(field: str) -> None:
    """A line that says its block size needs no guess, even where the usual one would fit."""
    log = read_records(block_line(100, [1], **{field: 128}))

    assert (log.requests[0].block_tokens, log.notes) == (128, ())


@given(
    block=st.sampled_from([1, 16, 32, 64, 128, 256, 528, 1024]),
    lengths=st.lists(st.integers(min_value=1, max_value=200_000), min_size=30, max_size=60),
    counts_partial=st.booleans(),
)
def test_block_sizes_are_found(block: int, lengths: list[int], counts_partial: bool) -> None:
    """Lengths and numbers of ids tell the block size: one that fits all, and the true one where prompts are long."""
    shapes = [
        (length, -(-length // block) if counts_partial or block == 528 else length // block) for length in [*lengths, 300_001]
    ]

    found = infer_block_tokens(shapes)

    assert all(fits(length, blocks, found) for length, blocks in shapes)
    assert block == 528 or found == block


def test_ids_that_do_not_fit_their_length_are_kept() -> None:
    """A request whose ids are too few or too many is kept and told."""
    log = read_records(block_line(1030, [0, 1, 2], block_size=512), block_line(1030, [0], block_size=512))

    assert (len(log.requests), log.skipped) == (2, {})
    assert any("do not fit their length" in note and ": 1 " in note for note in log.notes)


@pytest.mark.parametrize("ids", [[-1], [1 << 32], ["a"], [1.5], "x"])
def test_ids_that_cannot_be_read(ids: Any) -> None:
    """Ids that are no integers of 32 bits are refused with what to do."""
    with pytest.raises(LogError, match="number them from 0"):
        read_records(block_line(5, ids))


def test_agent_traces_are_unrolled_in_namespaces_of_their_own() -> None:
    """Runs become ids; each trace is a session and a namespace, and stays behind the one before it in time."""
    log = read_records(
        trace("a", turn(0.0, 200, [1, 3]), turn(7.5, 400, [1, 2], [9, 4])),
        trace("b", turn(0.0, 64, hash_ids=[1]) | {"hash_runs": None}),
    )

    assert [r.block_ids for r in log.requests] == [packed([1, 2, 3]), packed([1, 2, 9, 10, 11, 12]), packed([1])]
    assert [(r.session, r.namespace, r.block_tokens) for r in log.requests] == [("a", "a", 64), ("a", "a", 64), ("b", "b", 64)]
    assert [(r.prompt_tokens, r.usage) for r in log.requests] == [(n, Usage(output_tokens=9)) for n in (200, 400, 64)]
    assert [(r.time_s, r.index) for r in log.requests] == [(0.0, 0), (7.5, 1), (7.5, 2)]
    assert (log.records, log.records_read) == (2, 2)


@pytest.mark.parametrize(
    "odd",
    [{"t": 1.0, "in": 5}, {"requests": []}, turn(1.0, 64, [1 << 32, 1]), turn(1.0, 64, [1, 1 << 31]), turn(1.0, 64, [1, -1]), 5],
)
def test_requests_without_ids_are_left_out(odd: Any) -> None:
    """What has no ids, or more than any prompt, is left out and told; memory stays small whatever a run claims."""
    tracemalloc.start()
    log = read_records(trace("a", turn(0.0, 64, [1, 1]), odd))
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert [r.block_ids for r in log.requests] == [packed([1])]
    assert any("left out: 1 " in note for note in log.notes)
    assert peak_bytes < 64 << 20


def test_traces_without_a_block_size_or_requests_are_skipped() -> None:
    """An agent trace must say its block size; one without any ids is no trace."""
    good = trace("a", turn(0.0, 64, [1, 1]))
    unsized = {name: value for name, value in good.items() if name != "block_size"}
    log = read_bytes(json_lines(good, unsized, trace("b", turn(0.0, 64, [1, -1]))))

    assert (len(log.requests), log.skipped) == (1, {"no block_size": 1, "no requests with block ids": 1})


def test_fields_of_a_request_beside_the_ids() -> None:
    """What other formats share is read here too: id, session, model."""
    line = json.loads(json.dumps(block_line(6, [3], request_id="r", session_id="s", model="m")))

    request = read_records(line).requests[0]

    assert (request.id, request.session, request.model, request.namespace) == ("r", "s", "m", "m")


PUBLISHED = {
    "mooncake_conversation": (12_031, 288_500, 144_793_823, 512),
    "mooncake_synthetic": (3_993, 121_877, 61_194_628, 512),
    "claude_code_120": (2_472, 3_947_644, 252_729_278, 64),
    "claude_code_710": (48_658, 93_832_730, 6_006_837_305, 64),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_totals_of_published_traces(name: str) -> None:
    """Requests, blocks and tokens of published traces are met exactly, in file order, nothing skipped."""
    log = read_logs([str(shared_folder("RADIXLINT_TRACES") / f"{name}.jsonl.gz")])

    blocks = sum(len(r.block_ids or b"") // TOKEN_BYTES for r in log.requests)
    tokens = sum(r.prompt_tokens or 0 for r in log.requests)
    assert (len(log.requests), blocks, tokens, log.requests[0].block_tokens) == PUBLISHED[name]
    assert [r.index for r in log.requests] == list(range(len(log.requests)))
    assert log.skipped == {}
