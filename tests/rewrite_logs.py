"""Small logs for tests of rewrites: conversations as an application with a fault sends them, and as a sound one would."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

from radixlint.traffic import Message, Request, ToolCall

RULES = "Be brief.\nSay please."


class Turn(NamedTuple):
    """A question, and the values that stood in the calls of its turn: the first, and one for each answer of a tool."""

    question: str
    values: tuple[str, ...]


def turns() -> st.SearchStrategy[list[Turn]]:
    """Give conversations; questions and values may come again."""
    value = st.sampled_from(["08:14", "08:15", "09:30"])
    return st.lists(
        st.builds(Turn, st.sampled_from(["ok", "why?", "go on"]), st.lists(value, min_size=1, max_size=4).map(tuple)), max_size=6
    )


def with_value_in_front(conversation: Sequence[Turn]) -> list[Request]:
    """Return the calls of an application that prints the value in line 2 of its instructions."""
    history: list[Message] = []
    calls = []
    for number, turn in enumerate(conversation):
        for step, value in enumerate(turn.values):
            history.append(Message("tool", f"result {number}.{step}") if step else Message("user", turn.question))
            calls.append((value, tuple(history)))
            history.append(Message("assistant", f"reply {number}.{step}", (ToolCall("look", f"{step}"),)))
    return [
        Request(index=i, messages=(Message("system", f"You help.\nTime: {value}\n{RULES}"), *said))
        for i, (value, said) in enumerate(calls)
    ]


def with_value_behind(conversation: Sequence[Turn], *, is_in_front: bool = False) -> list[list[str]]:
    """Return the texts of the calls of an application that says the value in each turn, and later only if it changed."""
    history: list[str] = []
    calls = []
    for number, turn in enumerate(conversation):
        told = ""
        for step, value in enumerate(turn.values):
            text = f"result {number}.{step}" if step else turn.question
            if value != told:
                text = f"Time: {value}\n{text}" if is_in_front else f"{text}\nTime: {value}"
            told = value
            history.append(text)
            calls.append([f"You help.\n{RULES}", *history])
            history.append(f"reply {number}.{step}")
    return calls


def texts(requests: Iterable[Request]) -> list[list[str]]:
    """Return the texts of the messages of each request."""
    return [[message.text for message in request.messages] for request in requests]


def words(request: Request) -> Counter[str]:
    """Count the words of a request."""
    return Counter(word for message in request.messages for word in message.text.split())


def write_log(requests: Sequence[Request], path: Path) -> Path:
    """Write requests as bodies of OpenAI's chat API, a line each."""
    path.write_text("".join(json.dumps(_body(request)) + "\n" for request in requests))
    return path


def _body(request: Request) -> dict[str, object]:
    tools = {"tools": [json.loads(tool) for tool in request.tools]} if request.tools else {}
    return {"session": request.session, "model": request.model, **tools, "messages": [_message(m) for m in request.messages]}


def _message(message: Message) -> dict[str, object]:
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in message.tool_calls
    ]
    return {
        "role": message.role,
        "content": message.text,
        **json.loads(message.extra or "{}"),
        **({"tool_calls": calls} if calls else {}),
    }
