"""The prompt strip: a prompt as a row of lifetimes, with the place where its prefix ends for other requests."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from radixlint.prompt import Control, ControlKind, Lifetime, Origin, Prompt, Segment
from radixlint.result.finding import PromptStrip, StripPart
from radixlint.stake.outline import weights_behind
from radixlint.stake.value_words import shortened

_LABEL_CHARS: Final = 24


class LifetimeStrip:
    """The strip of one classified prompt; ``whole`` shows no break."""

    def __init__(self, prompt: Prompt, count: Callable[[str], int]) -> None:
        groups = list(_stretches(prompt))
        self._ends = [members[-1] for members in groups]
        tokens = [count(s.text) if s.is_literal else 0 for s in prompt.segments]
        self.whole = PromptStrip(
            path=prompt.path,
            name=prompt.name,
            parts=tuple(_part([prompt.segments[i] for i in members], count) for members in groups),
            break_index=None,
            lost_tokens=0,
            total_tokens=weights_behind(prompt.segments, tokens)[0],
        )

    def broken_at(self, index: int, lost_tokens: int) -> PromptStrip:
        """Return the strip with its break at segment ``index`` of the prompt, behind which ``lost_tokens`` are lost."""
        return replace(self.whole, break_index=bisect_left(self._ends, index), lost_tokens=lost_tokens)


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
