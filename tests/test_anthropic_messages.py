"""Anthropic Messages requests: system text, blocks, marks, exclusive usage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from log_records import read_bytes, read_records

from radixlint.traffic import CacheMark, Message, Request, ToolCall, Usage

FIXTURES = Path(__file__).parent / "fixtures" / "logs"
HELLO = [{"role": "user", "content": "Hello"}]


def read_one(**fields: Any) -> Request:
    log = read_records({"model": "claude-opus-5", "messages": HELLO, **fields})
    assert log.format == "anthropic-messages"
    return log.requests[0]


def test_the_fixture() -> None:
    """A tool loop is read whole: parts, calls, results, thinking, marks with their time to live, usage as sums."""
    first, second = read_bytes((FIXTURES / "anthropic.jsonl").read_bytes()).requests
    system = Message("system", "You know Oslo.\nBe brief.", parts=("You know Oslo.", "Be brief."))
    turn = Message("assistant", "Let me see.", (ToolCall("weather", '{"city":"Oslo"}', "toolu_1"),), extra='{"thinking":"Look."}')

    assert first.messages == (system, Message("user", "Cold?"))
    assert second.messages[:3] == (*first.messages, turn)
    assert all(a is b for a, b in zip(first.messages, second.messages, strict=False))
    assert first.reply is second.messages[2]
    assert first.tools == (
        '{"name":"weather","description":"d","input_schema":{"type":"object","n":1.50}}',
        '{"name":"time","input_schema":{"type":"object"}}',
    )
    assert first.marks == (CacheMark(tool=1), CacheMark(message=0, part=1, ttl_s=3600), CacheMark(message=1))
    assert second.marks == (*first.marks[:2], CacheMark(message=3, part=2))
    assert (first.usage, second.usage) == (Usage(43, 0, 9, 40, 25), Usage(70, 40, 2, 0))
    assert (first.user, first.time_s) == ("u1", 1793491200.0)


def test_results_and_images_are_parts() -> None:
    """Each block of a message is a part: results with their text and the id they answer, images as a mark."""
    last = read_bytes((FIXTURES / "anthropic.jsonl").read_bytes()).requests[1].messages[-1]

    assert (last.role, last.parts[0], last.parts[2]) == ("user", "-3", "So?")
    assert last.parts[1].startswith("<image sha256:")
    assert last.text == "\n".join(last.parts)
    assert last.extra == '{"tool_call_id":"toolu_1"}'


@pytest.mark.parametrize("system", ["Be brief.", [{"type": "text", "text": "Be brief."}]])
def test_system_text_stands_first(system: object) -> None:
    """The system text is the first message, as a string or as blocks."""
    assert read_one(system=system).messages == (Message("system", "Be brief."), Message("user", "Hello"))


@pytest.mark.parametrize(
    "sign",
    [
        {"anthropic_version": "2023-06-01"},
        {"stop_sequences": []},
        {"tools": [{"name": "f", "input_schema": {"type": "object"}}]},
        {"cache_control": {"type": "ephemeral"}},
    ],
)
def test_bodies_without_system_text_are_told_by_other_fields(sign: dict[str, Any]) -> None:
    """A body is Anthropic's by any field that only this API has."""
    assert read_one(**sign).messages == (Message("user", "Hello"),)


def test_a_chat_with_a_null_system_is_a_chat() -> None:
    """A field that is null is not given."""
    assert read_records({"messages": HELLO, "system": None}).format == "openai-chat"


def test_an_automatic_mark_stands_behind_the_last_block() -> None:
    """``cache_control`` of the body as a whole marks the last block of the last message, calls included."""
    blocks = [{"type": "text", "text": "a"}, {"type": "tool_use", "id": "t", "name": "f", "input": {}}]
    automatic = {"type": "ephemeral", "ttl": "1h"}

    assert read_one(cache_control=automatic).marks == (CacheMark(message=0, part=0, ttl_s=3600),)
    assert read_one(cache_control=automatic, system="S").marks == (CacheMark(message=1, part=0, ttl_s=3600),)
    assert read_one(cache_control=automatic, messages=[{"role": "assistant", "content": blocks}]).marks == (
        CacheMark(message=0, part=1, ttl_s=3600),
    )


def test_a_mark_behind_a_call_or_in_a_result() -> None:
    """Calls count as blocks behind the texts; a mark inside a result marks the result."""
    mark = {"cache_control": {"type": "ephemeral"}}
    messages = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}, **mark}]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "x", **mark}]}],
        },
    ]

    assert read_one(messages=messages, system="S").marks == (CacheMark(message=1, part=0), CacheMark(message=2, part=0))


def test_several_results_keep_their_ids() -> None:
    """A message that answers two calls keeps both ids; a result without text is an empty part."""
    results = [{"type": "tool_result", "tool_use_id": i, "content": ""} for i in ("t1", "t2")]
    message = read_one(messages=[{"role": "user", "content": results}], system="S").messages[1]

    assert (message.parts, message.extra) == (("", ""), '{"tool_call_id":["t1","t2"]}')


def test_workspaces_do_not_share() -> None:
    """A workspace is a namespace of its own; a cache key of the request only routes."""
    plain, other, keyed = (
        read_one(system="S", **fields).namespace for fields in ({}, {"workspace_id": "w"}, {"prompt_cache_key": "k"})
    )

    assert plain == keyed == "claude-opus-5"
    assert other == "claude-opus-5 workspace=w"


def test_thinking_that_cannot_be_read_stands_as_a_mark() -> None:
    """Redacted thinking is told apart by its hash."""
    extras = {
        read_one(system="S", messages=[{"role": "assistant", "content": [{"type": "redacted_thinking", "data": data}]}])
        .messages[1]
        .extra
        for data in ("x", "y")
    }

    assert len(extras) == 2
    assert all(extra.startswith('{"thinking":"<thinking sha256:') for extra in extras)
