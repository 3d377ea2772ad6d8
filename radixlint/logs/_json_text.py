"""JSON that stands in a string, as tracers and exports write it: opened, or known to be cut."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import Raw

from radixlint.logs._record_json import RecordError, decode_value

_OPENING: Final = re.compile(r'\s*(?:\[\s*(?:[\[{"\]]|\Z)|\{\s*(?:["}]|\Z))')
_CLOSING: Final = ("]", "}")


class CutText(Exception):  # noqa: N818 - a state, not a fault
    """Text that begins as JSON and ends early: somebody limits the length of strings."""


def parsed(value: object) -> Any:
    """Return ``value``, or what the JSON in it holds if it is text of an array or object.

    Raises:
        CutText: it begins as JSON and ends early.
    """
    if not isinstance(value, str) or not _OPENING.match(value):
        return value
    try:
        return decode_value(Raw(value.encode("utf-8", "replace")))
    except RecordError:
        if value.rstrip().endswith(_CLOSING):
            return value
        raise CutText from None
