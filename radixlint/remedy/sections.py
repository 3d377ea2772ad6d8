"""The sections that stand in several orders: runs of lines that stay together in all requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.pieces import Item
from radixlint.remedy.plan import Subject
from radixlint.rewrites import best_order, held_sections

_MOST_PLACES: Final = 8


def sections_of(subject: Subject) -> list[str]:
    """Return the texts of the sections that stand in several orders, in the order in which they are best sent.

    They are told from the first request of the case and its partner; the best order is that in which requests share most.
    """
    loss = subject.case.losses[0]
    one, other = (subject.book.items(position)[loss.item] for position in (loss.position, loss.partner))
    runs = list(dict.fromkeys(_runs(one, other)))
    rate = one.tokens / max(1, len(one.text))
    lengths = [(run, max(1, round(rate * len(run)))) for run in runs]
    return list(best_order(lengths, held_sections(subject.requests, runs))) if len(runs) > 1 else []


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
