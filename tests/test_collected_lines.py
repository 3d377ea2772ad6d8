"""Logs as container runtimes and the journal keep them: lines whole, with the time of the wrapping if they have none."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime

import pytest
from engine_log_lines import answer, details, finish, lines, receive, vllm
from log_records import asking, read_bytes

TIME = "2026-11-29T13:19:03.250000001Z"
TIME_S = datetime.fromisoformat("2026-11-29T13:19:03.25Z").timestamp()
PIECE_BYTES = 16 << 10


def docker(texts: Sequence[str]) -> list[str]:
    """Return ``texts`` as Docker's json-file driver writes them: pieces of 16 KiB, the last one with the line end."""
    pieces = [text[at : at + PIECE_BYTES] for text in (f"{text}\n" for text in texts) for at in range(0, len(text), PIECE_BYTES)]
    return [json.dumps({"log": piece, "stream": "stderr", "time": TIME}) for piece in pieces]


def kubernetes(texts: Sequence[str]) -> list[str]:
    """Return ``texts`` as a CRI runtime writes them: in pieces, all but the last one of a line marked P."""
    return [f"{TIME} stderr {tag} {piece}" for text in texts for tag, piece in (("P", text[:50]), ("F", text[50:]))]


def journal(texts: Sequence[str]) -> list[str]:
    """Return ``texts`` as ``journalctl -o json`` writes them, those with colours as numbers."""
    told = [list(text.encode()) if "\x1b" in text else text for text in texts]
    return [json.dumps({"__REALTIME_TIMESTAMP": str(round(TIME_S * 1e6)), "MESSAGE": text, "_PID": "7"}) for text in told]


WRAPPINGS = pytest.mark.parametrize("wrap", [docker, kubernetes, journal])
Wrap = Callable[[Sequence[str]], list[str]]


@WRAPPINGS
def test_an_engine_log_reads_as_without_its_wrapping(wrap: Wrap) -> None:
    """Long lines are joined again, and each log reads as the one that the server wrote."""
    ids = list(range(9000))
    sglang_log = [receive("a", input_ids=[5]), "\x1b[32mTraceback\x1b[0m", finish("a", answer(1, 1, [7])), "x", "y"]
    vllm_log = [details("b", None, ids), vllm("nothing", level="INFO"), details("c", None, [1, 2])]

    for log in (sglang_log, vllm_log):
        plain, wrapped = read_bytes(lines(*log)), read_bytes(lines(*wrap(log)))
        assert wrapped.requests == plain.requests
        assert (wrapped.records, wrapped.records_read, wrapped.format) == (plain.records, plain.records_read, plain.format)
    assert wrapped.requests[0].token_ids == plain.requests[0].token_ids


@WRAPPINGS
def test_json_inside_is_a_record_with_the_time_of_the_wrapping(wrap: Wrap) -> None:
    """A record without a time gets the one at which it was written; its own time wins; noise is noise."""
    log = read_bytes(lines(*wrap([json.dumps(asking(0)), json.dumps(asking(1, ts=5)), "noise"])))

    assert [(request.id, request.time_s) for request in log.requests] == [("r1", 5), ("r0", pytest.approx(TIME_S))]
    assert log.skipped == {"not JSON": 1}


def test_streams_are_joined_apart() -> None:
    """Pieces of stdout and stderr that alternate are two lines."""
    text = json.dumps(asking(0))
    log = read_bytes(
        lines(
            f"{TIME} stdout P {text[:30]}",
            f"{TIME} stderr P Trace",
            f"{TIME} stdout F {text[30:]}",
            f"{TIME} stderr F back",
        )
    )

    assert ([request.id for request in log.requests], log.skipped) == (["r0"], {"not JSON": 1})


def test_whole_lines_without_a_line_end_are_not_joined() -> None:
    """Collectors that keep Docker's names drop the line ends: what is shorter than a piece is a line."""
    wrapped = [json.dumps({"log": json.dumps(asking(n)), "stream": "stdout", "kubernetes": {}}) for n in range(3)]

    assert [request.id for request in read_bytes(lines(*wrapped)).requests] == ["r0", "r1", "r2"]


def test_a_line_too_long_or_cut_off_costs_itself_only() -> None:
    """Pieces that add up to more than a record may have, or whose end is missing, are one bad record."""
    cut = docker(["x" * 3 * PIECE_BYTES])[:-1]
    long = docker(["y" * (2 << 20)])

    log = read_bytes(
        lines(*docker([json.dumps(asking(0))]), *long, *docker([json.dumps(asking(1))]), *cut), max_record_bytes=1 << 20
    )

    assert ([request.id for request in log.requests], log.skipped) == (["r0", "r1"], {"over size": 1, "not JSON": 1})
