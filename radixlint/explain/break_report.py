"""Losses with the same cause at the same place, rolled up for people."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from radixlint.explain.laid_out_texts import value_start
from radixlint.explain.place_values import Place, PlaceValues
from radixlint.explain.verdict import Verdict
from radixlint.pieces import Item, Loss, PieceBook
from radixlint.privacy import Disclosure, Shown
from radixlint.replay import Replayed
from radixlint.result.breaks import Break
from radixlint.result.cause import Cause, Confidence
from radixlint.traffic import Request

_SHOWN_CHARACTERS: Final = 80
_SHARED_CHARACTERS: Final = 60
_EXAMPLES: Final = 3
_NEAR: Final = 32
# Where these stand differs from request to request; what they are does not.
ROLLED_UP: Final = frozenset(
    {
        *(Cause.HISTORY_REWRITTEN, Cause.TOOL_ORDER, Cause.TOOL_SET, Cause.SIDE_CALL, Cause.BLOCK_MOVED, Cause.KEY_ORDER),
        *(Cause.TEXT_FORM, Cause.SECTION_ORDER, Cause.RETRIEVAL_BEFORE_HISTORY, Cause.CHAT_TEMPLATE),
    }
)
_LEVELS: Final = (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW)


class Case:
    """All losses with one cause at one place, the first of them first.

    Attributes:
        losses: the losses, by position of the request.
        verdicts: the verdict on each.
        places: the places in messages that are known by all that stands there.
    """

    def __init__(self) -> None:
        self.losses: list[Loss] = []
        self.verdicts: list[Verdict] = []
        self.places: dict[Place, None] = {}

    def add(self, loss: Loss, verdict: Verdict, place: Place | None) -> None:
        """Take one more loss."""
        self.losses.append(loss)
        self.verdicts.append(verdict)
        if place is not None:
            self.places[place] = None

    @property
    def verdict(self) -> Verdict:
        """The verdict on the loss that is greatest, which stands for all."""
        return self.verdicts[max(range(len(self.losses)), key=lambda i: self.losses[i].lost_tokens)]

    @property
    def lost_tokens(self) -> int:
        """What all of them lost."""
        return sum(loss.lost_tokens for loss in self.losses)

    @property
    def confidence(self) -> Confidence:
        """That of the surest of the verdicts."""
        return min((v.confidence for v in self.verdicts), key=_LEVELS.index)


def cases_of(told: Iterable[tuple[Loss, Verdict, Place | None]]) -> list[Case]:
    """Return the losses by cause and place, most lost tokens first."""
    cases: dict[tuple[str, str, str], Case] = {}
    for loss, verdict, place in told:
        where = verdict.where.partition("[")[0] if verdict.cause in ROLLED_UP else verdict.where
        key = verdict.cause, where, verdict.detail if verdict.cause is Cause.HISTORY_REWRITTEN else ""
        cases.setdefault(key, Case()).add(loss, verdict, place)
    return sorted(cases.values(), key=lambda case: (-case.lost_tokens, case.losses[0].position))


def example(request: Request, name: Callable[[str | None], str | None]) -> str:
    """Return how a report names ``request``: by its id, else by its place in the log."""
    return name(request.id) or f"record {request.index}"


class BreakWriter:
    """Writes cases down under the privacy rule.

    Args:
        book: the pieces.
        requests: the measured requests, by position.
        replayed: how they shared.
        places: what stands at places in messages.
        disclosure: what may be shown.
        name: makes of a request's id what may be shown.
    """

    def __init__(
        self,
        book: PieceBook,
        requests: Sequence[Request],
        replayed: Replayed,
        places: dict[Place, PlaceValues],
        disclosure: Disclosure,
        name: Callable[[str | None], str | None],
    ) -> None:
        self._name = name
        self._book, self._requests, self._replayed = book, requests, replayed
        self._places, self._disclosure = places, disclosure

    def written(self, case: Case) -> Break:
        """Return ``case`` as a report has it."""
        verdict, losses = case.verdict, case.losses
        matches = [self._replayed.matches[loss.position] for loss in losses]
        first = min(losses, key=lambda loss: loss.position)
        shared, before, after = self._texts(losses[case.verdicts.index(verdict)], verdict, case)
        return Break(
            cause=verdict.cause.value,
            where=verdict.where,
            token_index=min(match.shareable_tokens for match in matches),
            requests=len(losses),
            computed_tokens=sum(match.prompt_tokens - match.shareable_tokens for match in matches),
            lost_tokens=case.lost_tokens,
            values=self._values(case),
            shared=shared.text,
            before=before.text,
            after=after.text,
            examples=tuple(example(self._requests[loss.position], self._name) for loss in losses[:_EXAMPLES]),
            what=verdict.what,
            detail=verdict.detail,
            confidence=case.confidence,
            share_rate=len(losses) / len(self._requests),
            realigned_requests=sum(loss.realigned for loss in losses),
            first_seen_s=self._requests[first.position].time_s,
        )

    def _values(self, case: Case) -> int:
        """Count the different texts at the place: as a place knows them, else the tools or messages that differ."""
        if case.places:
            return len({text for place in case.places for text in self._places[place].texts})
        found = set()
        for loss in case.losses:
            for position in (loss.position, loss.partner):
                items = self._book.items(position)
                found.add(items[loss.item].number if loss.item < len(items) else -1)
        return len(found)

    def _texts(self, loss: Loss, verdict: Verdict, case: Case) -> tuple[Shown, Shown, Shown]:
        """Return the words in front of the break, and what stands behind it in the partner and in the request."""
        near = list(dict.fromkeys(p for one in case.losses for p in (one.position, one.partner)))[:_NEAR]
        sides = [self._side(p, verdict, case) for p in (loss.partner, loss.position)]
        before, after = (
            self._disclosure.shown(item.text, start, min(len(item.text), end), near=near, size=_SHOWN_CHARACTERS)
            if item
            else Shown("")
            for item, start, end in sides
        )
        item, start, _ = sides[1]
        if item is None:
            return Shown(""), before, after
        begin = max(0, start - _SHARED_CHARACTERS)
        while 0 < begin < start and not item.text[begin - 1].isspace():
            begin += 1
        shared = self._disclosure.shown(item.text, begin, start, near=near, size=_SHOWN_CHARACTERS, beside=(before, after))
        return shared, before, after

    def _side(self, position: int, verdict: Verdict, case: Case) -> tuple[Item | None, int, int]:
        """Return the tool or message at the break in the request at ``position``, and the span to be shown of its text."""
        items = self._book.items(position)
        if verdict.item >= len(items):
            return None, 0, 0
        item = items[verdict.item]
        for place in case.places:
            values = self._places[place]
            at = bisect_left(values.positions, position)
            if at < len(values.positions) and values.positions[at] == position:
                return item, values.starts[at], max(values.ends[at], values.starts[at] + 1)
        if verdict.piece >= len(item.pieces):
            return item, len(item.text), len(item.text)
        start = item.pieces[verdict.piece].start if item.pieces[verdict.piece].kind != "call" else len(item.text)
        start = value_start(item.text, start)
        return item, start, start + _SHOWN_CHARACTERS
