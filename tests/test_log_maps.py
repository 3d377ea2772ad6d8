"""The packaged maps: what each reads, the traps of its format, and what damage does."""

from __future__ import annotations

import io
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from log_records import json_lines, read_bytes, read_records

from radixlint.errors import LogError
from radixlint.logs import ReadOptions, load_formats
from radixlint.logs._log_reader import read_files
from radixlint.logs._record_json import Record
from radixlint.logs.mapped import formats
from radixlint.traffic import TOKEN_BYTES, CacheMark, Message, Request

FIXTURES = Path(__file__).parent / "fixtures" / "logs" / "maps"
NAMES = sorted(format_.name for format_ in formats(()))
HI = [{"role": "user", "content": "Hi"}]
GATEWAY_CACHE = "served from the gateway's response cache"


def told(path: Path) -> dict[str, Any]:
    """Return what reading the fixture ``path`` gives, in short."""
    try:
        log = read_bytes(path.read_bytes())
    except LogError as error:
        return {"error": error.message}
    return {
        "format": log.format,
        "skipped": log.skipped,
        "notes": [note.rpartition(": ")[0] for note in log.notes if re.search(r": \d+ \(lines? ", note)],
        "requests": [told_request(request) for request in log.requests],
    }


def told_request(request: Request) -> dict[str, Any]:
    usage = request.usage
    counts = None if usage is None else [usage.prompt_tokens, usage.cached_tokens, usage.written_tokens, usage.output_tokens]
    names = ("id", "session", "user", "tenant", "model", "host", "time_s", "rendered")
    fields = {name: getattr(request, name) for name in names if getattr(request, name) is not None}
    prompt = [[m.role, m.text, *([[c.name, c.arguments] for c in m.tool_calls])] for m in request.messages]
    more = {
        "ids": len(request.token_ids or b"") // TOKEN_BYTES,
        "tags": list(request.tags),
        "tools": list(request.tools),
        "messages": prompt,
        "marks": [[m.tool, m.message, m.part, m.ttl_s] for m in request.marks],
        "reply": request.reply.text if request.reply else "",
        "usage": counts,
    }
    return fields | {name: value for name, value in more.items() if value}


def test_every_packaged_map_has_a_fixture() -> None:
    """The maps that ship and the fixtures with what they give are the same set."""
    packaged = {path.stem for path in (Path(__file__).parent.parent / "radixlint" / "logs" / "maps").glob("*.yaml")}

    assert packaged == set(NAMES)
    assert packaged == {path.stem for path in FIXTURES.glob("*.jsonl")}


@pytest.mark.parametrize("name", NAMES)
def test_fixture_of_a_map(name: str) -> None:
    """Each fixture is told as its own format, and read with callers, times, usage, prompt and refusals as stated beside it."""
    expected = json.loads((FIXTURES / f"{name}.expected.json").read_text(encoding="utf-8"))

    assert told(FIXTURES / f"{name}.jsonl") == expected


