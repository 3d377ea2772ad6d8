"""Comments and string literals of Python told by their marks alone, fast and also in code that does not parse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_PIECE: Final = re.compile(
    r"#[^\n]*+"
    r'|"""(?:[^"\\]++|\\.|"(?!""))*+(?:""")?'
    r"|'''(?:[^'\\]++|\\.|'(?!''))*+(?:''')?"
    r'|"(?:[^"\\\n]++|\\.)*+"?'
    r"|'(?:[^'\\\n]++|\\.)*+'?",
    re.DOTALL,
)


def comments_and_literals(code: str) -> Iterator[tuple[int, int]]:
    """Yield the half-open range of each comment and literal of ``code`` in order; a comment starts with ``#``.

    Prefix letters are no part of a literal. An f-string in whose fields its own quotes stand (Python 3.12) is told as several.
    """
    for found in _PIECE.finditer(code):
        yield found.span()


def comments(code: str) -> Iterator[tuple[int, int]]:
    """Yield the half-open range of each comment of ``code``."""
    for start, end in comments_and_literals(code):
        if code[start] == "#":
            yield start, end
