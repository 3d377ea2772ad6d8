"""Logs that give little or nothing: what they are is named, what to log instead is said, and the counts add up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from engine_log_lines import details, event, lines, receive, sglang, vllm
from log_records import asking, json_lines, read_bytes, read_records

from radixlint.errors import LogError
from radixlint.logs import read_logs

FIXTURES = Path(__file__).parent / "fixtures"
LOGS = sorted(
    path for path in [*FIXTURES.glob("*logs/*.*"), *FIXTURES.glob("logs/maps/*")] if not path.name.endswith("expected.json")
)
CHAT_ANSWER = {"object": "chat.completion", "choices": [{"message": {"role": "assistant", "content": "A"}}]}
METRICS = "# HELP {0}:prompt_tokens_total Prefill tokens.\n# TYPE {0}:prompt_tokens_total counter\n{0}:prompt_tokens_total 12.0\n"
REQUEST_LINE = "POST /v1/chat/completions HTTP/1.1"
ACCESS = f'10.0.0.1 - - [29/Nov/2026:13:00:01 +0000] "{REQUEST_LINE}" 200 512 "-" "python/3"\n'


def refusal(data: bytes) -> str:
    with pytest.raises(LogError) as caught:
        read_bytes(data)
    return str(caught.value)


@pytest.mark.parametrize(
    "answer",
    [
        CHAT_ANSWER,
        {"object": "response", "output": [{"type": "message", "role": "assistant"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "A"}], "stop_reason": "end_turn"},
        {"candidates": [{"content": {"parts": [{"text": "A"}]}}]},
        {"ts": 1, "response": CHAT_ANSWER},
    ],
    ids=["chat", "response", "anthropic", "gemini", "wrapped"],
)
def test_answers_without_requests_are_named(answer: dict[str, object]) -> None:
    """Answers of any API alone are no unknown shape: the error says to log the request bodies beside them."""
    told = refusal(json_lines(answer, answer))

    assert "2 answers without requests" in told
    assert "log the request bodies beside them" in told
    assert read_records(asking(0), answer).skipped == {"answers without requests": 1}


@pytest.mark.parametrize(
    "line",
    [
        ACCESS,
        json.dumps({"remote_addr": "10.0.0.1", "request": REQUEST_LINE, "status": 200}) + "\n",
        json.dumps({"method": "POST", "path": "/v1/chat/completions", "response_code": 200, "duration": 12}) + "\n",
        json.dumps({"request": {"method": "POST", "uri": "/v1/chat/completions"}, "status": 200}) + "\n",
    ],
    ids=["text", "request line", "fields", "nested"],
)
def test_access_logs_are_named(line: str) -> None:
    """An access log, as text or JSON, is told to hold no prompts."""
    assert "an access log holds no prompts: log the request bodies" in refusal(line.encode() * 3)


def test_metrics_are_named_with_the_switch_of_their_engine() -> None:
    """Prometheus text gives totals, not requests; the switch is that of the engine whose metrics they are, else of both."""
    engines = {name: refusal(METRICS.format(name).encode()) for name in ("vllm", "sglang", "process")}

    assert all("these are Prometheus metrics, totals only" in told for told in engines.values())
    assert ["VLLM_LOGGING_LEVEL=DEBUG" in told for told in engines.values()] == [True, False, True]
    assert ["--log-requests-level 3" in told for told in engines.values()] == [False, True, True]


def test_an_unknown_shape_points_to_maps() -> None:
    """A shape that nobody knows can be described: the error, and the note beside good records, name the flag and the page."""
    odd = {"foo": 1, "bar": {"q": "x"}}

    assert "2 no known shape) (radixlint formats lists what is known; --map FILE" in refusal(json_lines(odd, odd))
    assert any("--map FILE" in note and "docs/log-maps.md" in note for note in read_records(asking(0), odd).alterations)
    assert "--map" not in refusal(b"<html>\n")


@pytest.mark.parametrize(
    ("data", "switch"),
    [
        (lines(*(receive(f"r{n}") for n in range(8))), "--log-requests --log-requests-level 3"),
        (lines(*(event("request.received", f"r{n}", {"text": None}) for n in range(8))), "--log-requests --log-requests-level 3"),
        (
            lines(*(vllm(f"Received request r{n}: params: SamplingParams(n=1).", level="INFO") for n in range(8))),
            "VLLM_LOGGING_LEVEL=DEBUG, without --max-log-len",
        ),
        (lines(*(details(f"r{n}", "x" * 64, list(range(64))) for n in range(8))), "--max-log-len; start the server without it"),
        (json_lines(*({"input_tokens": n, "output_tokens": 1} for n in range(8))), "log the prompts, token ids or block hashes"),
        (
            json_lines(*({"schemaType": "ModelInvocationLog", "input": {}, "requestId": f"r{n}"} for n in range(8))),
            "turn on text data delivery in Bedrock's invocation logging",
        ),
    ],
    ids=["sglang text", "sglang json", "vllm", "vllm cut", "lengths", "bedrock"],
)
def test_records_without_a_prompt_say_what_to_switch_on(data: bytes, switch: str) -> None:
    """Where no record can be used the reason says what to log, and nothing beside it: no other format, no note on times."""
    told = refusal(data)

    assert told.startswith("-: no records could be read (8 ")
    assert told.endswith(f"{switch})")


def test_spans_and_generations_without_content_say_what_to_switch_on() -> None:
    """A model call with neither text nor usage is told with the setting that captures its text."""
    generation = {"id": "g", "traceId": "t", "type": "GENERATION", "startTime": "2026-11-01T00:00:00Z"}
    span = {"trace_id": "t", "span_id": "s", "name": "chat m", "attributes": {"gen_ai.operation.name": "chat"}}

    assert "let the integration capture input" in refusal(json_lines(generation))
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true" in refusal(json_lines(span))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_read_and_skipped_add_up(path: Path) -> None:
    """Of every fixture, what was read and what was skipped by reason are all its records."""
    try:
        log = read_logs([str(path)])
    except LogError as error:
        assert "no records could be read" in str(error)  # noqa: PT017 - those that are refused as a whole
        return
    assert log.records_read + sum(log.skipped.values()) == log.records


def test_requests_of_different_engines_share_nothing() -> None:
    """Equal prompts of two engines stand in namespaces of their own, with a note; one engine alone has none of its own."""
    ours, theirs = receive("a", input_ids=[1, 2]), details("b", None, [1, 2])

    both = read_bytes(lines(ours, theirs))
    mixed = read_bytes(lines(ours, theirs) + json_lines(asking(0)))

    assert {request.format: request.namespace for request in both.requests} == {
        "sglang-log": "engine=sglang",
        "vllm-log": "engine=vllm",
    }
    assert any("several engines (sglang, vllm)" in note for note in both.notes)
    assert [request.namespace for request in mixed.requests] == ["engine=sglang", "engine=vllm", ""]
    assert any("mixes formats" in note for note in mixed.notes)
    assert [request.namespace for request in read_bytes(lines(ours, receive("c", input_ids=[1]))).requests] == ["", ""]


def test_statistics_alone_say_how_to_log_requests() -> None:
    """A log of statistics lines gives the engine's rate, and a note names what logs requests."""
    line = "Prefill batch. #new-seq: 1, #new-token: 5, #cached-token: 4, token usage: 0.01, #running-req: 0, #queue-req: 0, "

    log = read_bytes(lines(sglang(line)))

    assert len(log.stats) == 1
    assert any("--log-requests --log-requests-level 3" in note for note in log.notes)


def test_paths_in_notes_are_as_long_as_needed(tmp_path: Path) -> None:
    """Notes on several files show the last two parts of a path, and all of it where two files end alike."""
    same = [tmp_path / "x" / "day" / "a.jsonl", tmp_path / "y" / "day" / "a.jsonl"]
    other = tmp_path / "x" / "day" / "b.jsonl.gz"
    for path in (*same, other):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"bad\n" + json_lines(asking(0)))

    told = " ".join(read_logs([str(path) for path in (*same, other)]).alterations)

    assert f"({same[0]}:1, {same[1]}:1, day/b.jsonl.gz:1)" in told
    assert "day/b.jsonl.gz: the name says gzip" in told
    assert str(other) not in told
