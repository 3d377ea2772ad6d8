"""The texts that stand at one place in all requests of a cluster: what they are, and where each is."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from radixlint.explain.line_skeleton import Skeleton, merged, skeleton, value
from radixlint.explain.version_edits import EditKind, MessageEdit
from radixlint.pieces import Item, PieceBook

_SAMPLED_LINES: Final = 64
_LINES: Final = 4


class Place(Struct, frozen=True):
    """A place in the prompts of a cluster: in the ``item``-th tool or message, behind its first ``pieces`` pieces.

    ``head`` is a hash of these: requests whose messages begin alike and change there have the place in common.
    """

    cluster: int
    item: int
    role: str
    pieces: int
    head: int
    is_line: bool


class PlaceValues(Struct, frozen=True):
    """What stands at a place: by position of the request the span (``starts`` to ``ends``) in its message, code points.

    ``texts`` are those of the spans, ``lines`` the whole lines they stand in.
    """

    positions: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    texts: Sequence[str]
    lines: Sequence[str]

    def most(self) -> str | None:
        """Return the lines that stand there in at least half of the requests, None if none do or all have the same."""
        counts = Counter(self.lines)
        line, count = counts.most_common(1)[0] if counts else ("", 0)
        return line if 2 * count >= len(self.lines) and len(counts) > 1 else None

    @property
    def distinct(self) -> int:
        """How many different texts there are."""
        return len(set(self.texts))


def place_of(cluster: int, item: int, mine: Item, edit: MessageEdit) -> Place:
    """Return the place of ``edit`` in ``mine``, the ``item``-th of its request."""
    is_short = edit.kind in (EditKind.INSERTION, EditKind.REMOVAL) and length_of(edit) <= _LINES
    is_line = edit.kind is EditKind.VALUE or is_short
    return Place(cluster, item, mine.role, edit.start, _head(mine, edit.start), is_line)


def length_of(edit: MessageEdit) -> int:
    """Return how many pieces the longer side of ``edit`` has."""
    return max(edit.end, edit.their_end) - edit.start


def values_at(
    place: Place, lengths: Counter[int], members: Sequence[int], book: PieceBook, *, without: str | None = None
) -> PlaceValues:
    """Return what stands at ``place`` in those of ``members`` (positions of its cluster) that have the place.

    ``lengths`` counts how many pieces the edits seen there replaced; the commonest is taken. Of one line only the value is
    given: what is in front of it and behind it in all of them is left out. Requests with ``without`` there count as not
    having the place.
    """
    length = max(1, lengths.most_common(1)[0][0])
    spans: dict[int, tuple[int, int] | None] = {}
    lines: dict[int, str] = {}
    having: list[tuple[int, int]] = []
    for position in members:
        own = book.items(position)
        if place.item >= len(own):
            continue
        item = own[place.item]
        if item.number not in spans:
            span = spans[item.number] = _span(place, item, length)
            if span is not None and (line := item.text[slice(*span)]) != without:
                lines[item.number] = line
        if item.number in lines:
            having.append((position, item.number))
    around = _skeleton(list(dict.fromkeys(lines.values()))) if place.is_line else None
    within = {number: _value(line, around) for number, line in lines.items()}
    starts = {number: span[0] for number, span in spans.items() if span is not None}
    return PlaceValues(
        array("I", (position for position, _ in having)),
        array("Q", (starts[number] + within[number][0] for _, number in having)),
        array("Q", (starts[number] + within[number][1] for _, number in having)),
        [lines[number][slice(*within[number])] for _, number in having],
        [lines[number] for _, number in having],
    )


def _head(item: Item, pieces: int) -> int:
    return hash(tuple(piece.key for piece in item.pieces[:pieces]))


def _span(place: Place, item: Item, length: int) -> tuple[int, int] | None:
    """Return the span of the pieces at ``place`` in ``item``, None if it does not begin as the others do or ends there."""
    at = place.pieces
    if item.role != place.role or len(item.pieces) <= at or _head(item, at) != place.head:
        return None
    last = item.pieces[min(at + length, len(item.pieces)) - 1]
    return item.pieces[at].start, max(item.pieces[at].end, last.end)


def _skeleton(lines: Sequence[str]) -> Skeleton | None:
    if len(lines) < 2:
        return None
    step = max(1, len(lines) // _SAMPLED_LINES)
    return merged(skeleton(lines[0], other) for other in lines[1::step])


def _value(line: str, around: Skeleton | None) -> tuple[int, int]:
    inner = None if around is None else value(line, around)
    return (0, len(line)) if inner is None else inner
