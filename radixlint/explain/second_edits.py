"""Whether instructions that differ from their partner's in one place differ again behind it: one cause hides another."""

from __future__ import annotations

from typing import Final

from radixlint.explain.break_report import Case
from radixlint.explain.version_edits import message_edit
from radixlint.pieces import Loss, PieceBook
from radixlint.plural import counted
from radixlint.privacy import INSTRUCTIONS
from radixlint.result.cause import Cause

_MOST_LOOKS: Final = 64
_LEAST: Final = 3
_LEAST_RATE: Final = 0.5
# What was looked up parts in several places by itself.
_OF_SEVERAL_PLACES: Final = frozenset({Cause.RETRIEVAL_BEFORE_HISTORY, Cause.BLOCK_MOVED})


def note_on_hidden(case: Case, book: PieceBook) -> str | None:
    """Return a sentence if most requests of a case differ again behind its break, in the same instructions; None if not.

    Of many an even sample is looked at.
    """
    if case.verdict.cause in _OF_SEVERAL_PLACES:
        return None
    losses = case.losses[:: -(-len(case.losses) // _MOST_LOOKS)]
    again = sum(_differs_again(loss, book) for loss in losses)
    if again < _LEAST or again < _LEAST_RATE * len(losses):
        return None
    verdict = case.verdict
    looked_at = counted(len(losses), "request") + (" looked at" if len(losses) < len(case.losses) else "")
    return (
        f"Other breaks stand behind {verdict.cause.value} at {verdict.where}: {again:,} of {looked_at} differ again in the same "
        "message. Mend it, then analyze anew: what it hides is not told apart yet."
    )


def _differs_again(loss: Loss, book: PieceBook) -> bool:
    numbers = [book.numbers(position) for position in (loss.position, loss.partner)]
    if any(loss.item >= len(some) for some in numbers):
        return False
    mine, theirs = (book.item(some[loss.item]) for some in numbers)
    if mine.role not in INSTRUCTIONS or theirs.role != mine.role:
        return False
    edit = message_edit(mine, theirs)
    if edit is None or not edit.realigned:
        return False
    return [piece.key for piece in mine.pieces[edit.end :]] != [piece.key for piece in theirs.pieces[edit.their_end :]]
