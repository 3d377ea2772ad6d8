"""What a hidden text is, without its content: a time, a date, an id, a number, or so many tokens of text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? ?"
_NUMERIC_DATE = r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})"
_NAMED_DATE = rf"(?:{_DAY})?(?:\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}}),? \d{{4}}"
_DATE = rf"(?:{_NUMERIC_DATE}|{_NAMED_DATE})"
_ZONE = r"(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?"
_END = r"[.,;:)\]\"'}]{0,3}"
_START = r"[(\[\"'{]{0,3}"


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(f"{_START}(?:{pattern}){_END}", re.IGNORECASE)


_SHAPES: Final = (
    (_whole(rf"(?:{_DATE}[T ,]{{1,2}})?\d{{1,2}}:\d{{2}}:\d{{2}}(?:[.,]\d{{1,9}})?(?: ?[ap]m)?{_ZONE}"), "<time, second>"),
    (_whole(rf"(?:{_DATE}[T ,]{{1,2}})?\d{{1,2}}:\d{{2}}(?: ?[ap]m)?{_ZONE}"), "<time, minute>"),
    (_whole(_DATE), "<date>"),
    (_whole(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<uuid>"),
    (_whole(r"[+-]?\d[\d.,_]{0,40}"), "<number>"),
    (_whole(r"(?:0x)?(?=[0-9a-f]*\d)[0-9a-f]{8,128}"), "<hex>"),
)


def shape_of(text: str, count_tokens: Callable[[str], int], values: int | None = None) -> str:
    """Return the shape of ``text``; ``values`` adds how many different texts were seen in its place.

    >>> shape_of("2026-03-03T08:14:09+00:00", len), shape_of("hello there", lambda text: 2, 5)
    ('<time, second>', '<text, 2 tokens, 5 values>')
    """
    bare = text.strip()
    shape = next((name for pattern, name in _SHAPES if pattern.fullmatch(bare)), None)
    if shape is None:
        tokens = count_tokens(text)
        shape = f"<text, {tokens} token{'' if tokens == 1 else 's'}>"
    return shape if values is None else f"{shape[:-1]}, {values} value{'' if values == 1 else 's'}>"


def is_plain_text(shape: str) -> bool:
    """Whether ``shape`` says no more than that it is text."""
    return shape.startswith("<text")
