"""Text that is cut at lines, blanks or a separator: its pieces in order, so that what is fixed in them stays fixed."""

from __future__ import annotations

import re
from collections import deque
from itertools import islice
from typing import Final

from radixlint.flow.calls import Outcome, Site
from radixlint.flow.values import Listed, Number, Part, Value, Written
from radixlint.prompt import Segment
from radixlint.prompt.literal_cut import cut

# Loops over this many items are walked one by one; what is left of a longer text stands as the last piece.
_PIECES_MAX: Final = 20
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_BLANKS: Final = re.compile(r"\s+")
_NAMES: Final = frozenset({"splitlines", "split", "rsplit", "partition", "rpartition"})


def cut_text(site: Site, last: str) -> Outcome | None:
    """Return the pieces that ``splitlines``, ``split`` or ``partition`` makes of a text in which something is fixed."""
    text = site.receiver
    if last not in _NAMES or not isinstance(text, Written) or all(part.expression is not None for part in text.parts):
        return None
    pattern = _pattern(site, last)
    if pattern is None:
        return None
    if last in ("partition", "rpartition"):
        found = _pieces(text.parts, pattern, 1, keeps=True, from_end=last == "rpartition")
    else:
        most = site.argument("maxsplit", 1)
        limit = most.value if isinstance(most, Number) and isinstance(most.value, int) and most.value >= 0 else None
        found = _pieces(text.parts, pattern, limit, keeps=_keeps_ends(site, last), from_end=last == "rsplit")
    pieces = [Written(tuple(piece)) for piece in found]
    if last == "splitlines" and len(pieces) > 1 and not pieces[-1].parts:
        pieces.pop()
    kind = "tuple" if last in ("partition", "rpartition") else "list"
    return Outcome(Listed(tuple(Part(piece, site.span) for piece in pieces), site.span, kind))


def _pattern(site: Site, last: str) -> re.Pattern[str] | None:
    if last == "splitlines":
        return _LINE_END
    separator: Value | None = site.argument("sep", 0)
    if separator is None or isinstance(separator, Number):
        return _BLANKS
    word = separator.fixed if isinstance(separator, Written) else None
    return re.compile(re.escape(word)) if word else None


def _keeps_ends(site: Site, last: str) -> bool:
    keeps = site.argument("keepends", 0) if last == "splitlines" else None
    return isinstance(keeps, Number) and bool(keeps.value)


def _pieces(
    parts: tuple[Segment, ...], pattern: re.Pattern[str], limit: int | None, *, keeps: bool, from_end: bool
) -> list[list[Segment]]:
    """Return the parts between the places where ``pattern`` stands in fixed text; with ``keeps`` what stands there as well."""
    found_at = (
        (number, match.start(), match.end())
        for number, part in enumerate(parts)
        if part.expression is None
        for match in pattern.finditer(part.text)
    )
    most = _PIECES_MAX if limit is None else min(limit, _PIECES_MAX)
    places = deque(found_at, maxlen=most) if from_end and limit is not None else islice(found_at, most)
    found: list[list[Segment]] = [[]]
    taken = iter(places)
    place = next(taken, None)
    for number, part in enumerate(parts):
        at = 0
        while place is not None and place[0] == number:
            _add(found[-1], part, at, place[1])
            if keeps:
                _keep(found, part, place[1:], is_piece=limit == 1)
            found.append([])
            at, place = place[2], next(taken, None)
        _add(found[-1], part, at, len(part.text))
    return found


def _keep(found: list[list[Segment]], part: Segment, place: tuple[int, ...], *, is_piece: bool) -> None:
    if is_piece:
        found.append([])
    _add(found[-1], part, place[0], place[1])


def _add(piece: list[Segment], part: Segment, start: int, end: int) -> None:
    if part.expression is not None or (start == 0 and end == len(part.text)):
        piece.append(part)
    elif end > start:
        piece.append(cut(part, start, end))
