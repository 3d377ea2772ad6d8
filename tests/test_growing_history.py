"""Histories of conversations: what was compared instead of parsed reads as if it had been parsed."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from radixlint.logs import _growing_history
from radixlint.logs._chat_messages import read_chat, read_messages
from radixlint.logs._growing_history import Histories
from radixlint.logs._message_memo import Known
from radixlint.logs._record_json import RecordError
from radixlint.logs._tally import Tally
from radixlint.traffic import Message

SYSTEMS = ("", "s" * 300, "s" * 299 + "t")
IMAGE = {"type": "image_url", "image_url": {"url": "x"}}
CONTENTS = ("a", "a]", "}", "b" * 300, [IMAGE], [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}])


def tally_at_start() -> Tally:
    tally = Tally()
    tally.enter("log")
    return tally


def written(messages: list[object], indent: int | None) -> Raw:
    return Raw(json.dumps(messages, indent=indent).encode())


@given(seed=st.integers(0, 1 << 30), indent=st.sampled_from([None, 1]))
def test_reading_does_not_depend_on_what_was_read_before(seed: int, indent: int | None) -> None:
    """Conversations that grow, go back, branch and repeat read as each request would alone: messages, marks and notes."""
    draw, tally = random.Random(seed), tally_at_start()
    chats: list[list[object]] = [[{"role": "system", "content": draw.choice(SYSTEMS)}] for _ in range(3)]
    for _ in range(20):
        place = draw.randrange(3)
        kept = chats[place][: max(1, len(chats[place]) - draw.choice((0, 0, 0, 1)))]
        grown = [*kept, *({"role": "user", "content": draw.choice(CONTENTS)} for _ in range(draw.randrange(3)))]
        chats[place] = grown
        alone, together = tally_at_start(), tally_at_start()

        assert read_chat(written(grown, indent), tally) == read_chat(written(grown, indent), alone)
        assert alone.sentences() == (read_chat(written(grown, indent), together) and together.sentences())


def test_a_history_is_not_decoded_again() -> None:
    """Of a request that goes on from the one before, only the new messages are decoded."""
    decoded: list[bytes] = []

    def decode(field: Raw) -> Known:
        decoded.append(bytes(field))
        return Known(Message("user", bytes(field).decode()))

    histories = Histories(decode)
    messages = [{"role": "system", "content": "s" * 300}]
    for turn in range(8):
        messages += [{"role": "user", "content": f"{turn} " + "x" * 300}]
        histories.read(written(list(messages), None))

    # The first two requests meet the system text and the conversation for the first time.
    assert len(decoded) <= len(messages) + 2


def test_a_long_first_message_is_decoded_once_for_all_conversations() -> None:
    """Of a new conversation behind a system text that was met before, only what follows the text is decoded."""
    decoded: list[bytes] = []

    def decode(field: Raw) -> Known:
        decoded.append(bytes(field))
        return Known(Message("user", bytes(field).decode()), notes=("odd",))

    histories = Histories(decode)
    system = {"role": "system", "content": "s" * 300}
    for number in range(5):
        read = histories.read(written([system, {"role": "user", "content": f"{number}"}], None))

        assert [position for position, _ in read.odd] == [0, 1]
        assert read.messages == tuple(Message("user", json.dumps(m)) for m in (system, {"role": "user", "content": f"{number}"}))

    assert len(decoded) == 5 + 1


@pytest.mark.parametrize("role", ["user", "a role of its own"])
def test_equal_messages_are_one_object_however_they_are_written(role: str) -> None:
    """A text as a string and as a block of its own are equal messages, and so one object."""
    tally = tally_at_start()
    (plain,) = read_messages(written([{"role": role, "content": "x"}], None), tally)
    (block,) = read_messages(written([{"role": role, "content": [{"type": "text", "text": "x"}]}], None), tally)

    assert block is plain


def test_roles_without_end_are_read_all_the_same() -> None:
    """More roles than any log has are read as they are, though their messages are not remembered."""
    tally = tally_at_start()
    roles = [f"role {number}" for number in range(200)]

    assert [one.role for one in read_messages(written([{"role": role, "content": "x"} for role in roles], None), tally)] == roles


def test_messages_of_one_conversation_are_the_same_objects() -> None:
    """A request shares its history with the request before."""
    tally = tally_at_start()
    first = [{"role": "user", "content": "x" * 600}]
    shorter = read_messages(written(list(first), None), tally)
    longer = read_messages(written([*first, {"role": "user", "content": "y"}], None), tally)

    assert shorter[0] is longer[0]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the budget is used up, conversations are forgotten, and read on all the same."""
    monkeypatch.setattr(_growing_history, "_BUDGET_BYTES", 2000)
    monkeypatch.setattr(_growing_history, "_FIRSTS_KEPT", 2)
    histories = Histories(lambda field: Known(Message("user", bytes(field).decode())))
    for chat in range(20):
        one = {"role": "user", "content": f"{chat} " + "x" * 600}

        assert len(histories.read(written([one, one], None)).messages) == 2
        assert histories._bytes <= 2000
        assert len(histories._firsts) <= 2


@pytest.mark.parametrize("field", [b"[]", b"[ ]", b"{}", b"7", b'"x"', b'"[]"', b"[7]"])
def test_what_holds_no_messages_is_refused(field: bytes) -> None:
    """An empty or foreign value is refused for its reason, before and after good ones."""
    tally = tally_at_start()
    for _ in range(2):
        with pytest.raises(RecordError, match=r"no messages|message not an object"):
            read_messages(Raw(field), tally)
        read_messages(Raw(b'[{"role":"user","content":"x"}]'), tally)
