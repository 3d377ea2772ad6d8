"""One person's conversation counts once in a log without session ids, however the application sends it again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_records import asking, read_records

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import measure
from radixlint.privacy import crowd_of
from radixlint.privacy.joined_groups import JoinedGroups
from radixlint.privacy.said_lines import core_of
from radixlint.reports import TextStyle, analyze_json, analyze_text, per_request
from radixlint.result.measurement import AnalyzeReport, TreeLimits

PRIVATE = "My husband Ulrich Krause hid the divorce papers in Dresden."
SYSTEM = "You help at the desk of a large shop and answer in two short sentences."
ANSWERS = [f"Answer {word} of the desk to what was asked." for word in ("one", "two", "three", "four", "five", "six")]
ASKED = [PRIVATE, *(f"And what about the {word}, then?" for word in ("house", "car", "dog", "boat", "garden"))]

Sent = list[dict[str, str]]


def said(role: str, text: str) -> dict[str, str]:
    return {"role": role, "content": text}


def grown(turn: int, newest: str | None = None) -> Sent:
    """Return the request of ``turn`` as sent: system text, all turns before it, the newest user turn."""
    past = [m for i in range(turn) for m in (said("user", ASKED[i]), said("assistant", ANSWERS[i]))]
    return [said("system", SYSTEM), *past, said("user", ASKED[turn] if newest is None else newest)]


def transcript(turn: int) -> str:
    return "\n".join([*(f"User: {ASKED[i]}\nAssistant: {ANSWERS[i]}" for i in range(turn)), f"User: {ASKED[turn]}"])


SHAPES: dict[str, Callable[[int], Sent]] = {
    "as it grows": grown,
    "clock on the newest turn": lambda i: grown(i, f"[10:0{i}:00] {ASKED[i]}"),
    "date and clock in front, no bracket": lambda i: grown(i, f"2026-03-03 10:0{i} {ASKED[i]}"),
    "documents on the newest turn": lambda i: grown(i, f"Docs: file {ASKED[-1 - i]}\n{ASKED[i]}"),
    "reminder at the end": lambda i: [*grown(i), said("system", "Be brief.")],
    "prefill": lambda i: [*grown(i), said("assistant", "{")],
    "side calls on one history": lambda i: [*grown(2)[:-1], said("user", f"Side call: {ASKED[-1 - i]}")],
    "transcript in one user message": lambda i: [said("system", SYSTEM), said("user", transcript(i))],
    "history in the system text": lambda i: [said("system", f"{SYSTEM}\n{transcript(i)}"), said("user", ASKED[i])],
    "transcript in one line": lambda i: [said("system", SYSTEM), said("user", transcript(i).replace("\n", " "))],
    "transcript as JSON": lambda i: [said("system", SYSTEM), said("user", json.dumps(grown(i)[1:]))],
    "JSON in the system text": lambda i: [said("system", f"{SYSTEM}\n{json.dumps(grown(i)[1:])}"), said("user", ASKED[i])],
    "sliding window": lambda i: [said("system", SYSTEM), *grown(5, ASKED[i])[1 + 2 * (i % 2) :], said("user", PRIVATE)],
    "trailing blanks": lambda i: grown(0, PRIVATE + " " * i),
    "changing system text": lambda i: [said("system", f"{SYSTEM} Desk {i}."), said("user", PRIVATE)],
    "clock on a resend": lambda i: grown(0, f"[10:0{i}:00] {PRIVATE}"),
    "a resend behind another line": lambda i: grown(0, f"{ASKED[-1 - i]}\n{PRIVATE}"),
    "another model each time": lambda i: grown(0),
}
OTHER: Sent = [said("system", SYSTEM), said("user", "Where can I park a bicycle?")]


def sent(shape: str) -> list[dict[str, Any]]:
    return [{"model": f"gpt-4o-{i if 'model' in shape else 0}", "messages": SHAPES[shape](i)} for i in range(6)]


def told(report: AnalyzeReport) -> str:
    style = TextStyle()
    return analyze_text.render(report, style) + analyze_json.render(report, style) + per_request.render(report.rows, style)


def explained(*records: dict[str, Any]) -> AnalyzeReport:
    return measure(read_records(*records), AnalyzeOptions(top=50, tree=TreeLimits(depth=9, width=50)))


@pytest.mark.parametrize("shape", SHAPES)
def test_private_text_of_one_conversation_is_not_shown(shape: str) -> None:
    """Six requests of one person and one of another show no word of the person's text, in whatever form it is sent again."""
    shown = told(explained(*sent(shape), {"model": "gpt-4o-0", "messages": OTHER}))

    assert not [word for word in ("Ulrich", "Krause", "divorce", "Dresden") if word in shown]


@pytest.mark.parametrize("shape", SHAPES)
def test_one_conversation_is_fewer_than_five(shape: str) -> None:
    """At most the first request, which nothing repeats, and the other person stand beside the conversation."""
    requests = read_records(*sent(shape), {"messages": OTHER}).requests

    assert len(set(crowd_of(requests).conversations)) <= 3


