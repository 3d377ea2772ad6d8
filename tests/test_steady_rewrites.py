"""Rewrites to one list of tools, one form of text, and histories that only grow."""

from __future__ import annotations

import random

import pytest

from radixlint.rewrites import append_only, plain_form, steady_tools
from radixlint.traffic import CacheMark, Message, Request

TOOLS = tuple(f'{{"type":"function","function":{{"name":"t{i}","description":"{i}"}}}}' for i in range(4))
SYSTEM = Message("system", "Rules.")


def chat(index: int, *messages: Message, tools: tuple[str, ...] = ()) -> Request:
    """Return a request with instructions in front."""
    return Request(index, tools=tools, messages=(SYSTEM, *messages))


def turns(count: int) -> list[Message]:
    """Return so many messages, users and assistants in turn."""
    return [Message("assistant" if i % 2 else "user", f"turn {i}") for i in range(count)]


def test_all_tools_of_an_application_are_sent_as_first_seen() -> None:
    """Tools of one cluster are joined in the order of their first appearance; another cluster has its own."""
    other = TOOLS[1].replace('"1"', '"one"')
    requests = [chat(0, tools=TOOLS[:2]), chat(1, tools=(TOOLS[2], other)), chat(2, tools=TOOLS[3:]), chat(3)]

    changed = steady_tools(requests, [0, 0, 2, 0])

    assert [request.tools for request in changed] == [TOOLS[:3], TOOLS[:3], TOOLS[3:], ()]
    assert changed[2] is requests[2]
    marked = [chat(0, tools=TOOLS[:1]), Request(1, tools=TOOLS[1:2], marks=(CacheMark(tool=0),))]
    assert steady_tools(marked, [0, 0])[1] is marked[1]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a \nb", "a\nb"),
        ("a\r\nb\t", "a\nb"),
        ("cafe\u0301", "caf\xe9"),
        ("\ufeffhead", "head"),
        (" a  b", " a  b"),
        ("\n\n", "\n\n"),
    ],
)
def test_text_is_written_in_one_form(text: str, plain: str) -> None:
    """Blanks at line ends, line ends, normalization form and byte order mark go; all else stays."""
    request = chat(0, Message("user", text))
    changed = plain_form([request])

    assert changed[0].messages[1].text == plain
    assert plain_form(changed)[0] is changed[0]
    assert (changed[0] is request) == (text == plain)


def test_histories_that_were_changed_grow_only() -> None:
    """Deleted, edited and replaced old messages are sent as they were first; the newest turn stays as it is."""
    all_turns = turns(7)
    edited = [*all_turns[:2], Message("user", "[removed]"), *all_turns[3:5]]
    requests = [
        chat(0, *all_turns[:1]),
        chat(1, *all_turns[:3]),
        chat(2, *edited),
        chat(3, *all_turns[2:7]),
        chat(4, *all_turns[:3]),
    ]

    changed = append_only(requests, [0] * 5)

    assert [list(request.messages[1:]) for request in changed] == [*(all_turns[:length] for length in (1, 3, 5, 7, 3))]
    assert changed[0] is requests[0]
    assert changed[1] is requests[1]


@pytest.mark.parametrize("seed", range(20))
def test_what_only_grows_stays_as_it_is(seed: int) -> None:
    """Healthy conversations, side by side, with retries and new beginnings, are the same objects afterwards."""
    draw = random.Random(seed)
    requests, chains = [], []
    for chain in range(3):
        length = 0
        for _ in range(6):
            length += draw.choice((0, 2))
            requests.append(chat(len(requests), *(Message(m.role, f"{chain} {m.text}") for m in turns(length + 1))))
            chains.append(chain)

    assert all(a is b for a, b in zip(append_only(requests, chains), requests, strict=True))
