"""Which breaks began, grew, shrank or ended from one part to the other, and which causes that are not the prompt's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from radixlint.api.compared_onset import Losses, Onset, first_onset, growth_onset
from radixlint.api.compared_part import MeasuredPart
from radixlint.result.breaks import Break, Cleared
from radixlint.result.cause import Cause
from radixlint.result.comparison import BreakChange, ClearedChange, Turn

_DIGITS: Final = re.compile(r"\d+")
_LEAST_REQUESTS: Final = 2


class _Seen(Struct, frozen=True):
    """One break in one part, counted requests only; ``is_scattered``: its place differs from request to request."""

    place: Break
    is_scattered: bool
    requests: int
    lost_tokens: int
    losses: Losses


class Scale(Struct, frozen=True):
    """The counted prompt tokens of both parts, and what makes tokens of the later one those of the unit of the report."""

    before_tokens: int
    after_tokens: int
    factor: float

    def turn(self, before: tuple[int, int], after: tuple[int, int], tolerance_rate: float) -> Turn:
        """Return what became of what has so many requests and tokens before and after."""
        rates = self._rates(before[1], after[1])
        if not before[0]:
            return Turn.BEGAN if after[0] >= _LEAST_REQUESTS else Turn.ONCE
        if not after[0]:
            return Turn.ENDED
        if abs(rates[1] - rates[0]) <= tolerance_rate:
            return Turn.STAYED
        return Turn.GREW if rates[1] > rates[0] else Turn.SHRANK

    def change(self, before: int, after: int) -> int:
        """Return the tokens by which ``after`` is more than ``before`` would be with the later part's traffic."""
        one, other = self._rates(before, after)
        return round((other - one) * self.after_tokens * self.factor)

    def _rates(self, before: int, after: int) -> tuple[float, float]:
        return before / max(self.before_tokens, 1), after / max(self.after_tokens, 1)


class BreakMatcher(Struct, frozen=True):
    """Compares the breaks of two parts.

    ``lost`` is for each what the requests that count lost to breaks, and for want of a cache mark, by position.
    """

    parts: tuple[MeasuredPart, MeasuredPart]
    lost: Sequence[tuple[Mapping[int, float], Mapping[int, float]]]
    scale: Scale
    tolerance_rate: float

    def changes(self) -> tuple[BreakChange, ...]:
        """Return the breaks of both parts, those that cost most more first."""
        before, after = (_seen(part, *some) for part, some in zip(self.parts, self.lost, strict=True))
        made = [self._change(old, new) for old, new in _pairs(before, after)]
        return tuple(sorted(made, key=lambda one: (-one.change_tokens, one.cause, one.where)))

    def _change(self, old: _Seen | None, new: _Seen | None) -> BreakChange:
        latest = new or old
        assert latest is not None
        place, scale = latest.place, self.scale
        counts = [(0, 0) if one is None else (one.requests, one.lost_tokens) for one in (old, new)]
        turn = scale.turn(counts[0], counts[1], self.tolerance_rate)
        since = self._since(turn, old, new)
        return BreakChange(
            turn=turn,
            cause=place.cause,
            where=place.where,
            what=place.what,
            confidence=place.confidence.value,
            requests_before=counts[0][0],
            requests_after=counts[1][0],
            lost_before_rate=counts[0][1] / max(scale.before_tokens, 1),
            lost_after_rate=counts[1][1] / max(scale.after_tokens, 1),
            change_tokens=scale.change(counts[0][1], counts[1][1]),
            first_seen_s=first_onset((old or latest).losses).time_s,
            since_s=None if since is None else since.time_s,
            since_request=None if since is None else since.request,
            shared=place.shared,
            before=place.before,
            after=place.after,
            examples=place.examples,
        )

    def _since(self, turn: Turn, old: _Seen | None, new: _Seen | None) -> Onset | None:
        if new is not None and turn in (Turn.BEGAN, Turn.ONCE):
            return first_onset(new.losses, self.parts[0])
        if old is not None and new is not None and turn is Turn.GREW:
            return growth_onset(old.losses, new.losses)
        return None


