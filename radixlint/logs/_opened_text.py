"""Objects and lists that loggers wrote as text: as JSON, also more than once, or as Python prints them."""

from __future__ import annotations

import json
from typing import Final

import msgspec
from msgspec import Raw

from radixlint.logs._python_repr import plain_value
from radixlint.logs._record_json import RecordError, decode_value

_ELEMENTS: Final = msgspec.json.Decoder(list[Raw])
_MOST_STRINGS: Final = 3


def opened(field: Raw) -> Raw:
    """Return ``field``, or the object or list that its text holds: as JSON, or as Python prints it."""
    for _ in range(_MOST_STRINGS):
        if bytes(memoryview(field)[:1]) != b'"':
            break
        inner = _inner(str(decode_value(field)).strip())
        if inner is None:
            break
        field = inner
    return field


def elements(field: Raw) -> list[Raw]:
    """Return the elements of the list that ``field`` is or holds as text; none for anything else."""
    field = opened(field)
    if bytes(memoryview(field)[:1]) != b"[":
        return []
    try:
        return _ELEMENTS.decode(field)
    except (msgspec.DecodeError, RecursionError):
        value = decode_value(field)
        return [Raw(json.dumps(one).encode()) for one in value] if isinstance(value, list) else []


def _inner(text: str) -> Raw | None:
    if not text.startswith(("{", "[", '"')):
        return None
    data = text.encode("utf-8", "replace")
    try:
        decode_value(Raw(data))
    except RecordError:
        value = plain_value(data)
        try:
            return Raw(json.dumps(value).encode()) if isinstance(value, dict | list) else None
        except (TypeError, ValueError, RecursionError):
            return None
    return Raw(data)
