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


WEAK_USER_KEYS = (
    *("uid", "customer_id", "account_id", "user_email", "email", "login", "member_id", "patient_id", "person_id", "client_id"),
)


@pytest.mark.parametrize(
    "key",
    ["user", "user_id", "userId", "end_user", "endUser", "end_user_id", "username", "safety_identifier", *WEAK_USER_KEYS],
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


@pytest.mark.parametrize("key", WEAK_USER_KEYS)
def test_names_that_may_be_of_others_come_last(key: str) -> None:
    """A customer, an account or an address names the user only where no user is named."""
    assert read_one(**{key: "other", "safety_identifier": "u"}).user == "u"
    assert read_one(**{key: "other"}, metadata={"user_id": "u"}).user == "u"


@pytest.mark.parametrize(
    ("user_id", "user", "session"),
    [
        ("user_0ab1_account_77-cd_session_9f-e2", "user_0ab1_account_77-cd", "9f-e2"),
        ("user_0ab1_account__session_9f-e2", "user_0ab1_account_", "9f-e2"),
        ("user_0ab1_session_9f", "user_0ab1_session_9f", None),
        ("user_0ab1_account_77", "user_0ab1_account_77", None),
    ],
)
def test_an_id_of_user_and_session_is_taken_apart(user_id: str, user: str, session: str | None) -> None:
    """Claude Code sends both in one field; a session that is given by itself goes before."""
    request = read_one(metadata={"user_id": user_id})

    assert (request.user, request.session) == (user, session)
    assert read_one(metadata={"user_id": user_id}, session_id="own").session == "own"


def test_a_readable_user_goes_before_one_that_is_not() -> None:
    """Of several fields the first that can be read decides; the body's metadata counts beside the envelope's."""
    assert read_one(user=["x"], user_id="u").user == "u"
    assert read_one(thread="worker-7").session is None
    body = {"messages": [{"role": "user", "content": "x"}], "metadata": {"user_id": "u", "session_id": "s"}}
    wrapped = read_records({"metadata": {"team": "a"}, "request": body}).requests[0]
    assert (wrapped.user, wrapped.session) == ("u", "s")


@pytest.mark.parametrize(
    "key", ["team_id", "organization", "organizationId", "organisation", "tenant", "customer_id", "org", "user_api_key_team_id"]
)
def test_tenants_by_any_name(key: str) -> None:
    """A tenant is found at the top or in the metadata, as text or as an object with an id or a name."""
    assert [read_one(**{key: value}).tenant for value in ("t", 4, {"id": "t"}, {"name": "t"}, ["t"], None)] == [
        "t",
        "4",
        "t",
        "t",
        None,
        None,
    ]
    assert read_one(metadata={key: "t"}).tenant == "t"


@pytest.mark.parametrize("key", ["host", "hostname", "replica", "server", "pod", "instance", "upstream"])
def test_hosts_by_any_name(key: str) -> None:
    """What served a request is found at the top or in the metadata; a header may name it too."""
    assert (read_one(**{key: "h1"}).host, read_one(metadata={key: "h2"}).host) == ("h1", "h2")
    assert read_one(headers={"x-replica": "h3"}).host == "h3"


@pytest.mark.parametrize(
    ("fields", "template"),
    [
        ({"prompt_template": "support"}, "support"),
        ({"template": "support", "template_version": 3}, "support@3"),
        ({"prompt": {"id": "pmpt_1", "version": "2"}}, "pmpt_1@2"),
        ({"metadata": {"prompt": {"name": "support", "version": 7}}}, "support@7"),
        ({"metadata": {"prompt": "support"}}, "support"),
        ({"metadata": {"promptName": "support", "promptVersion": 7}}, "support@7"),
        ({"prompt": "Once upon a time"}, None),
        ({"template": "Answer\nin prose: {question}"}, None),
        ({"template": "x" * 201}, None),
        ({"version": "2"}, None),
    ],
)
def test_templates(fields: dict[str, Any], template: str | None) -> None:
    """A template's name comes with its version; a text is no name."""
    assert read_one(**fields).template == template


@pytest.mark.parametrize(
    ("tags", "read"),
    [
        (["a", "b"], ("a", "b")),
        ("a", ("a",)),
        ({"env": "prod", "n": 1, "x": None}, ("env=prod", "n=1")),
        (["a", 7, None, ""], ("a",)),
        (7, ()),
        (None, ()),
    ],
)
def test_tags(tags: object, read: tuple[str, ...]) -> None:
    """Tags are a list of texts, one text, or pairs."""
    assert read_one(tags=tags).tags == read_one(metadata={"tags": tags}).tags == read_one(tag=tags).tags == read


def test_priorities() -> None:
    """A priority is an integer; anything else is dropped with a note."""
    log = read_records(asking(0, priority=3), asking(1, priority="high"), asking(2))

    assert [r.priority for r in log.requests] == [3, 0, 0]
    assert any(note.startswith("Priorities that are no integer were dropped: 1") for note in log.notes)


def test_what_repeats_is_one_object() -> None:
    """Names that every record repeats are kept once."""
    fields = {"model": "m-" + "x" * 9, "session_id": "s-" + "x" * 9, "user": "u-" + "x" * 9}
    first, second = read_records(asking(0, **fields), asking(1, **fields)).requests

    assert first.model is second.model
    assert first.session is second.session
    assert first.user is second.user
    assert first.namespace is second.namespace
