"""Filters that keep literal text: what they do to it, and where a value that they are given enters it."""

from __future__ import annotations

from collections.abc import Callable

from jinja2 import nodes
from msgspec.structs import replace

from radixlint.prompt import Segment, Span

# Places behind the first few that a value is filled into say nothing new.
_REPLACED_MAX = 32
# Filters that keep the text as it is, up to its case, its edges or its escapes.
KEEPING: dict[str, Callable[[str], str]] = {
    "trim": str.strip,
    "upper": str.upper,
    "lower": str.lower,
    "safe": str,
    "string": str,
    "e": str,
    "escape": str,
    "forceescape": str,
    "indent": str,
    "wordwrap": str,
    "striptags": str,
    "replace": str,
}


def edged(parts: list[Segment], name: str) -> tuple[Segment, ...]:
    """Apply a text-keeping filter to the literal parts; ``trim`` cuts at the outer edges only."""
    if name == "trim":
        first, last = (parts[0], parts[-1]) if parts else (None, None)
        if first is not None and first.is_literal:
            parts[0] = _cut(first, len(first.text) - len(first.text.lstrip()), len(first.text))
        if last is not None and last.is_literal:
            parts[-1] = _cut(parts[-1], 0, len(parts[-1].text.rstrip()))
        return tuple(part for part in parts if part.text)
    change = KEEPING.get(name, str)
    kept = []
    for part in parts:
        text = change(part.text) if part.is_literal else part.text
        # A letter may change its length with its case; then the old text is nearer to the source.
        same = text == part.text or len(text) != len(part.text)
        kept.append(part if same else replace(part, text=text, offsets=part.offsets or _places(part)))
    return tuple(kept)


def _places(part: Segment) -> tuple[tuple[int, int], ...]:
    """Return a place for each code point of a text that stands in the source as it is."""
    line, column = part.span.line, part.span.column
    places = []
    for character in part.text:
        places.append((line, column))
        line, column = (line + 1, 1) if character == "\n" else (line, column + 1)
    return tuple(places)


def _cut(part: Segment, start: int, end: int) -> Segment:
    if part.offsets:
        return replace(part, text=part.text[start:end], offsets=part.offsets[start:end])
    head, text = part.text[:start], part.text[start:end]
    line = part.span.line + head.count("\n")
    column = start - head.rfind("\n") if "\n" in head else part.span.column + start
    end_line = line + text.count("\n")
    end_column = len(text) - text.rfind("\n") if "\n" in text else column + len(text)
    return replace(part, text=text, span=Span(part.span.path, line, column, end_line, end_column))


def entered(parts: tuple[Segment, ...], node: nodes.Filter, given: Segment) -> tuple[Segment, ...]:
    """Return the text with ``given``, a value among the filter's arguments, where it enters.

    That is in place of a constant that ``replace`` looks for, nowhere if the text has none; else it is the start, since a
    value such as a width may change the first line already.
    """
    old = node.args[0] if node.name == "replace" and node.args else None
    if not isinstance(old, nodes.Const) or not isinstance(old.value, str) or not old.value:
        return (given, *parts)
    return tuple(piece for part in parts for piece in (_replaced(part, old.value, given) if part.is_literal else [part]))


def _replaced(part: Segment, old: str, given: Segment) -> list[Segment]:
    pieces: list[Segment] = []
    start = 0
    while (at := part.text.find(old, start)) >= 0 and len(pieces) < _REPLACED_MAX:
        pieces.extend([_cut(part, start, at)] if at > start else [])
        pieces.append(replace(given, controls=part.controls))
        start = at + len(old)
    return [*pieces, _cut(part, start, len(part.text))] if start < len(part.text) else pieces
