"""Losses of conversations that only grew: what was sent or generated is history now, and is rendered in other tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.explain.verdict import Verdict
from radixlint.pieces import Loss, PieceBook
from radixlint.replay import Replayed
from radixlint.result.cause import Cause, Confidence

# What is generated may end in another token than it is read back as.
_LEAST_TOKENS: Final = 4


def rendered_anew(
    book: PieceBook, replayed: Replayed, partners: Sequence[int], chains: Sequence[int]
) -> Iterator[tuple[Loss, Verdict, None]]:
    """Yield the requests that go on where an earlier one of their conversation ends, and yet share less than all of it.

    ``partners`` holds -1 for none.
    """
    for position, match in enumerate(replayed.matches):
        partner = partners[position]
        if partner < 0 or chains[position] != chains[partner]:
            continue
        theirs, mine = book.numbers(partner), book.numbers(position)
        if not len(theirs) or len(mine) <= len(theirs) or list(mine[: len(theirs)]) != list(theirs):
            continue
        stored = replayed.stored_tokens[partner]
        lost = min(stored, match.prompt_tokens) - match.shareable_tokens
        if lost < _LEAST_TOKENS:
            continue
        at = len(theirs)
        what = "a turn is rendered in other tokens once it is history than when it was open or generated"
        where = book.place(position, at, 0)
        loss = Loss(position, partner, at, 0, lost, True, lost)
        yield loss, Verdict(Cause.CHAT_TEMPLATE, where, what, Confidence.HIGH, "history", at, 0), None
