"""The sections that stand in several orders: runs of lines that stay together in all requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.pieces import Item
from radixlint.remedy.plan import Subject
from radixlint.rewrites import best_order, held_sections

_MOST_PLACES: Final = 8
_MOST_TEXTS: Final = 16


def sections_of(subject: Subject) -> list[str]:
    """Return the texts of the sections that stand in several orders, in the order in which they are best sent.

    They are told from the first requests of the case and their partners: lines of which no order parts two are one section. The
    best order is that in which requests share most.
    """
    item = subject.case.losses[0].item
    positions = [at for loss in subject.case.losses[:_MOST_TEXTS] for at in (loss.partner, loss.position)]
    numbers = [subject.book.numbers(at)[item] for at in positions if item < len(subject.book.numbers(at))]
    first, *others = map(subject.book.item, dict.fromkeys(numbers))
    runs: list[Sequence[str]] = [_lines(first)]
    for other in others:
        theirs = _lines(other)
        runs = [part for run in runs for part in _parts(run, theirs)]
    texts = ["\n".join(run).strip("\n") for run in runs]
    sections = list(dict.fromkeys(text for text in texts if text.strip()))
    rate = first.tokens / max(1, len(first.text))
    lengths = [(text, max(1, round(rate * len(text)))) for text in sections]
    return list(best_order(lengths, held_sections(subject.requests, sections))) if len(sections) > 1 else []


def _lines(item: Item) -> Sequence[str]:
    # The last line of a text has no line end, wherever its section stands in the others.
    return [item.piece_text(piece).rstrip("\n") for piece in item.pieces]


def _parts(own: Sequence[str], theirs: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the longest runs of lines that ``theirs`` has as well, and what stands between them, in the order of ``own``."""
    places: dict[str, list[int]] = {}
    for at, line in enumerate(theirs):
        places.setdefault(line, []).append(at)
    at = since = 0
    while at < len(own):
        length = max((_common(own, at, theirs, found) for found in places.get(own[at], ())[:_MOST_PLACES]), default=0)
        if length and since < at:
            yield own[since:at]
        if length:
            yield own[at : at + length]
            since = at + length
        at += max(1, length)
    if since < len(own):
        yield own[since:]


def _common(own: Sequence[str], at: int, theirs: Sequence[str], found: int) -> int:
    length = 0
    while at + length < len(own) and found + length < len(theirs) and own[at + length] == theirs[found + length]:
        length += 1
    return length
