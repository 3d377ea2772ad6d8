"""Whose request it is: session and user, under the names and in the shapes that loggers give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.logs._record_json import Record, as_record, decode_value, flatten
from radixlint.traffic import UNREADABLE_USER

_SESSION: Final = ("session", "sessionid", "conversation", "conversationid", "thread", "threadid", "chatid")
_USER: Final = ("user", "userid", "enduser", "enduserid", "username", "safetyidentifier")
# A thread as such may be one of the server's; only as an object with an id is it a conversation's.
_OBJECTS_ONLY: Final = frozenset({"thread"})
_METADATA: Final = "metadata"
_MOST_NESTED: Final = 3


def session_and_user(envelopes: Sequence[Record]) -> tuple[str | None, str | None]:
    """Return the ids of the session and the user in ``envelopes`` (the outermost first) and in their metadata.

    The session is None if none can be read. The user is None if none is named, and ``UNREADABLE_USER`` if one is, but in
    a form that cannot be read: such a log has users, though nobody can tell them apart.
    """
    metadata = [found for envelope in envelopes if (found := as_record(envelope.get(_METADATA))) is not None]
    given = {
        _plain(name): decode_value(field) for name, field in reversed(flatten([*envelopes, *metadata]).items()) if _is_name(name)
    }
    session = next((one for name in _SESSION if (one := _id_in(given.get(name), name, _SESSION)) is not None), None)
    user = next((one for name in _USER if (one := _id_in(given.get(name), name, _USER)) is not None), None)
    if user is None and any(_says_something(given.get(name)) for name in _USER):
        user = UNREADABLE_USER
    return session, user


def _is_name(name: str) -> bool:
    plain = _plain(name)
    return plain in _SESSION or plain in _USER


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _id_in(value: object, name: str, names: tuple[str, ...]) -> str | None:
    """Return the id that ``value`` is, or that stands in it if it is an object."""
    if name in _OBJECTS_ONLY and not isinstance(value, dict):
        return None
    for _ in range(_MOST_NESTED):
        if not isinstance(value, dict):
            break
        inner = {_plain(key): one for key, one in reversed(value.items())}
        value = next((inner[key] for key in ("id", *names) if _says_something(inner.get(key))), None)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) and value != "" else None


def _says_something(value: object) -> bool:
    return value is not None and value not in ("", [], {})
