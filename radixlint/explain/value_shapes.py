"""Whether values look like ids or like words, by the parts of them that change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from radixlint.privacy import shape_of

_PARTS: Final = re.compile(r"[^\s\"'{}\[\](),<>|=/?&:;#@]+")
_LEAST_ID: Final = 6
_LEAST_NUMBER: Final = 4
_LEAST_FRACTION: Final = 10
_SURE_ROWS: Final = 5
_MOST_READ: Final = 512
_LONG_TOKEN: Final = 16
_CONSONANTS: Final = re.compile(r"[bcdfghjklmnpqrstvwxz]{5}", re.IGNORECASE)
_WORDS_RATE: Final = 0.2
WORDS: Final = "words"
_SMALL: Final = "small number"


def changing_parts(values: Sequence[str]) -> list[list[str]]:
    """Return of each value the parts, blanks and marks aside, that change.

    These are the places that differ if all values have as many parts, else the parts that not all values hold.
    """
    parts = [[part.rstrip(".!") for part in _PARTS.findall(value)] for value in values]
    if len({len(found) for found in parts}) == 1:
        places = [place for place, column in enumerate(zip(*parts, strict=True)) if len(set(column)) > 1]
        return [[found[place] for place in places] for found in parts]
    held = Counter(part for found in parts for part in set(found))
    return [[part for part in found if held[part] < len(values)] for found in parts]


def shape_of_values(values: Sequence[str]) -> str:
    """Return what the different ``values`` are made of: ``uuid``, ``hex``, ``token``, ``number``, or ``words``.

    >>> shape_of_values(["req 3f2a9b01", "req 77c0d1e2"]), shape_of_values(["Dana Moss", "Kim Lee"])
    ('hex', 'words')
    """
    rows = changing_parts(values[:: -(-len(values) // _MOST_READ)])
    words, shapes = set(), Counter[str]()
    for row in rows:
        found = {part: _part_shape(part) for part in row}
        words |= {part.lower() for part, shape in found.items() if shape == WORDS}
        ids = [shape for shape in found.values() if shape not in (WORDS, _SMALL)]
        # The part that says most decides: a number beside an id is no more than that.
        shapes[next((shape for shape in ids if shape != "number"), ids[0] if ids else WORDS)] += 1
    shape = shapes.most_common(1)[0][0] if shapes else WORDS
    if _are_codes(rows):
        return "token" if shape == WORDS else shape
    return WORDS if max(shapes[WORDS], len(words)) > _WORDS_RATE * len(rows) else shape


def _are_codes(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the values are one part each, of one length: so many words are never equally long."""
    sizes = {len(part) for row in rows for part in row}
    return len(rows) >= _SURE_ROWS and all(len(row) == 1 for row in rows) and len(sizes) == 1 and sizes.pop() >= _LEAST_ID


def _part_shape(part: str) -> str:
    shape = shape_of(part, len)[1:-1]
    if shape == "number":
        # With one point it is a measurement, unless it has more digits than anyone measures.
        return "number" if len(part) >= (_LEAST_FRACTION if part.count(".") == 1 else _LEAST_NUMBER) else _SMALL
    if shape in ("uuid", "hex"):
        return shape
    return "token" if _is_random(part) else WORDS


def _is_random(part: str) -> bool:
    has_digit, has_letter = any(map(str.isdigit, part)), any(map(str.isalpha, part))
    if has_digit and has_letter:
        return len(part) >= _LEAST_ID or _switches(part) > 1
    if not part.isascii() or len(part) < _LEAST_ID:
        return False
    return bool(_CONSONANTS.search(part)) or len(part) >= _LONG_TOKEN or _switches(part) > len(part) / 3


def _switches(part: str) -> int:
    """Count how often letters and digits, small and capital, take turns."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in part if c.isalnum()]
    return sum(one != other for one, other in pairwise(kinds))
