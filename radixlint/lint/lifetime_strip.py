"""The prompt strip: a prompt as a row of lifetimes, with the place where its prefix ends for other requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Final

from radixlint.detectors._outline import weights_behind
from radixlint.detectors._stake import Stakes
from radixlint.detectors._wording import shortened
from radixlint.prompt import Control, ControlKind, Lifetime, Origin, Prompt, Segment
from radixlint.result.finding import PromptStrip, StripPart

_MIN_LOST_TOKENS: Final = 16
_LABEL_CHARS: Final = 24


def strip_of(prompt: Prompt, count: Callable[[str], int]) -> PromptStrip:
    """Return the strip of a classified prompt.

    The break is the first segment that lives (or is sent, by the test of a condition) for a tenant or shorter and has
    something behind it: a block of 16 or more
    literal tokens of longer life or, for a value of the turn or call, the conversation history. Only where there is
    none, a date counts: it costs one cold prompt a day. A question, or history and question, at the end break nothing.
    """
    groups = list(_stretches(prompt))
    stakes = Stakes(prompt, count)
    at, lost = _break(prompt, stakes)
    index = next((i for i, members in enumerate(groups) if members[-1] >= at), None) if at is not None else None
    return PromptStrip(
        path=prompt.path,
        name=prompt.name,
        parts=tuple(_part([prompt.segments[i] for i in members], count) for members in groups),
        break_index=index,
        lost_tokens=lost,
        total_tokens=stakes.total_tokens,
    )


def _break(prompt: Prompt, stakes: Stakes) -> tuple[int | None, int]:
    """Return the index of the breaking segment, None if there is none, and the tokens behind it."""
    by_day: tuple[int | None, int] = (None, 0)
    last_inside = {c.node: i for i, s in enumerate(prompt.segments) for c in s.controls}
    for index, segment in enumerate(prompt.segments):
        life = _sent_for(segment)
        if life > Lifetime.DAY:
            continue
        end = index if life is segment.lifetime else max(last_inside[c.node] for c in _tests(segment) if c.lifetime is life)
        stake = stakes.behind(end, life)
        if stake.tokens < _MIN_LOST_TOKENS and not (stake.has_history and life <= Lifetime.TURN):
            continue
        if life <= Lifetime.TENANT:
            return index, stake.tokens
        if by_day[0] is None:
            by_day = index, stake.tokens
    return by_day


def _tests(segment: Segment) -> list[Control]:
    """Return the conditions that decide whether a literal is sent; inside a growing loop the loop says it all."""
    loops = [c for c in segment.controls if c.kind is ControlKind.LOOP and c.lifetime < Lifetime.STATIC]
    return [] if loops or not segment.is_literal else [c for c in segment.controls if c.kind is ControlKind.CONDITION]


def _sent_for(segment: Segment) -> Lifetime:
    """Return how long a segment stays in the prompt as it is: its own lifetime, or the shorter one of a test around it."""
    return min((segment.lifetime, *(c.lifetime for c in _tests(segment))))


def _stretches(prompt: Prompt) -> Iterator[list[int]]:
    """Group neighbouring segments of one lifetime and origin; blank text between values belongs to what is before it."""
    shown = [i for i, s in enumerate(prompt.segments) if s.text.strip()]

    def kind(index: int) -> tuple[Lifetime, bool]:
        segment = prompt.segments[index]
        return _sent_for(segment), segment.origin is Origin.HISTORY

    for _, members in groupby(shown, kind):
        yield list(members)


def _part(segments: list[Segment], count: Callable[[str], int]) -> StripPart:
    first = segments[0]
    tokens, _ = weights_behind(segments, [count(s.text) if s.is_literal else 0 for s in segments])
    life = _sent_for(first)
    if life is Lifetime.STATIC:
        return StripPart(life.label, life, tokens)
    is_text = all(s.is_literal and (not s.controls or _tests(s)) for s in segments)
    return StripPart(_label(segments), life, tokens if is_text else None)


def _label(segments: list[Segment]) -> str:
    if any(s.origin is Origin.HISTORY for s in segments):
        return "history"
    value = next((s for s in segments if s.expression is not None), segments[0])
    text = shortened(value.expression.text if value.expression else value.text)
    return text if len(text) <= _LABEL_CHARS else text[: _LABEL_CHARS - 1] + "…"
