"""JSON objects and lists that stand in a text, on one line or over several."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

_MOST_CHARACTERS: Final = 1 << 20
_MOST_MISSES: Final = 64
# An empty one has no order, and most brackets in a text are none of JSON.
_OPENING: Final = re.compile(r'\{\s*"|\[\s*[{\["]')
_DECODER: Final = json.JSONDecoder()


def json_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end (half-open, code points) of each JSON object or list in ``text``, outermost ones, in order.

    Those without a key or a value in quotes are passed over, and all behind 64 openings that open none. A text of over a million
    code points has none.

    >>> text = 'Use {"a": 1}, not {b} or [1], and [{"c": 2}].'
    >>> [text[start:end] for start, end in json_spans(text)]
    ['{"a": 1}', '[{"c": 2}]']
    """
    at = misses = 0
    while len(text) <= _MOST_CHARACTERS and misses < _MOST_MISSES and (found := _OPENING.search(text, at)) is not None:
        try:
            _, at = _DECODER.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            at, misses = found.start() + 1, misses + 1
        else:
            yield found.start(), at
