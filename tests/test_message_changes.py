"""A message that was changed before it was sent again: how, and where in it."""

from __future__ import annotations

import json

import pytest

from radixlint.explain.message_changes import message_change
from radixlint.pieces import Item
from radixlint.result.cause import Cause
from radixlint.traffic import ToolCall
from tests.edited_requests import ItemMaker, Talk

SEEDS = range(20)


def _asking(maker: ItemMaker, arguments: str, name: str = "find", id_: str = "c1") -> Item:
    return maker.message("assistant", "", ToolCall(name, arguments, id_))


@pytest.mark.parametrize("seed", SEEDS)
def test_dropped_image_is_a_placeholder(seed: int) -> None:
    """An image that is not sent again leaves a stand-in, or nothing."""
    talk = Talk(seed)
    text = talk.words(12)
    image = talk.maker.message("user", f"{text}\n<image sha256:{seed:016x}>")
    for left in (text, f"{text}\n[image]"):
        found = message_change(image, talk.maker.message("user", left), is_kept=True)

        assert found is not None
        assert (found.cause, found.detail) == (Cause.HISTORY_REWRITTEN, "placeholder")


@pytest.mark.parametrize("seed", SEEDS)
def test_call_arguments_name_their_place(seed: int) -> None:
    """Arguments equal as JSON are key order or text form, other ones an edit, at the field of the call."""
    talk = Talk(seed)
    value = {"order_id": seed, "branch": talk.words(1), "lines": [1, 2]}
    text = json.dumps(value)
    others = {
        json.dumps(dict(reversed(value.items()))): (Cause.KEY_ORDER, "key-order"),
        json.dumps(value, indent=1): (Cause.TEXT_FORM, "blanks"),
        json.dumps({**value, "lines": [3]}): (Cause.HISTORY_REWRITTEN, "edit"),
    }
    for other, expected in others.items():
        found = message_change(_asking(talk.maker, text), _asking(talk.maker, other), is_kept=True)

        assert found is not None
        assert (found.cause, found.detail) == expected
        assert found.place == "tool_calls[0].function.arguments"


def test_other_call_without_a_text_is_another_message() -> None:
    """Most calls have no text, so another call in a place whose rest is other, too, is no change of the old one."""
    maker = ItemMaker()
    one, other = _asking(maker, "{}"), _asking(maker, '{"a": 1}', "read")

    assert message_change(one, other, is_kept=False) is None
    assert message_change(one, other, is_kept=True) is not None


@pytest.mark.parametrize("seed", SEEDS)
def test_text_of_equal_words_is_a_form(seed: int) -> None:
    """A message of the same words, or equal as JSON, is text form or key order, not an edit."""
    talk = Talk(seed)
    text, value = talk.words(20), {"b": {"d": seed, "c": 1}}
    blanks = message_change(talk.maker.message("user", text), talk.maker.message("user", text + "\n"), is_kept=False)
    keys = message_change(
        talk.maker.message("tool", json.dumps(value)),
        talk.maker.message("tool", json.dumps({"b": {"c": 1, "d": seed}})),
        is_kept=False,
    )

    assert blanks is not None
    assert keys is not None
    assert (blanks.cause, blanks.detail, blanks.place) == (Cause.TEXT_FORM, "trailing-blanks", "content")
    assert (keys.cause, keys.place) == (Cause.KEY_ORDER, "content.b")


def test_fields_and_ids_beside_the_text() -> None:
    """Another field or id of a call is an edit of the message; a field in another key order is key order."""
    maker = ItemMaker()
    fields = message_change(
        maker.message("tool", "a result of words", extra='{"a":1,"b":2}'),
        maker.message("tool", "a result of words", extra='{"b":2,"a":1}'),
        is_kept=False,
    )
    ids = message_change(_asking(maker, "{}"), _asking(maker, "{}", id_="c2"), is_kept=True)

    assert fields is not None
    assert ids is not None
    assert (fields.cause, fields.place) == (Cause.KEY_ORDER, "fields")
    assert (ids.cause, ids.place) == (Cause.HISTORY_REWRITTEN, "tool_calls")


def test_result_cut_short_is_no_block() -> None:
    """The result of a tool without its end was cut: an edit where at least half stands, and no block moved."""
    talk = Talk(3)
    text = talk.words(60)
    found = message_change(talk.maker.message("tool", text), talk.maker.message("tool", text[:-99]), is_kept=True)

    assert found is not None
    assert found.detail == "edit"


def test_other_words_are_another_message() -> None:
    """Two messages with little in common are not versions of one."""
    talk = Talk(4)

    assert message_change(talk.question(), talk.question(), is_kept=False) is None
    assert message_change(talk.maker.tool("{}"), talk.question(), is_kept=False) is None
