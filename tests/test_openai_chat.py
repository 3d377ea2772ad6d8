"""OpenAI chat records: content, calls, tools, usage and callers, in all the shapes that loggers write."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_records import read_bytes, read_records
from msgspec import Raw

from radixlint.logs._chat_messages import _known, read_message, read_messages
from radixlint.logs._compact_json import compact, compact_elements, dump_compact
from radixlint.logs._record_json import RecordError
from radixlint.logs._tally import Tally
from radixlint.traffic import Message, Request, ToolCall, Usage

HELLO = [{"role": "user", "content": "Hello"}]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def read_one(**fields: Any) -> Request:
    return read_records({"messages": HELLO, **fields}).requests[0]


def messages_of(*messages: object) -> tuple[Message, ...]:
    return read_one(messages=list(messages)).messages


def test_content_is_read_in_every_form() -> None:
    """Strings, null, missing content, text parts and refusals become text, parts joined by a newline."""
    parts = [{"type": "text", "text": "a"}, {"type": "input_text", "text": "b"}, "c", {"type": "refusal", "refusal": "d"}]

    read = messages_of(
        {"role": "system", "content": "x"},
        {"role": "user", "content": parts},
        {"role": "assistant", "content": None},
        {"role": "tool"},
    )

    assert read == (
        Message("system", "x"),
        Message("user", "a\nb\nc\nd", parts=("a", "b", "c", "d")),
        Message("assistant", ""),
        Message("tool", ""),
    )


@pytest.mark.parametrize("role", ["developer", "tool", "function", "critic"])
def test_any_role_is_kept(role: str) -> None:
    """Roles are kept as sent, known or not."""
    assert messages_of({"role": role, "content": "x"})[0].role == role


def test_images_stand_as_a_mark_with_their_hash() -> None:
    """Parts that are no text become a short mark: equal data, equal mark; other data, another; and a note counts them."""
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "iVBORw0KGgo" * 1000}}
    other = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    rest = [
        {"type": "input_audio", "input_audio": {"data": "AAAA"}},
        {"type": "file", "file": {"file_id": "f"}},
        {"type": "odd"},
        7,
    ]

    log = read_records({"messages": [{"role": "user", "content": [image, image, other, *rest]}]})
    marks = log.requests[0].messages[0].text.split("\n")

    assert [m.split()[0] for m in marks] == ["<image", "<image", "<image", "<audio", "<file", "<part", "<part"]
    assert marks[0] == marks[1] != marks[2]
    assert all(len(m) < 40 and m.endswith(">") and "sha256:" in m for m in marks)
    assert any(note.startswith("Parts that are not text") and ": 7 " in note for note in log.notes)


def test_tool_calls_are_read_in_both_forms() -> None:
    """Arguments stay exactly as logged if they are text, and are written compactly if they are an object."""
    calls = [
        {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{ "b": 1,  "a": 2 }'}},
        {"function": {"name": "g", "arguments": {"b": 1, "a": [2, "é"]}}},
        {"name": "h"},
        {"type": "custom", "custom": {"name": "k", "input": "raw"}},
    ]
    legacy = {"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}}

    read = messages_of({"role": "assistant", "content": None, "tool_calls": calls}, legacy)

    assert read[0].tool_calls == (
        ToolCall("f", '{ "b": 1,  "a": 2 }', "1"),
        ToolCall("g", '{"b":1,"a":[2,"é"]}'),
        ToolCall("h", ""),
        ToolCall("k", "raw"),
    )
    assert read[1].tool_calls == (ToolCall("f", "{}"),)


@pytest.mark.parametrize("calls", ["f", {"name": "f"}, [None], [{"function": {}}]])
def test_odd_tool_calls_are_ignored_and_counted(calls: object) -> None:
    """Calls of an unknown shape are left out with a note, the message stays."""
    log = read_records({"messages": [{"role": "assistant", "content": "x", "tool_calls": calls}]})

    assert log.requests[0].messages == (Message("assistant", "x"),)
    assert any(note.startswith("Tool calls of an unknown shape were ignored: 1") for note in log.notes)


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        (None, "no messages"),
        ([], "no messages"),
        ("hi", "no messages"),
        ({"role": "user"}, "no messages"),
        ([None], "message not an object"),
        ([{"role": "user", "content": 7}], "content not text"),
    ],
)
def test_records_without_usable_messages_are_skipped(messages: object, reason: str) -> None:
    """Each shape that holds no prompt is skipped for its own reason."""
    assert read_records({"messages": HELLO}, {"messages": messages}).skipped == {reason: 1}


def test_a_missing_role_is_read_as_it_is() -> None:
    """A message without a role keeps its text, with a note."""
    log = read_records({"messages": [{"content": "x"}, {"role": "", "content": "y"}]})

    assert log.requests[0].messages == (Message("", "x"), Message("", "y"))
    assert any(note.startswith("Messages without a role were read as they are: 2") for note in log.notes)


SIMPLE = st.text(max_size=5) | st.none()
CALLS = st.none() | st.lists(
    st.fixed_dictionaries({"function": st.fixed_dictionaries({"name": SIMPLE, "arguments": SIMPLE})}), max_size=2
)
WIRE = st.fixed_dictionaries(
    {},
    optional={
        "role": SIMPLE,
        "content": SIMPLE | st.lists(SIMPLE, max_size=2),
        "tool_calls": CALLS,
        "name": SIMPLE,
        "tool_call_id": SIMPLE,
        "reasoning_content": SIMPLE,
    },
)


def outcome(read: Callable[[], object]) -> object:
    try:
        return read()
    except RecordError as error:
        return error.reason


def tally_at_start() -> Tally:
    tally = Tally()
    tally.enter("log")
    return tally


@given(message=WIRE)
def test_the_fast_way_reads_as_the_careful_one(message: dict[str, object]) -> None:
    """A message of the usual shape takes a typed decoder; it gives exactly what the general reader gives."""
    field = Raw(json.dumps(message).encode())

    assert outcome(lambda: read_message(field, tally_at_start())) == outcome(lambda: _known(field).message)


def test_equal_messages_are_one_object() -> None:
    """History repeats from turn to turn, also with a cache mark that moved on: each message is decoded and kept once."""
    marked = {"role": "user", "content": [{"type": "text", "text": "Hello", "cache_control": {"type": "ephemeral"}}]}
    tally = tally_at_start()

    first, again, moved = (read_messages(Raw(json.dumps([m]).encode()), tally)[0] for m in (HELLO[0], HELLO[0], marked))

    assert first is again
    assert first is moved


def test_what_is_told_about_a_message_is_told_each_time() -> None:
    """A message that was met before still counts in the notes."""
    image = {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]}

    assert any(note.startswith("Parts that are not text") and ": 3 " in note for note in read_records(image, image, image).notes)


def test_tools_are_compact_json_with_their_keys_in_order() -> None:
    """Tools, and functions in their place, are written without white space, keys and numbers as logged."""
    line = (
        b'{"messages":[{"role":"user","content":"x"}],"tools":[ {"name": "f", "b": 1.50, "a": [1, 2]}, {"name":"caf\\u00e9"} ]}'
    )

    assert read_bytes(line).requests[0].tools == ('{"name":"f","b":1.50,"a":[1,2]}', '{"name":"café"}')
    assert read_one(functions=[{"name": "f"}]).tools == ('{"name":"f"}',)
    assert read_one(tools=None, functions=[{"name": "f"}]).tools == ('{"name":"f"}',)
    assert read_one(tools=[]).tools == ()
    assert any(
        "Tool lists of an unknown shape were ignored: 1" in n for n in read_records({"messages": HELLO, "tools": {"a": 1}}).notes
    )


@given(values=st.lists(JSON_VALUES, max_size=3), indent=st.sampled_from([None, 1]), ascii_only=st.booleans())
def test_compact_text_is_what_json_dumps_writes(values: list[object], indent: int | None, ascii_only: bool) -> None:
    """However a value was written, its compact text is that of ``json.dumps`` with the tightest separators."""
    written = json.dumps(values, indent=indent, ensure_ascii=ascii_only)

    assert compact(written) == dump_compact(values)
    assert compact_elements(written.encode()) == tuple(dump_compact(v) for v in values)


@pytest.mark.parametrize("wrapper", ["request", "body", "input", "params"])
@pytest.mark.parametrize("is_text", [False, True])
def test_wrapped_requests(wrapper: str, is_text: bool) -> None:
    """A request inside an envelope, also as JSON text, is read with what the envelope and the answer add."""
    body = {"model": "m", "messages": HELLO, "metadata": {"session_id": "s"}}
    answer = {"choices": [{"message": {"content": "Hi."}}], "usage": {"prompt_tokens": 5}}

    request = read_records({"id": 7, "ts": 1, wrapper: json.dumps(body) if is_text else body, "response": answer}).requests[0]

    assert (request.id, request.time_s, request.model, request.session) == ("7", 1.0, "m", "s")
    assert (request.messages, request.usage) == ((Message("user", "Hello"),), Usage(5))


def test_namespace_separates_what_is_never_shared() -> None:
    """Model, adapter, extra key, salt and organisation each make another namespace; the session does not."""
    fields = [
        {},
        {"model": "m"},
        {"model": "m", "lora": "a"},
        {"model": "m", "extra_key": "a"},
        {"model": "m", "cache_salt": "a"},
    ]
    fields.append({"model": "m", "organization": "a"})
    organisations = [read_one(model="m", **{key: "a"}).namespace for key in ("organisation", "organisation_id", "org", "org_id")]

    namespaces = [read_one(**f).namespace for f in fields]

    assert namespaces[:3] == ["", "m", "m lora=a"]
    assert len(set(namespaces)) == len(fields)
    assert set(organisations) == {namespaces[-1]}
    assert read_one(model="m", session="s", user="u").namespace == "m"


@pytest.mark.parametrize("key", ["session", "session_id", "conversation_id"])
def test_callers(key: str) -> None:
    """Session and user are found at the top or in the metadata; numbers become text, odd types are ignored."""
    assert (read_one(**{key: "s"}).session, read_one(**{key: 4}).session, read_one(**{key: ["s"]}).session) == ("s", "4", None)
    assert read_one(metadata={key: "s"}).session == "s"
    assert (read_one(user="u").user, read_one(metadata={"user_id": "v"}).user, read_one(metadata="x").user) == ("u", "v", None)
