"""The sections that stand in several orders: runs of lines that stay together in all requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from radixlint.pieces import Item
from radixlint.remedy.plan import Subject

_MOST_PLACES: Final = 8


def sections_of(subject: Subject) -> list[str]:
    """Return the texts of the sections in the order in which they are best sent: that of most requests."""
    orders: Counter[tuple[str, ...]] = Counter()
    loss = subject.case.losses[0]
    pair = [subject.book.items(p)[loss.item] for p in (loss.position, loss.partner)]
    runs = _runs(pair[0], pair[1])
    for one in subject.case.losses:
        text = subject.book.items(one.position)[one.item].text
        places = sorted((text.find(run), run) for run in runs if run in text)
        if len(places) == len(runs):
            orders[tuple(run for _, run in places)] += 1
    return list(orders.most_common(1)[0][0]) if orders else []


def _runs(one: Item, other: Item) -> Sequence[str]:
    """Return the longest runs of pieces that both have, in the order of ``one``; runs of blanks alone are none."""
    # The last line of a text has no line end, wherever its section stands in the other.
    own, theirs = ([item.piece_text(piece).rstrip("\n") for piece in item.pieces] for item in (one, other))
    places: dict[str, list[int]] = {}
    for at, line in enumerate(theirs):
        places.setdefault(line, []).append(at)
    runs: list[str] = []
    at = 0
    while at < len(own):
        length = max((_common(own, at, theirs, found) for found in places.get(own[at], ())[:_MOST_PLACES]), default=0)
        if length:
            runs.append("\n".join(own[at : at + length]))
        at += max(1, length)
    return [run.strip("\n") for run in runs if run.strip()]


def _common(own: Sequence[str], at: int, theirs: Sequence[str], found: int) -> int:
    length = 0
    while at + length < len(own) and found + length < len(theirs) and own[at + length] == theirs[found + length]:
        length += 1
    return length
