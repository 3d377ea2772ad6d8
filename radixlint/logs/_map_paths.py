"""Where something stands in a record: dotted paths over JSON that stays text, through strings that hold JSON or Python's repr."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Raw, Struct

from radixlint.logs._opened_text import elements, opened
from radixlint.logs._record_json import Record, RecordError, as_record, decode_value

_STEP: Final = re.compile(
    r"""(?:(?:\A|(?<!\A)\.)(?P<key>\*|[^.\[\]*'"\s]+))"""
    r"""|\[(?P<index>-?\d{1,6}|\*)\]|\[(?P<mark>['"])(?P<quoted>[^'"]+)(?P=mark)\]"""
)
_NULL: Final = Raw(b"null")

Scopes = Sequence[Record]
"""The objects in which a path may begin, the nearest first."""


class Path(Struct, frozen=True):
    """A way into a record: keys, numbers of list elements, None for all of them; no steps for the record itself."""

    steps: tuple[str | int | None, ...]


Paths = tuple[Path, ...]
"""Alternatives; the first that leads somewhere counts."""


def parse_path(text: str) -> Path:
    """Return the path written as ``a.b[0].c[*].d``; names with dots in them stand in ``['...']``; ``.`` is the record.

    >>> parse_path("spans[*].attributes['mlflow.spanType']").steps
    ('spans', None, 'attributes', 'mlflow.spanType')

    Raises:
        ValueError: it is written in another way.
    """
    if text == ".":
        return Path(())
    steps: list[str | int | None] = []
    position = 0
    while position < len(text):
        step = _STEP.match(text, position)
        if step is None:
            raise ValueError(text)
        if step["quoted"]:
            steps.append(step["quoted"])
        elif step["index"] is not None:
            steps.append(None if step["index"] == "*" else int(step["index"]))
        else:
            steps.append(None if step["key"] == "*" else step["key"])
        position = step.end()
    if not steps:
        raise ValueError(text)
    return Path(tuple(steps))


def first_in(scopes: Scopes, paths: Paths) -> Raw | None:
    """Return what the first of ``paths`` that leads to more than null finds in the first of ``scopes``; None for nothing."""
    for path in paths:
        for scope in scopes:
            for found in _walk(scope, path.steps):
                if found != _NULL:
                    return found
    return None


def all_in(scopes: Scopes, paths: Paths) -> list[Raw]:
    """Return all that the first of ``paths`` that leads somewhere finds in the first of ``scopes``."""
    for path in paths:
        for scope in scopes:
            if found := [one for one in _walk(scope, path.steps) if one != _NULL]:
                return found
    return []


def scalar_in(scopes: Scopes, paths: Paths) -> str | int | float | bool | None:
    """Return the text, number or truth value that ``first_in`` finds, None for nothing or anything else.

    Text that is a JSON string once more is opened.
    """
    field = first_in(scopes, paths)
    if field is None or bytes(memoryview(field)[:1]) in (b"{", b"["):
        return None
    value = decode_value(field)
    if isinstance(value, str) and len(value) > 1 and value.startswith('"') and value.endswith('"'):
        try:
            value = decode_value(Raw(value.encode("utf-8", "replace")))
        except RecordError:
            return None
    return value if isinstance(value, str | int | float) else None


def _walk(scope: Record, steps: Sequence[str | int | None]) -> Iterator[Raw]:
    if not steps:
        yield Raw(b"{%b}" % b",".join(b"%b:%b" % (json.dumps(name).encode(), bytes(value)) for name, value in scope.items()))
        return
    first = steps[0]
    if isinstance(first, str):
        # A key that is missing is told without a look at any value: formats are ruled out by it.
        if first in scope:
            yield from _follow(scope[first], steps[1:])
    elif first is None:
        for value in list(scope.values()):
            yield from _follow(value, steps[1:])


def _follow(field: Raw, steps: Sequence[str | int | None]) -> Iterator[Raw]:
    if not steps:
        yield field
        return
    field = opened(field)
    if bytes(memoryview(field)[:1]) == b"{":
        record = as_record(field)
        if record is not None:
            yield from _walk(record, steps)
        return
    step = steps[0]
    if isinstance(step, str):
        return
    listed = elements(field)
    chosen = listed if step is None else listed[step : step + 1 or None]
    for one in chosen:
        yield from _follow(one, steps[1:])