@pytest.mark.parametrize("name", NAMES)
def test_damage_is_told_never_raised(name: str) -> None:
    """Whatever stands in place of a value of a record, reading ends with a result or one clear error."""
    rows = [json.loads(line) for line in (FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    chance = random.Random(name)
    known = load_formats()
    odd = [None, 7, -1, 1.5, True, "", "x", "[", '{"a"', "[[1]]", "{'a': b'x'}", [], {}, [None], [[]], {"text": 7}, [7, "x"]]
    for _ in range(150):
        row = json.loads(json.dumps(chance.choice(rows)))
        place = chance.choice(places(row))
        holder = row
        for step in place[:-1]:
            holder = holder[step]
        holder[place[-1]] = chance.choice(odd)
        try:
            log = read_files(["-"], known, ReadOptions(), io.BytesIO(json_lines(row)))
        except LogError as error:
            message = str(error)
        else:
            message = ""
            assert all(request.has_prompt or request.usage for request in log.requests)
        assert "\n" not in message


def places(value: Any) -> list[list[Any]]:
    """Return the ways to all values inside ``value``."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [[key, *rest] for key, one in inner for rest in ([], *places(one))]


def test_a_cache_of_whole_answers_is_no_prefix_cache() -> None:
    """Rows served from a gateway's own cache are left out with a note; what it says of others is no count of cached tokens."""
    rows = {
        "helicone": {"request_created_at": "2026-11-01", "request_body": {"messages": HI}, "cache_hit": True},
        "portkey": {"ai_org": "o", "trace_id": "t", "request": {"messages": HI}, "cache_status": "HIT"},
        "cloudflare-gateway": {"Gateway": "g", "RateLimited": False, "Cached": True, "RequestBody": {"messages": HI}},
        "openpipe": {"reqPayload": {"messages": HI}, "cacheHit": True},
    }
    missed = {"cache_hit": False, "cache_status": "MISS", "Cached": False, "cacheHit": False}
    for name, row in rows.items():
        other = row | {key: value for key, value in missed.items() if key in row}
        log = read_records(row, other)

        assert (log.format, log.records_read, log.skipped, len(log.requests)) == (name, 2, {}, 1)
        assert any(f"Left out, {GATEWAY_CACHE}: 1" in note for note in log.notes)
        assert log.requests[0].usage is None


def test_a_session_of_langsmith_is_its_thread_not_its_project() -> None:
    """The project, which LangSmith calls session_id, is never taken for a conversation, also where no thread is named."""
    run = {"id": "r", "run_type": "llm", "session_id": "project", "inputs": {"messages": HI}}

    assert read_records(run).requests[0].session is None
    assert read_records(run | {"extra": {"metadata": {"thread_id": "t"}}}).requests[0].session == "t"


def test_answers_of_a_gemini_batch_find_their_requests_in_either_order() -> None:
    """Input and output lines of a batch are one request each, joined by key, whichever comes first."""
    asked = [{"key": k, "request": {"contents": [{"parts": [{"text": k}]}]}} for k in "ab"]
    usage = {"promptTokenCount": 9, "cachedContentTokenCount": 4}
    answered = [{"key": k, "response": {"candidates": [], "usageMetadata": usage}} for k in "ab"]

    for rows in ([*asked, *answered], [*answered, *asked], [asked[0], answered[0], answered[1], asked[1]]):
        log = read_records(*rows)

        assert sorted((r.messages[0].text, r.usage and r.usage.cached_tokens) for r in log.requests) == [("a", 4), ("b", 4)]
        assert not any("give usage alone" in note for note in log.notes)


def test_cache_points_stand_where_converse_has_them() -> None:
    """A cache point in tools, system or messages is a mark behind what stands before it, and no part of the prompt."""
    point = {"cachePoint": {"type": "default"}}
    body = {
        "modelId": "m",
        "toolConfig": {"tools": [{"toolSpec": {"name": "a"}}, point, {"toolSpec": {"name": "b"}}]},
        "system": [{"text": "S"}, point],
        "messages": [{"role": "user", "content": [{"text": "Q"}, point, {"text": "R"}]}],
    }
    request = read_records(body).requests[0]

    assert request.tools == ('{"toolSpec":{"name":"a"}}', '{"toolSpec":{"name":"b"}}')
    assert request.messages == (Message("system", "S"), Message("user", "Q\nR", parts=("Q", "R")))
    assert request.marks == (CacheMark(tool=0), CacheMark(message=0), CacheMark(message=1))


def test_a_conversation_is_one_request_for_each_answer() -> None:
    """Each request holds what stood before its answer, so one extends the other; a record asked for by name is a conversation."""
    turns = [{"role": role, "content": f"{role} {n}"} for n in range(3) for role in ("user", "assistant")]
    data = json.dumps({"messages": turns}).encode()

    log = read_bytes(data, format="messages-dataset")

    assert [len(r.messages) for r in log.requests] == [1, 3, 5]
    assert [r.reply and r.reply.text for r in log.requests] == ["assistant 0", "assistant 1", "assistant 2"]
    assert all(a.messages == b.messages[: len(a.messages)] for a, b in zip(log.requests, log.requests[1:], strict=False))
    assert read_bytes(data).format == "openai-chat"


def test_messages_that_python_printed_are_read() -> None:
    """A list as Python prints it is the list, never run; parts may say value; what is neither JSON nor a literal is skipped."""
    log = read_records(
        {"messages": "[{'role': 'user', 'content': \"It's\"}]"},
        {"messages": [{"role": "user", "content": [{"type": "text", "value": "Hi"}, {"type": "image", "value": "a.png"}]}]},
        {"messages": "[__import__('os').getpid()]"},
    )

    assert [r.messages[0].text.split(" ")[0] for r in log.requests] == ["It's", "Hi\n<image"]
    assert log.skipped == {"not JSON": 1}


def test_yaml_cassettes_are_refused_with_what_to_do() -> None:
    """A cassette in YAML is named, with how to record one that can be read."""
    with pytest.raises(LogError, match="no records could be read") as caught:
        read_bytes(b"interactions:\n- request:\n    body: x\n")

    assert "JSON" in str(caught.value.hint)


class Untouchable(Record):
    """A record whose values must not be looked at."""

    def __getitem__(self, key: str) -> Any:
        raise AssertionError(key)

    get = items = values = __getitem__  # type: ignore[assignment]


def test_a_record_without_the_keys_of_a_map_costs_no_look_at_its_values() -> None:
    """Every map refuses a record of another format by its keys alone, so that its shape is asked about once."""
    strange = Untouchable(dict.fromkeys(("level", "logger", "message", "took", "schema", "x.y")))
    chat = Untouchable(dict.fromkeys(("id", "model", "messages", "tools", "temperature")))

    assert [format_.name for format_ in formats(()) if format_.find and format_.find(strange)] == []
    others = [format_ for format_ in formats(()) if format_.name != "messages-dataset"]
    assert [format_.name for format_ in others if format_.find and format_.find(chat)] == []
