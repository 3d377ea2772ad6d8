"""JSON texts by what they say: equal ones have one form, in whatever order and spacing they are written."""

from __future__ import annotations

from typing import Any

import msgspec

_BAD_JSON = (msgspec.MsgspecError, ValueError, RecursionError)


def one_form(text: str) -> str:
    """Return JSON with its keys sorted and no blanks; what cannot be read comes back as it is.

    >>> one_form('{"b": 1, "a": {"d": [2], "c": null}}')
    '{"a":{"c":null,"d":[2]},"b":1}'
    >>> one_form("{not JSON")
    '{not JSON'
    """
    try:
        return msgspec.json.encode(msgspec.json.decode(text), order="sorted").decode()
    except _BAD_JSON:
        return text


def tool_name(text: str) -> str | None:
    """Return the name of a tool, None where it has none.

    >>> tool_name('{"type": "function", "function": {"name": "find"}}'), tool_name('{"name": "find"}'), tool_name("[]")
    ('find', 'find', None)
    """
    try:
        value: Any = msgspec.json.decode(text)
    except _BAD_JSON:
        return None
    for holder in (value.get("function"), value) if isinstance(value, dict) else ():
        if isinstance(holder, dict) and isinstance(holder.get("name"), str):
            return str(holder["name"])
    return None
