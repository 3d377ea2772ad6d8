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
from radixlint.pieces.line_pieces import heads_of

_SAMPLED_LINES: Final = 64
_LINES: Final = 4
_USUAL_SHARE: Final = 0.1


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


class PlaceLines(Struct, frozen=True):
    """The lines at a place: by position of the request, and where each starts in its message, in code points."""

    positions: Sequence[int]
    starts: Sequence[int]
    lines: Sequence[str]

    def usual(self) -> set[str]:
        """Return the lines that many of the requests have: what they say of themselves, the rest need not."""
        least = max(2, _USUAL_SHARE * len(self.lines))
        return {line for line, count in Counter(self.lines).items() if count >= least}

    def first_lines(self) -> PlaceLines | None:
        """Return the first line of each, None if they are single lines."""
        cut = [line[: line.find("\n") + 1] or line for line in self.lines]
        return None if cut == list(self.lines) else PlaceLines(self.positions, self.starts, cut)

    def without(self, lines: set[str]) -> PlaceLines:
        """Return those that are none of ``lines``."""
        kept = [at for at, line in enumerate(self.lines) if line not in lines]
        return PlaceLines(
            array("I", (self.positions[at] for at in kept)),
            array("Q", (self.starts[at] for at in kept)),
            [self.lines[at] for at in kept],
        )


class PlaceValues(Struct, frozen=True):
    """What changes at a place: in each of its lines the text from ``starts`` to ``ends``, code points of the message."""

    found: PlaceLines
    starts: Sequence[int]
    ends: Sequence[int]
    texts: Sequence[str]

    @property
    def positions(self) -> Sequence[int]:
        """The positions of the requests."""
        return self.found.positions

    @property
    def distinct(self) -> int:
        """How many different texts there are."""
        return len(set(self.texts))


def place_of(cluster: int, item: int, mine: Item, edit: MessageEdit) -> Place:
    """Return the place of ``edit`` in ``mine``, the ``item``-th of its request."""
    is_short = edit.kind in (EditKind.INSERTION, EditKind.REMOVAL) and length_of(edit) <= _LINES
    is_line = edit.kind is EditKind.VALUE or is_short
    head = heads_of(piece.key for piece in mine.pieces[: edit.start])[-1]
    return Place(cluster, item, mine.role, edit.start, head, is_line)


def length_of(edit: MessageEdit) -> int:
    """Return how many pieces the longer side of ``edit`` has."""
    return max(edit.end, edit.their_end) - edit.start


def lines_at(place: Place, lengths: Counter[int], members: Sequence[int], book: PieceBook) -> PlaceLines:
    """Return what stands at ``place`` in those of ``members`` (positions of its cluster) that have the place.

    ``lengths`` counts how many pieces the edits seen there replaced; the commonest is taken.
    """
    length = max(1, lengths.most_common(1)[0][0])
    known: dict[int, tuple[int, str] | None] = {}
    positions, starts, lines = array("I"), array("Q"), []
    for position in members:
        numbers = book.numbers(position)
        if place.item >= len(numbers):
            continue
        number = numbers[place.item]
        if number not in known:
            known[number] = _line(place, number, book, length)
        found = known[number]
        if found is not None:
            positions.append(position)
            starts.append(found[0])
            lines.append(found[1])
    return PlaceLines(positions, starts, lines)


def values_of(found: PlaceLines, *, is_line: bool) -> PlaceValues:
    """Return the changing part of lines: what is in front of it and behind it in all of them is left out if ``is_line``."""
    distinct = list(dict.fromkeys(found.lines))
    around = _skeleton(distinct) if is_line else None
    within = {line: _value(line, around) for line in distinct}
    spans = list(zip(found.starts, found.lines, strict=True))
    return PlaceValues(
        found,
        array("Q", (start + within[line][0] for start, line in spans)),
        array("Q", (start + within[line][1] for start, line in spans)),
        [line[slice(*within[line])] for _, line in spans],
    )


def _line(place: Place, number: int, book: PieceBook, length: int) -> tuple[int, str] | None:
    """Return start and text of the pieces at ``place`` in an item, None if it does not begin as the others do or ends there."""
    at, heads = place.pieces, book.heads(number)
    if len(heads) <= at + 1 or heads[at] != place.head or book.role(number) != place.role:
        return None
    # Cut only here: most items of a log with many versions of a text begin otherwise.
    item = book.item(number)
    last = item.pieces[min(at + length, len(item.pieces)) - 1]
    start = item.pieces[at].start
    return start, item.text[start : max(item.pieces[at].end, last.end)]


def _skeleton(lines: Sequence[str]) -> Skeleton | None:
    if len(lines) < 2:
        return None
    step = max(1, len(lines) // _SAMPLED_LINES)
    return merged(skeleton(lines[0], other) for other in lines[1::step])


def _value(line: str, around: Skeleton | None) -> tuple[int, int]:
    inner = None if around is None else value(line, around)
    return (0, len(line)) if inner is None else inner
