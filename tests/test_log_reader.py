"""The three kinds of formats through the reader: what is held back, counted, and told of the engine."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest
from log_records import asking, json_lines, read_bytes

from radixlint.errors import LogError
from radixlint.logs import ReadOptions, load_formats
from radixlint.logs._log_format import Format, each_record
from radixlint.logs._log_reader import read_files
from radixlint.logs._record_json import RecordError
from radixlint.logs._tally import Tally
from radixlint.traffic import EngineStats, LogRead, Request


class Pairs:
    """Text lines ``ask N`` and ``answer N``: a request is complete with its answer; ``other`` tells nothing."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._open: dict[bytes, int] = {}
        self._lines = 0

    def take(self, found: bytes) -> Sequence[Request] | None:
        word, _, name = found.partition(b" ")
        if word == b"bad":
            raise RecordError("prompt cut off")
        if word == b"stats":
            self._lines += 1
        elif word == b"ask":
            self._open[name] = self._tally.new_index()
        elif word == b"answer":
            return (Request(self._open.pop(name), id=name.decode()),)
        else:
            return None
        return ()

    def rest(self) -> Sequence[Request]:
        return [Request(index, id=name.decode()) for name, index in self._open.items()]

    def stats(self) -> EngineStats | None:
        return EngineStats("demo", self._lines) if self._lines else None


WORDS = (b"ask", b"answer", b"stats", b"bad", b"other")
PAIRS = Format("pairs", "pairs", "no pair", open=Pairs, claims=lambda line: line.startswith(WORDS), rank=20, engine="demo")


def read(data: bytes, *formats: Format, **options: Any) -> LogRead:
    return read_files(["-"], formats, ReadOptions(**options), io.BytesIO(data))


def test_requests_stand_where_they_began_and_an_engine_log_is_counted_by_them() -> None:
    """Indices follow first sight; what is still open comes at the end; answers, statistics and noise are no records."""
    log = read(b"ask a\nask b\nanswer b\nask c\nstats\nbad d\nnoise\nanswer a\nother\nnoise\nnoise\n", PAIRS)

    assert [(request.index, request.id) for request in log.requests] == [(0, "a"), (1, "b"), (2, "c")]
    assert (log.records, log.records_read, log.skipped) == (4, 3, {"prompt cut off": 1})
    assert "Lines that tell of no request were passed over: 4 (lines 9, 7, 10, ...)." in log.alterations
    assert (log.stats, log.engine) == ((EngineStats("demo", 1),), "demo")


def test_text_and_json_may_mix_and_then_no_engine_is_named() -> None:
    """Each line goes to the format that knows it; an engine is named only if all formats seen are its own."""
    chat = next(format_ for format_ in load_formats() if format_.name == "openai-chat")

    log = read(b"ask a\n" + json_lines(asking(0)) + b"answer a\n", PAIRS, chat)

    assert [(request.index, request.id) for request in log.requests] == [(0, "a"), (1, "r0")]
    assert (log.format, log.engine) == ("openai-chat, pairs", None)
    assert [request.format for request in log.requests] == ["pairs", "openai-chat"]


def test_equal_tools_and_messages_are_one_object() -> None:
    """What repeats from request to request is kept once, however it was written."""
    tool = {"type": "function", "function": {"name": "f"}}
    data = json_lines(asking(0, tools=[tool]), asking(0, tools=[tool])).replace(b'"type": "f', b'"type":"f', 1)

    first, second = read_bytes(data).requests

    assert first.tools is second.tools
    assert first.messages[0] is second.messages[0]


def test_statistics_alone_are_a_reading() -> None:
    """A log of an engine's statistics lines holds no request, and says what they say."""
    log = read(b"stats\nstats\n", PAIRS)

    assert (log.requests, log.records, log.records_read, log.stats) == ((), 0, 0, (EngineStats("demo", 2),))
    with pytest.raises(LogError, match=r"no line tells of a request.*expected pairs"):
        read(b"other\nnoise\n", PAIRS)


def test_a_file_shows_what_its_unknown_lines_are() -> None:
    """Among records noise is a bad record, by reason; among the lines of a server's log it is passed over; file by file."""
    chat = next(format_ for format_ in load_formats() if format_.name == "openai-chat")
    noise = b'Traceback\n{"level": "info"}\n{broken}\n'

    server = read(b"ask a\n" + noise + b"answer a\nstats\nstats\n", PAIRS, chat)
    records = read(json_lines(asking(0)) + noise + b"ask a\n", PAIRS, chat)

    assert (server.records, server.records_read, server.skipped) == (1, 1, {})
    assert (records.records, records.records_read) == (5, 2)
    assert records.skipped == {"not JSON": 2, "no known shape": 1}
    assert any("passed over: 3" in note for note in server.alterations)
    assert not any("passed over" in note for note in records.notes)


def test_a_refused_record_takes_no_index() -> None:
    """Where one record is one request, indices count the requests read."""

    def take(envelopes: Sequence[Any], index: int, tally: Tally) -> Request:
        if b"2" in bytes(envelopes[0]["a"]):
            raise RecordError("two")
        return Request(index)

    numbers = Format("numbers", "numbers", "no number", open=each_record(take), find=lambda record: (record,))

    log = read(json_lines({"a": 1}, {"a": 2}, {"a": 3}), numbers)

    assert ([request.index for request in log.requests], log.skipped) == ([0, 1], {"two": 1})


def test_records_without_a_request_are_an_error_that_says_so() -> None:
    """Answers that belong to no question in the log are read, and leave nothing to measure."""

    class Answers(Pairs):
        def take(self, found: object) -> Sequence[Request]:
            return ()

    answers = Format("answers", "answers", "no answer", open=Answers, find=lambda record: (record,))

    with pytest.raises(LogError, match="none of the 2 records read is a request"):
        read(json_lines({"a": 1}, {"a": 2}), answers)
