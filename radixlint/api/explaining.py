"""From tokens and a replay to causes: pieces, partners, losses, verdicts, cases."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import structs

from radixlint.api.log_tokens import LogTokens
from radixlint.explain import Attribution, Case, cases_of, is_one_time, rendered_anew
from radixlint.explain.message_changes import message_change
from radixlint.explain.place_values import Place, PlaceValues
from radixlint.explain.verdict import Verdict
from radixlint.layout import WireLayout
from radixlint.pieces import Item, Loss, Piece, PieceBook, clusters, losses, own_talks, partners_of
from radixlint.replay import Replayed
from radixlint.result.cause import Cause, Confidence

# What is the same but for how it is written could be shared itself, not only what stands behind it.
_SAME_BUT_WRITTEN: Final = frozenset({Cause.KEY_ORDER, Cause.TEXT_FORM})
_MAY_BE_CHANCE: Final = frozenset({Cause.LIVE_STATE, Cause.TENANT_BEFORE_SHARED, Cause.TOOL_SET, Cause.UNKNOWN})
_MANY_REQUESTS: Final = 20
_LEAST_LOSSES: Final = 3
Told = tuple[Loss, Verdict, Place | None]
"""A loss, what caused it, and the place in a message where it is known by all that stands there."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why the requests of a log lost what they lost.

    ``cases`` are the losses by cause and place, greatest first. ``clusters`` tell applications apart. ``partners`` are the
    requests that each should have shared its prefix with, -1 for none; ``places`` what stands at places in messages.
    ``seldom`` are losses that are no fault: by a change that took the place of the old one for good, or that came too rarely.
    ``causes`` and ``lost_tokens`` give one cause a request and what it lost by it, ``new-content`` and 0 for none.
    """

    book: PieceBook
    chains: Sequence[int]
    clusters: Sequence[int]
    partners: Sequence[int]
    cases: Sequence[Case]
    places: dict[Place, PlaceValues]
    causes: Sequence[Cause]
    lost_tokens: Sequence[int]
    seldom: Sequence[tuple[Loss, Verdict]] = ()

    def computed_again(self) -> tuple[Sequence[Cause], Sequence[int]]:
        """Return ``causes`` and ``lost_tokens`` with those of changes that came once."""
        causes, tokens = list(self.causes), array("I", self.lost_tokens)
        for loss, verdict in self.seldom:
            if is_one_time(verdict) and not tokens[loss.position]:
                causes[loss.position], tokens[loss.position] = Cause.ONE_TIME, loss.lost_tokens
        return causes, tokens

    def case_at(self, position: int) -> tuple[int, Case] | None:
        """Return the loss of one request as a case of its own, with the number of the case it is of; None if it lost nothing."""
        for number, case in enumerate(self.cases):
            for loss, verdict in zip(case.losses, case.verdicts, strict=True):
                if loss.position == position:
                    alone = Case()
                    alone.add(loss, verdict, None)
                    alone.places = case.places
                    return number, alone
        return None


def piece_book(tokens: LogTokens, replayed: Replayed) -> PieceBook:
    """Return the pieces of the measured requests, with lengths as they were encoded where that is known."""
    requests = tokens.measured
    lengths = array("I", (match.prompt_tokens for match in replayed.matches))
    is_wire = isinstance(tokens.layout, WireLayout)

    def part_tokens(position: int) -> Sequence[int]:
        return tokens.requests.part_tokens(position) if is_wire and requests[position].rendered is None else ()

    return PieceBook(requests, tokens.layout, lengths, part_tokens)


def explain(tokens: LogTokens, replayed: Replayed, chains: Sequence[int]) -> Explanation:
    """Explain the losses of measured requests; ``chains`` are conversation numbers by position."""
    requests, book = tokens.measured, piece_book(tokens, replayed)
    chains = own_talks(book, requests, chains)
    partners = partners_of(book, requests, chains, replayed.partners)
    groups = clusters(book, partners)
    uncached = array("I", (match.prompt_tokens - match.shareable_tokens for match in replayed.matches))
    attribution = Attribution(book, requests, chains, groups)
    found = attribution.verdicts(losses(book, partners, chains, uncached, groups))
    # What turned out to be a new version of a text is new.
    told = [whole_loss(one, book, uncached) for one in found if one[1].cause is not Cause.NEW_CONTENT]
    told = _without_chance(told, chains)
    kept = {loss.position for loss, _, _ in told}
    seldom = [(loss, verdict) for loss, verdict, _ in found if loss.position not in kept]
    if not isinstance(tokens.layout, WireLayout) or any(request.rendered is not None for request in requests):
        known = {loss.position for loss, _, _ in told}
        told += [one for one in rendered_anew(book, replayed, partners, chains) if one[0].position not in known]
    causes, lost_tokens = [Cause.NEW_CONTENT] * len(requests), array("I", bytes(4 * len(requests)))
    for loss, verdict, _ in told:
        causes[loss.position], lost_tokens[loss.position] = verdict.cause, loss.lost_tokens
    return Explanation(book, chains, groups, partners, cases_of(told), attribution.places, causes, lost_tokens, seldom)


def _without_chance(told: Sequence[Told], chains: Sequence[int]) -> list[Told]:
    """Return what is told without what was lost too rarely where texts or tools just differ; ``chains`` are conversations.

    A new version, a variant under trial, or two users who opened one file, look like that once or twice; a fault comes again.
    Of few requests one loss tells something only within a conversation, and then little.
    """
    counts = Counter((verdict.cause, verdict.where) for _, verdict, _ in told)
    least = _LEAST_LOSSES if len(chains) >= _MANY_REQUESTS else _LEAST_LOSSES - 1
    kept = []
    for loss, verdict, place in told:
        if _may_be_chance(verdict) and counts[verdict.cause, verdict.where] < least:
            if least == _LEAST_LOSSES or chains[loss.position] != chains[loss.partner]:
                continue
            verdict = structs.replace(verdict, confidence=Confidence.LOW)
        kept.append((loss, verdict, place))
    return kept


def _may_be_chance(verdict: Verdict) -> bool:
    # A date changes once a day, and costs little then.
    return verdict.cause in _MAY_BE_CHANCE or (verdict.cause is Cause.CLOCK and verdict.detail == "day")


def whole_loss(told: Told, book: PieceBook, uncached: Sequence[int]) -> Told:
    """Return the loss with the piece at the break in it, and those behind it, where these are only written otherwise."""
    loss, verdict, place = told
    mine, theirs = book.items(loss.position), book.items(loss.partner)
    if verdict.cause not in _SAME_BUT_WRITTEN or verdict.item >= len(mine):
        return told
    own = _unheld(mine[verdict.item].pieces[verdict.piece : verdict.end_piece or verdict.piece + 1], theirs[verdict.item :])
    for one, other in list(zip(mine, theirs, strict=False))[verdict.item + 1 :]:
        change = None if one.number == other.number else message_change(other, one, is_kept=True)
        if change is not None and change.cause in _SAME_BUT_WRITTEN:
            own += _unheld(one.pieces, [other])
    lost = min(uncached[loss.position], loss.lost_tokens + own)
    return structs.replace(loss, lost_tokens=lost), verdict, place


def _unheld(pieces: Sequence[Piece], items: Sequence[Item]) -> int:
    """Return the tokens of the pieces that no item holds by their keys: what these hold is counted already."""
    held = {piece.key for item in items for piece in item.pieces}
    return sum(piece.tokens for piece in pieces if piece.key not in held)
