"""Histories that are cut deep and then grow again: what a cut costs is less than what it spares."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.explain.history_edits import COMPACTION, HistoryEdit
from radixlint.pieces import Loss, PieceBook


def is_deep_cut(loss: Loss, edit: HistoryEdit, chain: Sequence[int], book: PieceBook) -> bool:
    """Return whether a conversation gave up at least as much as it lost, for good, between requests that only grow.

    A window that moves with each request cuts again at once; a message that is left out once comes back.

    Args:
        loss: what the first request behind the cut lost.
        edit: what became of its history.
        chain: the positions of all requests of the conversation, in order.
        book: their items.
    """
    at, before = chain.index(loss.position), chain.index(loss.partner)
    if not 0 < before == at - 1:
        return False
    first, old, new = (book.numbers(chain[i]) for i in (before - 1, before, at))
    # A summary is written once; whether a window stays, only the next request tells.
    goes_on = book.numbers(chain[at + 1])[: len(new)] == new if at + 1 < len(chain) else edit.detail == COMPACTION
    if old[: len(first)] != first or not goes_on:
        return False
    gone = set(old[edit.item : edit.item + edit.gone]) - set(new)
    if sum(book.item_tokens(number) for number in gone) < loss.lost_tokens:
        return False
    return all(gone.isdisjoint(book.numbers(position)) for position in chain[at + 1 :])