def test_scripts_without_spaces_are_known_again() -> None:
    """A sentence of a few signs, as whole message, behind a document or in a transcript, is of one conversation."""
    private, other = "我丈夫藏了文件。", "哪里可以停车。"
    texts = [private, f"资料{other}\n{private}", f"用户说: 你好吗。{private}"]

    requests = read_records(*({"messages": [said("user", text)]} for text in texts)).requests

    assert crowd_of(requests).conversations == (0, 0, 0)


def test_system_text_of_unrelated_chats_is_shown() -> None:
    """Five chats that share instructions, tools and examples in them, and nothing people said, are five conversations."""
    system = f"{SYSTEM}\nUser: Where is my parcel now?\nAssistant: It is on its way to you.\nIt is 08:0"
    rules = "".join(f"\n{n}. Rule number {n} of the house is not to be bent by anyone." for n in range(9))
    tools = [{"type": "function", "function": {"name": "find", "parameters": {}}}]
    chats = [
        {"model": "gpt-4o", "tools": tools, "messages": [said("system", f"{system}{i}:09{rules}"), said("user", text)]}
        for i, text in enumerate(ASKED[:5])
    ]

    assert len(set(crowd_of(read_records(*chats).requests).conversations)) == 5
    assert "It is on its way to you." in told(explained(*chats))
    assert "It is on its way to you." not in told(explained(*chats[:4]))


def test_a_prefill_and_changing_instructions_link_nobody() -> None:
    """A bracket to go on from, an equal reminder and a clock in the system text are of no conversation."""
    chats = [
        {
            "messages": [
                said("system", f"{SYSTEM} {i}:00"),
                said("user", text),
                said("assistant", "{"),
                said("system", "Be brief."),
            ]
        }
        for i, text in enumerate(ASKED)
    ]

    assert len(set(crowd_of(read_records(*chats).requests).conversations)) == len(ASKED)


def test_a_request_without_session_joins_the_session_that_holds_its_text() -> None:
    """A side call that lost its session id is no further conversation, and makes no two sessions one."""
    one, two, three = ({"session": name, "messages": [said("user", PRIVATE)]} for name in "abc")
    loose = {"messages": [said("user", PRIVATE), said("assistant", ANSWERS[0]), said("user", "Give it a title.")]}
    other = {"messages": OTHER}

    assert crowd_of(read_records(one, two, three, loose, other).requests).conversations == (0, 1, 2, 0, 3)


def test_who_continues_whom_is_not_widened() -> None:
    """Two chats that open alike count once, but neither is taken for the turn before the other."""
    chats = [{"messages": [said("user", "Hello, who is there?"), said("assistant", "Me."), said("user", a)]} for a in ASKED[:2]]

    crowd = crowd_of(read_records(*chats).requests)

    assert (crowd.conversations, crowd.chains) == ((0, 0), (0, 1))


@pytest.mark.parametrize(
    "line", ["it hurts here", "It hurts here.  ", "[10:01:00] It hurts here", "> User: it hurts here", "10:01 It hurts  here"]
)
def test_a_line_is_known_again(line: str) -> None:
    """Clocks, speakers, case, white space and punctuation around a line make no other line of it; other words do."""
    assert core_of(line) == "it hurts here"
    assert core_of(f"{line} now") != "it hurts here"


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_joined_groups_equal_brute_force(pairs: list[tuple[int, int]]) -> None:
    """Groups are the connected components, each named by its smallest member."""
    groups, sets = JoinedGroups(10), [{i} for i in range(10)]
    for one, other in pairs:
        groups.join(one, other)
        merged = sets[one] | sets[other]
        for member in merged:
            sets[member] = merged

    assert groups.leaders() == [min(found) for found in sets]


def users_of(*fields: dict[str, object]) -> AnalyzeReport:
    chats = [asking(i, messages=[said("system", SYSTEM), said("user", ASKED[i])], **more) for i, more in enumerate(fields)]
    return explained(*chats)


def test_a_request_without_user_adds_no_user() -> None:
    """Four users and a request of nobody are not five users."""
    users: list[dict[str, object]] = [{"user": f"u{i}"} for i in range(4)]

    assert "You help at the desk" not in told(users_of(*users, {"user": None}))
    assert "You help at the desk" not in told(users_of(*users, {}))
    assert "You help at the desk" in told(users_of(*users, {"user": "u4"}))


def test_a_user_nobody_can_read_is_still_a_user() -> None:
    """Where users are named but not readable, nobody knows that they are five."""
    assert "You help at the desk" not in told(users_of(*[{"user": {"name": {"first": f"A{i}"}}} for i in range(6)]))
    assert "You help at the desk" in told(users_of(*[{"user": ""} for _ in range(6)]))


def test_ids_of_rows_hold_no_secret() -> None:
    """A key or a mail address that serves as an id is masked in the rows."""
    report = explained(asking(0, id="jane@example.invalid"), asking(1, id="req-7"))

    assert [row.id for row in report.rows] == ["<secret>", "req-7"]
