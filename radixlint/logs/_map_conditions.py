"""Whether a record or a row of it meets what a map asks for; keys come first, values are looked at only where they are there."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Raw

from radixlint.logs._map_paths import Scopes, first_in, scalar_in
from radixlint.logs._map_schema import Condition, Detect
from radixlint.logs._record_json import Record

_STARTS: Final = {"text": b'"', "list": b"[", "object": b"{"}
# A list or a dict whose first string stands in single quotes.
_REPR: Final = re.compile(rb'"\s*(?:\[\s*)?[\[{]\s*\'')


def holds(condition: Condition, scopes: Scopes) -> bool:
    """Whether ``condition`` holds of what ``scopes`` say."""
    if not condition.paths:
        return True
    found = first_in(scopes, condition.paths)
    if found is None or (condition.type is not None and not _is_of_type(found, condition.type)):
        return False
    if not (condition.equals or condition.unless or condition.starts is not None):
        return True
    value = scalar_in(scopes, condition.paths)
    if condition.equals and not any(_are_equal(value, one) for one in condition.equals):
        return False
    if any(_are_equal(value, one) for one in condition.unless):
        return False
    return condition.starts is None or (isinstance(value, str) and value.startswith(condition.starts))


def detects(detect: Detect, record: Record) -> bool:
    """Whether ``record`` is of the format; without the keys that are needed no value is looked at."""
    if not all(_has_keys(one, record) for one in detect.all):
        return False
    if detect.any and not any(_has_keys(one, record) for one in detect.any):
        return False
    scopes = (record,)
    if not all(holds(one, scopes) for one in detect.all):
        return False
    if detect.any and not any(holds(one, scopes) for one in detect.any):
        return False
    return not any(_has_keys(one, record) and holds(one, scopes) for one in detect.none)


def _has_keys(condition: Condition, record: Record) -> bool:
    return any(not path.steps or not isinstance(path.steps[0], str) or path.steps[0] in record for path in condition.paths)


def _is_of_type(field: Raw, type_: str) -> bool:
    start = bytes(memoryview(field)[:1])
    if type_ == "repr":
        return _REPR.match(field) is not None
    if type_ == "flag":
        return start in (b"t", b"f")
    if type_ == "number":
        return start.isdigit() or start == b"-"
    return start == _STARTS[type_]


def _are_equal(value: object, wanted: object) -> bool:
    # True is 1 to Python, not to people.
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
