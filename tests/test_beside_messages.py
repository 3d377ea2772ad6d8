"""Chat bodies with parts of the prompt beside their messages: system texts, tools in parameters or written as text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from log_records import read_records

from radixlint.traffic import LogRead, Message, Request

QUESTION = {"role": "user", "content": "What is a cache?"}
TOOL = {"type": "function", "function": {"name": "look_up", "parameters": {"type": "object"}}}
TOOL_TEXT = json.dumps(TOOL, separators=(",", ":"))


def read(**fields: Any) -> LogRead:
    return read_records({"id": "a", "messages": [QUESTION], **fields})


def only(**fields: Any) -> Request:
    return read(**fields).requests[0]


@pytest.mark.parametrize("holder", ["extra_body", "kwargs", "optional_params", "config", "model_parameters", "model_kwargs"])
@pytest.mark.parametrize("is_text", [False, True])
def test_tools_among_parameters_are_read(holder: str, is_text: bool) -> None:
    """Tools stand first in the prompt wherever a logger keeps them, also in parameters that are text."""
    parameters = {"temperature": 0, "tools": [TOOL]}

    request = only(**{holder: json.dumps(parameters) if is_text else parameters})

    assert request.tools == (TOOL_TEXT,)


def test_tools_of_the_body_go_before_those_of_parameters() -> None:
    """What the body says itself holds, and an empty list says nothing."""
    other = {"type": "function", "function": {"name": "other"}}

    assert only(tools=[TOOL], extra_body={"tools": [other]}).tools == (TOOL_TEXT,)
    assert only(tools=[], extra_body={"tools": [TOOL]}).tools == (TOOL_TEXT,)
    assert only(extra_body={"temperature": 0}).tools == ()


@pytest.mark.parametrize("times", [1, 2])
def test_tools_written_as_text_are_tools(times: int) -> None:
    """A list that was written as JSON text, once or twice, is the same list."""
    tools: Any = [TOOL]
    for _ in range(times):
        tools = json.dumps(tools)

    log = read(tools=tools)

    assert (log.requests[0].tools, log.alterations) == ((TOOL_TEXT,), ())


def test_anthropic_tools_written_as_text_tell_the_format() -> None:
    """Tools with an input_schema are Anthropic's as text too."""
    assert only(tools=json.dumps([{"name": "look_up", "input_schema": {"type": "object"}}])).format == "anthropic-messages"


@pytest.mark.parametrize("name", ["system_prompt", "system_message", "instructions"])
@pytest.mark.parametrize("value", ["Be brief.", {"role": "system", "content": "Be brief."}])
def test_a_system_text_beside_messages_stands_in_front(name: str, value: object) -> None:
    """Such a text is the system message; next to an equal one it is a copy of it."""
    system = {"role": "system", "content": "Be brief."}

    alone, twice = only(**{name: value}), read(**{name: value}, messages=[system, QUESTION])

    assert alone.messages == (Message("system", "Be brief."), Message("user", "What is a cache?"))
    assert (twice.requests[0].messages, twice.alterations) == (alone.messages, ())


@pytest.mark.parametrize("value", ["", None, 5, [], {"id": 7}])
def test_what_is_no_system_text_is_none(value: object) -> None:
    """A name without a text adds nothing."""
    assert only(system_prompt=value).messages == (Message("user", "What is a cache?"),)


def test_two_different_system_texts_are_told() -> None:
    """Nobody can tell how the two were joined: that of the messages is read, and the other is told as left out."""
    log = read(system_prompt="Be long.", messages=[{"role": "developer", "content": "Be brief."}, QUESTION])

    assert [message.text for message in log.requests[0].messages] == ["Be brief.", "What is a cache?"]
    assert any("System texts beside messages" in note for note in log.alterations)
