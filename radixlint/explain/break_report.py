"""Losses with the same cause at the same place, rolled up for people."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from radixlint.explain.laid_out_texts import common_length, value_start
from radixlint.explain.place_values import Place, PlaceValues
from radixlint.explain.shown_place import shown_place
from radixlint.explain.vendor_words import is_known_word, word_agrees
from radixlint.explain.verdict import Verdict
from radixlint.pieces import TOOL_ROLE, Loss, PieceBook, PieceKind
from radixlint.privacy import Disclosure, Shown
from radixlint.replay import Replayed
from radixlint.result.breaks import Break, ProviderWord
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
        if self.verdicts[0].cause is Cause.CHAT_TEMPLATE:
            return self.verdicts[0]  # all later turns follow from the first
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


class Names(Struct, frozen=True):
    """How a report names requests: by their ids, else by their numbers in the log, in the order of sending, from 0.

    ``shown`` makes of an id what may be shown; ``numbers`` holds the number of each measured request, by position.
    """

    shown: Callable[[str | None], str | None]
    numbers: Sequence[int]

    def of(self, request: Request, position: int) -> str:
        """Return the name of the measured request at ``position``."""
        return self.shown(request.id) or f"request {self.numbers[position]}"


class BreakWriter:
    """Writes cases down under the privacy rule.

    Args:
        book: the pieces.
        requests: the measured requests, by position.
        replayed: how they shared.
        places: what stands at places in messages.
        disclosure: what may be shown.
        names: names requests.
    """

    def __init__(
        self,
        book: PieceBook,
        requests: Sequence[Request],
        replayed: Replayed,
        places: dict[Place, PlaceValues],
        disclosure: Disclosure,
        names: Names,
    ) -> None:
        self._names = names
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
            where=shown_place(verdict.where, [loss.position for loss in losses], self._disclosure),
            token_index=min(match.shareable_tokens for match in matches),
            requests=len(losses),
            computed_tokens=sum(match.prompt_tokens - match.shareable_tokens for match in matches),
            lost_tokens=case.lost_tokens,
            values=self._values(case),
            shared=shared.text,
            before=before.text,
            after=after.text,
            examples=tuple(self._names.of(self._requests[loss.position], loss.position) for loss in losses[:_EXAMPLES]),
            what=verdict.what,
            detail=verdict.detail,
            confidence=case.confidence,
            share_rate=len(losses) / len(self._requests),
            realigned_requests=sum(loss.realigned for loss in losses),
            first_seen_s=self._requests[first.position].time_s,
            provider_words=self._provider_words(case),
            prompt_tokens=sum(match.prompt_tokens for match in matches),
        )

    def _provider_words(self, case: Case) -> tuple[ProviderWord, ...]:
        settings = (self._requests[loss.position].settings for loss in case.losses)
        said = (one.miss_reason for one in settings if one is not None and one.miss_reason is not None)
        # Other words might be anything: only those of the providers' own lists are shown.
        words = Counter(word for word in said if is_known_word(word))
        ranked = sorted(words.items(), key=lambda item: (-item[1], item[0]))
        return tuple(ProviderWord(word, count, word_agrees(word, case.verdict.cause)) for word, count in ranked[:_EXAMPLES])

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
        theirs, mine = (self._side(p, verdict, case) for p in (loss.partner, loss.position))
        if theirs is not None and mine is not None:
            theirs, mine = _aligned(theirs, mine)
        before, after = (
            Shown("")
            if side is None
            else self._disclosure.shown(side.text, side.start, side.end, near=near, size=_SHOWN_CHARACTERS)
            for side in (theirs, mine)
        )
        if mine is None:
            return Shown(""), before, after
        begin = max(mine.mark_characters, mine.start - _SHARED_CHARACTERS)
        while mine.mark_characters < begin < mine.start and not mine.text[begin - 1].isspace():
            begin += 1
        shared = self._disclosure.shown(mine.text, begin, mine.start, near=near, size=_SHOWN_CHARACTERS, beside=(before, after))
        return shared, before, after

    def _side(self, position: int, verdict: Verdict, case: Case) -> _Side | None:
        """Return what is to be shown of the tool, message or call at the break in the request at ``position``."""
        items = self._book.items(position)
        if verdict.item >= len(items):
            return None
        item = items[verdict.item]
        piece = item.pieces[verdict.piece] if verdict.piece < len(item.pieces) else None
        if piece is not None and piece.kind is PieceKind.CALL:
            return _side("<|call|>", item.piece_text(piece), 0, None)
        mark = "<|tool|>" if item.role == TOOL_ROLE else f"<|{item.role}|>\n"
        for place in case.places:
            values = self._places[place]
            at = bisect_left(values.positions, position)
            if at < len(values.positions) and values.positions[at] == position:
                return _side(mark, item.text, values.starts[at], values.ends[at])
        return _side(mark, item.text, len(item.text) if piece is None else piece.start, None)


class _Side(Struct, frozen=True):
    """One of the two texts at a break: ``text`` from ``start`` to ``end``, None for as much as is shown at most.

    The first ``mark_characters`` are the mark that the layout puts in front: a short word at the start of a message is
    common only if it is so behind such a mark.
    """

    text: str
    start: int
    last: int | None
    mark_characters: int

    @property
    def end(self) -> int:
        """Where what is shown ends."""
        last = self.start + _SHOWN_CHARACTERS if self.last is None else max(self.last, self.start + 1)
        return min(len(self.text), last)


def _side(mark: str, text: str, start: int, end: int | None) -> _Side:
    return _Side(mark + text, len(mark) + start, None if end is None else len(mark) + end, len(mark))


def _aligned(theirs: _Side, mine: _Side) -> tuple[_Side, _Side]:
    """Return both sides from the value on in which they part, unless both start behind equal text already."""
    is_told = theirs.last is not None and mine.last is not None
    if is_told and theirs.text[: theirs.start] == mine.text[: mine.start]:
        return theirs, mine
    start = value_start(mine.text, common_length(theirs.text, mine.text))
    one, other = (replace(side, start=min(len(side.text), max(side.mark_characters, start))) for side in (theirs, mine))
    return one, other
