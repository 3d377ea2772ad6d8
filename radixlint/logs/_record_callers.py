"""Whose request it is and where it went: session, user, tenant, labels, under the names and in the shapes loggers use."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Sequence
from typing import Final

from msgspec import Raw, Struct

from radixlint.logs._record_json import Record, as_record, decode_value
from radixlint.traffic import UNREADABLE_USER

Names = tuple[str, ...]
_SESSION: Final = ("session", "sessionid", "conversation", "conversationid", "thread", "threadid", "chatid")
_USER: Final = (
    *("user", "userid", "enduser", "enduserid", "username", "safetyidentifier"),
    # What may also name somebody else, so only where nothing better is given.
    *("uid", "customerid", "accountid", "useremail", "email", "login", "memberid", "patientid", "personid", "clientid"),
)
_TENANT: Final = (
    *("tenant", "tenantid", "customer", "customerid", "team", "teamid", "userapikeyteamid"),
    *("organization", "organizationid", "organisation", "organisationid", "org", "orgid", "userapikeyorgid"),
)
_HOST: Final = ("host", "hostname", "replica", "xreplica", "server", "pod", "podname", "instance", "instanceid", "upstream")
_TEMPLATE: Final = ("prompttemplate", "prompttemplateid", "template", "templateid", "templatename", "promptname", "promptid")
_PROMPT: Final = "prompt"
_VERSIONS: Final = ("promptversion", "templateversion", "version")
_TAGS: Final = ("tags", "tag")
# Claude Code sends both in one field.
_USER_AND_SESSION: Final = re.compile(r"(user_.+_account_.*?)_session_(.+)")
_KNOWN: Final = frozenset((*_SESSION, *_USER, *_TENANT, *_HOST, *_TEMPLATE, _PROMPT, *_VERSIONS, *_TAGS))
# A thread as such may be one of the server's; only as an object with an id is it a conversation's.
_OBJECTS_ONLY: Final = frozenset({"thread"})
_BESIDE: Final = ("metadata", "headers", "request_headers")
_SOMETHING_BESIDE: Final = frozenset(_BESIDE)
# A person's name tells nobody apart; a team's or a machine's does.
_NAMES_OF_OTHERS: Final = dict.fromkeys((*_TENANT, *_HOST), ("name",))
_MOST_NESTED: Final = 3
_MAX_KEYS: Final = 256
_LONGEST_LABEL: Final = 200


class Callers(Struct, frozen=True):
    """As the fields of ``Request`` of the same names; strings that repeat are one object."""

    session: str | None = None
    user: str | None = None
    tenant: str | None = None
    host: str | None = None
    template: str | None = None
    tags: tuple[str, ...] = ()


_NOBODY: Final = Callers()


def read_callers(envelopes: Sequence[Record]) -> Callers:
    """Return what ``envelopes`` (the outermost first), their metadata and headers say.

    The session is None if none can be read. The user is None if none is named, and ``UNREADABLE_USER`` if one is, but in
    a form that cannot be read: such a log has users, though nobody can tell them apart.
    """
    beside = [
        found
        for one in envelopes
        if not _SOMETHING_BESIDE.isdisjoint(one)
        for name in _BESIDE
        if name in one and (found := as_record(one[name])) is not None
    ]
    given = _given([*envelopes, *beside])
    if not given:
        return _NOBODY
    sessions, users, tenants, hosts = _present(tuple(given))
    user = _first_id(given, users, _USER)
    if user is None and any(_says_something(given[name]) for name in users):
        user = UNREADABLE_USER
    both = _USER_AND_SESSION.fullmatch(user) if user else None
    session = _first_id(given, sessions, _SESSION)
    if both is not None:
        user, session = sys.intern(both[1]), session or sys.intern(both[2])
    return Callers(
        session=session,
        user=user,
        tenant=_first_id(given, tenants, _TENANT),
        host=_first_id(given, hosts, _HOST),
        template=_template(given, _given(beside)) if len(given) > sum(map(len, (sessions, users, tenants, hosts))) else None,
        tags=_tags(next((given[name] for name in _TAGS if name in given), None)),
    )


def name_nobody(names: Names) -> bool:
    """Whether a record with the keys ``names``, alone, says nothing to ``read_callers``."""
    return _SOMETHING_BESIDE.isdisjoint(names) and not _known_names.__wrapped__(names)


def _given(records: Sequence[Record]) -> dict[str, object]:
    fields: dict[str, Raw] = {}
    for record in records:
        names = tuple(record)
        # Logs have a few shapes; a record with more keys than any is not remembered.
        for plain, name in _known_names(names) if len(names) <= _MAX_KEYS else _known_names.__wrapped__(names):
            if plain not in fields and _is_given(plain, record[name]):
                fields[plain] = record[name]
    return {plain: decode_value(field) for plain, field in fields.items()}


@functools.lru_cache(maxsize=1024)
def _present(plain: Names) -> tuple[Names, ...]:
    """Return those of ``plain`` that name a session, a user, a tenant and a host, in the order in which they are tried."""
    return tuple(tuple(name for name in names if name in plain) for names in (_SESSION, _USER, _TENANT, _HOST))


@functools.lru_cache(maxsize=1024)
def _known_names(names: Names) -> tuple[tuple[str, str], ...]:
    """Return those of the keys of a record that say something here, each behind its plain form."""
    return tuple((plain, name) for name in names if (plain := _plain(name)) in _KNOWN)


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _is_given(plain: str, field: Raw) -> bool:
    size = memoryview(field).nbytes
    if size <= len("null"):
        return bytes(field) not in (b"null", b'""', b"[]", b"{}")
    return plain != _PROMPT or size < 4 * _LONGEST_LABEL  # else it is the prompt itself


def _first_id(given: dict[str, object], present: Names, names: Names) -> str | None:
    return next((one for name in present if (one := _id_in(given[name], name, names)) is not None), None) if present else None


def _id_in(value: object, name: str, names: Names) -> str | None:
    """Return the id that ``value`` is, or that stands in it if it is an object."""
    if name in _OBJECTS_ONLY and not isinstance(value, dict):
        return None
    for _ in range(_MOST_NESTED):
        if not isinstance(value, dict):
            break
        inner = {_plain(key): one for key, one in reversed(value.items())}
        named = () if names is _USER else _NAMES_OF_OTHERS.get(name, ())
        value = next((inner[key] for key in ("id", *names, *named) if _says_something(inner.get(key))), None)
    return sys.intern(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) and value != "" else None


def _says_something(value: object) -> bool:
    return value is not None and value not in ("", [], {})


def _template(given: dict[str, object], beside: dict[str, object]) -> str | None:
    """Return the name of the prompt's template, with its version if that is given too."""
    named = next((label for name in _TEMPLATE if (label := _label(given.get(name))) is not None), None)
    if named is None:
        # In a body a string under this name is the prompt itself.
        prompt = given.get(_PROMPT)
        named = _label(prompt if isinstance(prompt, dict) else beside.get(_PROMPT))
    if named is None or "@" in named:
        return named
    version = next((label for name in _VERSIONS if (label := _label(given.get(name))) is not None), None)
    return named if version is None else sys.intern(f"{named}@{version}")


def _label(value: object) -> str | None:
    if isinstance(value, dict):
        name = next((label for key in ("name", "id") if (label := _label(value.get(key))) is not None), None)
        version = _label(value.get("version"))
        return name if name is None or version is None else sys.intern(f"{name}@{version}")
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value)
    return sys.intern(text) if 0 < len(text) <= _LONGEST_LABEL and "\n" not in text else None


def _tags(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [value]
    if isinstance(value, dict):
        value = [f"{key}={one}" for key, one in value.items() if isinstance(one, str | int | float)]
    if not isinstance(value, list):
        return ()
    return tuple(sys.intern(one) for one in value if isinstance(one, str) and one)
