"""JSON text without the white space, numbers and key order exactly as written."""

from __future__ import annotations

import functools
import json
import re
from typing import Final

import msgspec
from msgspec import Raw

_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"]+')
_ELEMENTS: Final = msgspec.json.Decoder(list[Raw])


def compact(text: str) -> str:
    r"""Return the JSON ``text`` with no white space outside strings and no needless escapes in them.

    The same as ``json.dumps(value, separators=(",", ":"), ensure_ascii=False)`` of its value, but that numbers stay
    as written and repeated keys stay.

    >>> compact('{ "b": 1.50, "a": ["\\u00e9", 1e3] }')
    '{"b":1.50,"a":["é",1e3]}'
    """
    return "".join([_plain(token) if "\\" in token else token for token in _TOKEN.findall(text)])


def dump_compact(value: object) -> str:
    """Return ``value`` as compact JSON text, keys in their order."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@functools.lru_cache(maxsize=256)
def compact_elements(array: bytes) -> tuple[str, ...]:
    """Return each element of the JSON ``array`` as compact text; remembered, as a log repeats its tool lists.

    Raises:
        ValueError: this is no JSON array.
    """
    try:
        return tuple(compact(bytes(element).decode()) for element in _ELEMENTS.decode(array))
    except msgspec.DecodeError:
        elements = json.loads(array)
    if not isinstance(elements, list):
        raise ValueError("not an array")
    return tuple(dump_compact(element) for element in elements)


def _plain(token: str) -> str:
    return json.dumps(json.loads(token), ensure_ascii=False)