def _seen(part: MeasuredPart, broken: Mapping[int, float], unmarked: Mapping[int, float]) -> list[_Seen]:
    explanation = part.explained.explanation
    if explanation is None:
        return []
    places = [place for place in part.explained.breaks if place.cause != Cause.MARKER]
    found = []
    for place, case in zip(places, explanation.cases, strict=False):
        is_scattered = len({verdict.where for verdict in case.verdicts}) > 1
        tokens = {loss.position: loss.lost_tokens for loss in case.losses}
        found.append(_counted(place, is_scattered, Losses(part, place.cause, tokens), broken))
    for place in part.explained.breaks:
        if place.cause == Cause.MARKER:
            tokens = {position: lost for position, lost in enumerate(part.unmarked) if lost}
            found.append(_counted(place, False, Losses(part, place.cause, tokens), unmarked))
    return [one for one in found if one.requests]


def _counted(place: Break, is_scattered: bool, losses: Losses, lost: Mapping[int, float]) -> _Seen:
    """Return what the requests that count lost at ``place``, in the tokens that are compared."""
    counted = [lost[position] for position in losses.tokens if position in lost]
    return _Seen(place, is_scattered, len(counted), round(sum(counted)), losses)


def _pairs(before: Sequence[_Seen], after: Sequence[_Seen]) -> Iterable[tuple[_Seen | None, _Seen | None]]:
    """Pair equal causes at equal places, then those whose places differ in numbers alone: text in front moves lines.

    Where a place differs from request to request anyway, the cause decides.
    """
    left_before, left_after = list(before), list(after)
    for is_pair in (_is_same, _is_moved, _is_scattered):
        for new in list(left_after):
            old = next((one for one in left_before if one.place.cause == new.place.cause and is_pair(one, new)), None)
            if old is not None:
                left_before.remove(old)
                left_after.remove(new)
                yield old, new
    yield from ((None, new) for new in left_after)
    yield from ((old, None) for old in left_before)


def _is_same(old: _Seen, new: _Seen) -> bool:
    return (old.place.where, old.place.detail) == (new.place.where, new.place.detail)


def _is_moved(old: _Seen, new: _Seen) -> bool:
    return _DIGITS.sub("", old.place.where) == _DIGITS.sub("", new.place.where)


def _is_scattered(old: _Seen, new: _Seen) -> bool:
    heads = {one.place.where.partition("[")[0] for one in (old, new)}
    return (old.is_scattered or new.is_scattered) and len(heads) == 1


def cleared_changes(parts: tuple[MeasuredPart, MeasuredPart], scale: Scale, tolerance_rate: float) -> tuple[ClearedChange, ...]:
    """Return by cause the intact prompts that were reported uncached, those that cost most more first."""
    sides = [_by_cause(part.explained.cleared) for part in parts]
    made = []
    for cause in dict.fromkeys((*sides[1], *sides[0])):
        both = [side.get(cause, []) for side in sides]
        latest = max(both[1] or both[0], key=lambda one: one.tokens)
        requests = [sum(one.requests for one in some) for some in both]
        tokens = [sum(one.tokens for one in some) for some in both]
        made.append(
            ClearedChange(
                turn=scale.turn((requests[0], tokens[0]), (requests[1], tokens[1]), tolerance_rate),
                cause=cause,
                what=latest.what,
                confidence=latest.confidence.value,
                requests_before=requests[0],
                requests_after=requests[1],
                tokens_before=tokens[0],
                tokens_after=tokens[1],
                change_tokens=scale.change(tokens[0], tokens[1]),
            )
        )
    return tuple(sorted(made, key=lambda one: (-one.change_tokens, one.cause)))


def _by_cause(cleared: Iterable[Cleared]) -> dict[str, list[Cleared]]:
    found: dict[str, list[Cleared]] = {}
    for one in cleared:
        found.setdefault(one.cause, []).append(one)
    return found
