"""Sessions and users under the names and in the shapes that loggers give them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from log_records import asking, read_records

from radixlint.traffic import UNREADABLE_USER, Request


def read_one(**fields: Any) -> Request:
    return read_records(asking(0, **fields)).requests[0]


@pytest.mark.parametrize(
    "key",
    [
        "session",
        "session_id",
        "sessionId",
        "session-id",
        "conversation",
        "conversation_id",
        "conversationId",
        "threadId",
        "chat_id",
    ],
)
def test_sessions_by_any_name(key: str) -> None:
    """A session is found at the top, in the metadata, as text, number or object with an id; odd types are ignored."""
    assert [read_one(**{key: value}).session for value in ("s", 4, ["s"], True, {"id": "s"}, {"x": 1})] == [
        "s",
        "4",
        None,
        None,
        "s",
        None,
    ]
    assert read_one(metadata={key: "s"}).session == "s"
    assert read_one(metadata=json.dumps({key: "s"})).session == "s"


@pytest.mark.parametrize(
    "key", ["user", "user_id", "userId", "end_user", "endUser", "end_user_id", "username", "safety_identifier"]
)
def test_users_by_any_name(key: str) -> None:
    """A user is found likewise; one that is named but cannot be read is somebody, an empty one is nobody."""
    for value, user in (
        ("u", "u"),
        (7, "7"),
        ({"id": "u1"}, "u1"),
        ({"userId": 3, "name": "x"}, "3"),
        ({"user": {"id": "u"}}, "u"),
    ):
        assert read_one(**{key: value}).user == read_one(metadata={key: value}).user == user
    for value in (["u"], True, 1.5, {"name": "x"}):
        assert read_one(**{key: value}).user == UNREADABLE_USER
    for value in (None, "", {}, []):
        assert read_one(**{key: value}).user is None


def test_a_readable_user_goes_before_one_that_is_not() -> None:
    """Of several fields the first that can be read decides; the body's metadata counts beside the envelope's."""
    assert read_one(user=["x"], user_id="u").user == "u"
    assert read_one(thread="worker-7").session is None
    body = {"messages": [{"role": "user", "content": "x"}], "metadata": {"user_id": "u", "session_id": "s"}}
    wrapped = read_records({"metadata": {"team": "a"}, "request": body}).requests[0]
    assert (wrapped.user, wrapped.session) == ("u", "s")
