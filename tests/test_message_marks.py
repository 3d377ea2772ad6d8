"""What a message holds beside its text: fields that templates print, cache marks; and the answer."""

from __future__ import annotations

from typing import Any

import pytest
from log_records import read_records

from radixlint.traffic import CacheMark, Message, Request, ToolCall

HELLO = [{"role": "user", "content": "Hello"}]


def read_one(**fields: Any) -> Request:
    return read_records({"messages": HELLO, **fields}).requests[0]


def messages_of(*messages: object) -> tuple[Message, ...]:
    return read_one(messages=list(messages)).messages


def test_other_printed_fields_are_kept() -> None:
    """What a chat template may print beside the content is kept as compact JSON, in one order; empty fields are left out."""
    read = messages_of(
        {"role": "tool", "tool_call_id": "c1", "name": "f", "content": "x"},
        {"role": "assistant", "content": "x", "reasoning_content": "Hm é.", "name": ""},
        {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "Hm.", "signature": "s"}, {"type": "text", "text": "x"}],
        },
    )

    assert [m.extra for m in read] == [
        '{"name":"f","tool_call_id":"c1"}',
        '{"reasoning_content":"Hm é."}',
        '{"thinking":"Hm."}',
    ]
    assert [m.text for m in read] == ["x", "x", "x"]


@pytest.mark.parametrize(
    ("mark", "ttl_s"),
    [
        ({"cache_control": {"type": "ephemeral"}}, None),
        ({"cache_control": {"type": "ephemeral", "ttl": "5m"}}, 300),
        ({"cache_control": {"type": "ephemeral", "ttl": "1h"}}, 3600),
        ({"prompt_cache_breakpoint": {"mode": "explicit", "ttl": "30m"}}, 1800),
        ({"prompt_cache_breakpoint": {"mode": "explicit", "ttl": "12h"}}, 43200),
        ({"cache_control": {"type": "ephemeral", "ttl": "soon"}}, None),
    ],
)
def test_marks_stand_behind_their_block(mark: dict[str, object], ttl_s: float | None) -> None:
    """Marks of blocks, messages and tools are kept with their place and time to live, and are no part of any text."""
    parts = [{"type": "text", "text": "a", **mark}, {"type": "text", "text": "b"}]
    request = read_one(
        messages=[{"role": "system", "content": parts}, {"role": "user", "content": "Q", **mark}],
        tools=[{"name": "f", "n": 1.50, **mark}, {"name": "g"}],
    )

    assert request.marks == (
        CacheMark(tool=0, ttl_s=ttl_s),
        CacheMark(message=0, part=0, ttl_s=ttl_s),
        CacheMark(message=1, part=0, ttl_s=ttl_s),
    )
    assert request.tools == ('{"name":"f","n":1.5}', '{"name":"g"}')


def test_a_cache_point_is_a_mark_behind_the_block_before() -> None:
    """A block that is nothing but a mark takes no place among the blocks; in front of all it marks the message before."""
    point = {"cachePoint": {"type": "default", "ttl": "1h"}}
    request = read_one(
        messages=[
            {"role": "user", "content": [{"text": "a"}, {"text": "b"}, point]},
            {"role": "assistant", "content": [point, {"text": "c"}]},
        ],
        tools=[{"toolSpec": {"name": "f"}}, point],
    )

    assert request.marks == (
        CacheMark(tool=0, ttl_s=3600),
        CacheMark(message=0, part=1, ttl_s=3600),
        CacheMark(message=0, part=1, ttl_s=3600),
    )
    assert request.tools == ('{"toolSpec":{"name":"f"}}',)


def test_absent_marks_are_none() -> None:
    """A null mark is none."""
    assert read_one(messages=[{"role": "user", "content": [{"type": "text", "text": "a", "cache_control": None}]}]).marks == ()


def test_an_images_hash_does_not_depend_on_marks() -> None:
    """A mark that moves on from an image leaves its text as it was."""
    image = {"type": "image_url", "image_url": {"url": "x"}}

    plain, marked = (messages_of({"role": "user", "content": [one]}) for one in (image, image | {"cache_control": {"type": "e"}}))

    assert plain == marked


def test_the_answer_is_kept() -> None:
    """The reply is the message of the first choice, calls and reasoning included; no answer is None."""
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "refusal": None, "tool_calls": [call], "reasoning_content": "Hm."}

    assert read_one(response={"choices": [{"index": 0, "message": message}]}).reply == Message(
        "assistant", "", (ToolCall("f", "{}", "c"),), extra='{"reasoning_content":"Hm."}'
    )
    assert read_one(response={"choices": [{"text": "Hi."}]}).reply == Message("assistant", "Hi.")
    assert [read_one(response=r).reply for r in ({"choices": []}, {"choices": [7]}, None)] == [None] * 3
