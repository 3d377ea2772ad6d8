"""Conversations are told apart as the slow and obvious way tells them apart."""

from __future__ import annotations

from conversation_twin import numbered, slow_core_of, slow_crowd, slow_marks_of
from hypothesis import given, settings
from hypothesis import strategies as st

from radixlint.privacy import chains_of, crowd_of
from radixlint.privacy import said_lines as rules
from radixlint.privacy.kept_marks import KeptMarks
from radixlint.privacy.message_numbers import MessageNumbers
from radixlint.privacy.said_lines import core_of, marks_of
from radixlint.traffic import Message, Request, ToolCall

PIECES = (
    *("User: ", "user:", "Human: ", "AI: ", "Bot | ", "> assistant: ", "\u0131", "A\u0130: ", "u\u017fer: ", '{"role": "user", '),
    *(
        "10:01",
        "[10:01:00] ",
        "9:30Z",
        "10:01Z",
        "10:01z",
        "2026-03-03 10:05",
        "2026-03-03T10:05:00,5",
        "1/2/26",
        "3.5.2",
        "\u0661:\u0660\u0661",
    ),
    *("(new) ", "[note]", "<b>", "[", ")", "\u201cso\u201d", "-----", "...", "\\n", "\\N", "| ", " | ", ": ", ":", " :: "),
    *(
        ". ",
        "! ",
        "? ",
        '." ',
        ".) ",
        ".,  ",
        "?! ",
        "\u3002",
        "\uff1f",
        ".\t",
        "\r\n",
        "\n",
        "\n\n",
        " ",
        "  ",
        "   ",
        "\u00a0",
        "\u3000",
    ),
    *(
        "it hurts here",
        "It Hurts  Here",
        "My husband hid the papers",
        "word",
        "a",
        "12",
        "Stra\u00dfe",
        "\u0149",
        "\u03a3\u0391\u03a3",
    ),
    *(
        "\u6211\u4e08\u592b\u85cf\u4e86\u6587\u4ef6",
        "\u041f\u0440\u0438\u0432\u0435\u0442 \u0432\u0430\u043c",
        "\ud83d",
        "\U0001f600",
        "x" * 79,
        "y" * 90,
    ),
)
texts = st.one_of(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.text(max_size=40))
roles = st.sampled_from(("user", "assistant", "system", "developer", "tool", "other"))
calls = st.lists(st.builds(ToolCall, st.just("find"), texts), max_size=1).map(tuple)
messages = st.builds(Message, roles, texts, calls)


@settings(max_examples=800, deadline=None)
@given(texts)
def test_cores_equal_those_of_the_slow_way(text: str) -> None:
    """What is passed over for speed changes no core."""
    assert core_of(text) == slow_core_of(text)


@settings(max_examples=800, deadline=None)
@given(messages)
def test_marks_equal_those_of_the_slow_way(message: Message) -> None:
    """A message is known again by the same lines and sentences."""
    assert set(marks_of(message)) == slow_marks_of(message)


def test_small_letters_are_printable_where_capitals_are() -> None:
    """That a text is printable can be asked before its letters are made small, and no edge is made from a letter."""
    every = [chr(code) for code in range(0x110000)]

    assert [c for c in every if c.isprintable() != c.casefold().isprintable()] == []
    assert [c for c in every if c.casefold() != c and set(c.casefold()) & set(rules._EDGES)] == []
    assert [c for c in every if c.isprintable() and c.isspace()] == [" "]


@st.composite
def logs(draw: st.DrawFn) -> list[Request]:
    """Return requests that share messages, histories and sentences."""
    pool = draw(st.lists(messages, min_size=1, max_size=6))
    requests: list[Request] = []
    for _ in range(draw(st.integers(0, 9))):
        before = draw(st.sampled_from([(), *(request.messages for request in requests)]))
        newest = tuple(draw(st.lists(st.sampled_from(pool), max_size=3)))
        session = draw(st.sampled_from((None, None, None, "a", "b")))
        kind = draw(st.sampled_from(("messages", "messages", "messages", "rendered", "ids")))
        rendered, ids = (draw(texts) if kind == "rendered" else None), (b"\1\0\0\0" if kind == "ids" else None)
        sent = before + newest if kind == "messages" else ()
        index = draw(st.integers(0, 9))
        requests.append(Request(index, session=session, messages=sent, rendered=rendered, token_ids=ids))
    return requests


@settings(max_examples=300, deadline=None)
@given(logs())
def test_crowds_equal_those_of_the_slow_way(requests: list[Request]) -> None:
    """Conversations and chains are those that comparing every pair gives, also where sessions stand among them."""
    crowd = crowd_of(requests)

    assert (list(crowd.conversations), list(crowd.chains)) == slow_crowd(requests)
    assert chains_of(requests) == crowd.chains


def test_a_message_said_twice_in_one_request_hides_no_earlier_one() -> None:
    """What stands in front of a message that a request repeats is still looked at."""
    first, other, again = Message("user", "Where is it?"), Message("system", "Be brief."), Message("user", "Well?")
    requests = [Request(0, messages=(first, other)), Request(1, messages=(first, other, again, again))]

    assert tuple(crowd_of(requests).conversations) == (0, 0)


@given(st.lists(st.lists(st.sampled_from([Message("user", t) for t in "abcdef"]), max_size=4)))
def test_messages_are_numbered_as_they_first_appear(sent: list[list[Message]]) -> None:
    """Equal messages have one number, and a request's numbers are those of its messages."""
    numbers = MessageNumbers([Request(i, messages=tuple(each)) for i, each in enumerate(sent)])

    assert [n for i in range(len(sent)) for n in numbers.of(i)] == numbered([m for each in sent for m in each])
    assert [[numbers.messages[n] for n in numbers.of(i)] for i in range(len(sent))] == sent


def test_marks_of_many_requests_come_back_with_their_holders() -> None:
    """Marks kept in several chunks come back once each; equal ones come in one part."""
    kept, held = KeptMarks(), {holder: [f"mark {holder % 999}", f"other {holder}"] for holder in range(40_000)}
    for holder, marks in held.items():
        kept.add(holder, marks)
    parts = [list(zip(hashes.tolist(), holders.tolist(), strict=True)) for hashes, holders in kept.parts()]

    assert sorted(p for part in parts for p in part) == sorted((hash(m), holder) for holder, marks in held.items() for m in marks)
    assert len({mark for part in parts for mark in {mark for mark, _ in part}}) == sum(
        len({m for m, _ in part}) for part in parts
    )
