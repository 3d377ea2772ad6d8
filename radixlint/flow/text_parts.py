"""Fill placeholders in fixed text, whose parts keep their places: what format strings need."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.prompt import Segment, Span
from radixlint.prompt.literal_cut import cut

_PARTS_MAX: Final = 64
_TEXT_MAX: Final = 100_000
Fill = Callable[[re.Match[str], Segment], Iterable[Segment] | None]


def with_whole_braces(parts: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """Return parts in which a field that was written ``{{name}}`` and formatted once is one literal again."""
    if not any(part.text == "{" and part.expression is None for part in parts):
        return parts
    found: list[Segment] = []
    for part in parts:
        last = found[-1] if found else None
        if last is not None and _may_join(last) and _may_join(part) and last.controls == part.controls:
            span = Span(last.span.path, last.span.line, last.span.column, part.span.end_line, part.span.end_column)
            found[-1] = replace(last, text=last.text + part.text, span=span, offsets=(*_offsets(last), *_offsets(part)))
        else:
            found.append(part)
    return tuple(found)


def repeated(parts: tuple[Segment, ...], count: int) -> tuple[Segment, ...]:
    """Return a text ``count`` times over.

    Long fixed text is one literal of at most 100,000 code points, all at the place where it is written. Text that holds a value
    and would be too many parts is returned once.
    """
    if len(parts) * count <= _PARTS_MAX:
        return parts * count
    text = "".join(part.text for part in parts)
    if not text or not all(map(_may_join, parts)) or any(part.controls for part in parts):
        return parts
    span = parts[0].span
    whole = text * min(count, _TEXT_MAX // len(text) or 1)
    return (replace(parts[0], text=whole, offsets=((span.line, span.column),) * len(whole)),)


def _may_join(part: Segment) -> bool:
    return part.expression is None and not part.taints


def _offsets(part: Segment) -> Sequence[tuple[int, int]]:
    """Return the place of each code point of a literal."""
    if part.offsets:
        return part.offsets
    found: list[tuple[int, int]] = []
    line, column = part.span.line, part.span.column
    for sign in part.text:
        found.append((line, column))
        line, column = (line + 1, 1) if sign == "\n" else (line, column + 1)
    return found


def refilled(parts: Iterable[Segment], pattern: re.Pattern[str], fill: Fill) -> tuple[Segment, ...]:
    """Return ``parts`` with what ``fill`` gives for each match of ``pattern`` in their fixed text; None leaves the text as it is.

    ``fill`` is given the match and the literal of the match's own place.
    """
    found: list[Segment] = []
    for part in parts:
        if part.expression is not None:
            found.append(part)
            continue
        at = 0
        for match in pattern.finditer(part.text):
            pieces = fill(match, cut(part, match.start(), match.end()))
            if pieces is None:
                continue
            if match.start() > at:
                found.append(cut(part, at, match.start()))
            found.extend(pieces)
            at = match.end()
        if at < len(part.text):
            found.append(cut(part, at, len(part.text)) if at else part)
    return tuple(found)
