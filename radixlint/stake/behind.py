"""What stands behind a place in a prompt: the text that a break there makes the engine compute again.

Tokens are counted over literals that live longer than what breaks; of an ``if`` over its longest branch. How long a
value is, no source says: of values only those are listed that are long by their name and known to live longer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from radixlint.prompt import Confidence, Control, ControlKind, Lifetime, Origin, Prompt, Role, Segment
from radixlint.result.rule import CLOSING_TOKENS
from radixlint.stake import CountTokens
from radixlint.stake.outline import weights_behind

_MOST_VALUES: Final = 3
# A prompt has a handful of long values; looking at all of thousands for each of thousands would take minutes.
_MOST_LOOKED_AT: Final = 100


class Stake(Struct, frozen=True):
    """What is lost behind a break: literal tokens of longer life, whether the conversation history is among it, and values.

    ``values`` are long values of longer life, nearest first, each name once, at most three. ``most_tokens`` is a bound that
    is known without a vocabulary.
    """

    most_tokens: int
    counted: Callable[[], int]
    has_history: bool
    values: tuple[Segment, ...] = ()

    @property
    def tokens(self) -> int:
        """The literal tokens; the first answer of a run may load the vocabulary."""
        return self.counted() if self.most_tokens else 0

    def holds(self, min_tokens: int) -> bool:
        """Whether there are that many literal tokens; where there cannot be, nothing is counted."""
        return self.most_tokens >= min_tokens and self.tokens >= min_tokens

    @property
    def texts(self) -> tuple[Segment, ...]:
        """The values that weigh by themselves; a tool list has a rule of its own."""
        return tuple(value for value in self.values if value.origin is not Origin.TOOLS)

    def weighs(self, min_tokens: int) -> bool:
        """Whether there is enough to report: that many literal tokens, or a long value."""
        return bool(self.texts) or self.holds(min_tokens)


class Stakes:
    """The stakes of one classified prompt; each answer is made from sums that are worked out once."""

    def __init__(self, prompt: Prompt, count: CountTokens) -> None:
        self._prompt = prompt
        self._count = count
        self._end = cached_end(prompt)
        self._turn = current_turn(prompt)
        self._input_end = input_end(prompt)
        self._long = [i for i, s in enumerate(prompt.segments) if s.is_long and s.confidence is not Confidence.LOW]
        self._history = [i for i, s in enumerate(prompt.segments) if s.origin is Origin.HISTORY]
        self._loops = {node for i in self._history for node in _loops_around(prompt.segments[i])}
        self._behind: dict[Lifetime, tuple[int, list[int], list[int]]] = {}
        self._bounds: dict[Lifetime, list[int]] = {}

    def is_of(self, prompt: Prompt, count: CountTokens) -> bool:
        """Whether these are the stakes of this very prompt, counted by ``count``."""
        return self._prompt is prompt and self._count is count

    @property
    def total_tokens(self) -> int:
        """All literal tokens, of each condition its longest branch."""
        segments = self._prompt.segments
        return weights_behind(segments, [self._count(s.text) if s.is_literal else 0 for s in segments])[0]

    def behind(self, index: int, lifetime: Lifetime | None = None, confidence: Confidence | None = None) -> Stake:
        """Return what stands behind segment ``index``, which lives for ``lifetime`` (its own if None, as is its confidence)."""
        at = self._prompt.segments[index]
        life = at.lifetime if lifetime is None else lifetime
        if life not in self._bounds:
            self._bounds[life] = self._most(life)
        has_history = index < self._end and (self._has_history_behind(index, life) or self._is_repeated(at, life))
        values = self._values_behind(index, life, confidence or at.confidence)
        return Stake(self._bounds[life][index], partial(self._tokens_behind, index, life), has_history, values)

    def _tokens_behind(self, index: int, life: Lifetime) -> int:
        first, *sums = self._behind.get(life) or (len(self._prompt.segments), [], [])
        if index < first:
            first, *sums = self._behind[life] = (index, *self._sums(life, index))
        before, closing = (tokens[index] for tokens in sums)
        return before + (closing if closing >= CLOSING_TOKENS else 0)

    def _most(self, life: Lifetime) -> list[int]:
        """Return what the tokens behind each segment cannot exceed: no vocabulary makes more tokens than bytes, and a start."""
        bounds: list[int] = []
        most = 0
        for i in range(len(self._prompt.segments) - 1, -1, -1):
            bounds.append(most)
            if self._is_fixed(i, life):
                text = self._prompt.segments[i].text
                most += (len(text) if text.isascii() else len(text.encode("utf-8", "replace"))) + 1
        return bounds[::-1]

    def _is_fixed(self, index: int, life: Lifetime) -> bool:
        segment = self._prompt.segments[index]
        return segment.is_literal and index < self._end and segment.lifetime > life and self._is_sent_once(segment)

    def _values_behind(self, index: int, life: Lifetime, confidence: Confidence) -> tuple[Segment, ...]:
        """Return the long values behind; a guess ahead of a guess is nothing to report."""
        if confidence is Confidence.LOW:
            return ()
        at = self._prompt.segments[index]
        loops = _loops_around(at)  # what the same loop prints is no text behind it
        end = min(self._end, self._input_end if index < self._turn else self._turn)
        found: dict[str, Segment] = {}
        first = bisect_right(self._long, index)
        for i in self._long[first : first + _MOST_LOOKED_AT]:
            value = self._prompt.segments[i]
            if i < end and _outlives(value, life) and not are_exclusive(at, value) and _loops_around(value).isdisjoint(loops):
                found.setdefault(value.expression.text if value.expression else "", value)
                if len(found) == _MOST_VALUES:
                    break
        return tuple(found.values())

    def _sums(self, life: Lifetime, first: int) -> tuple[list[int], list[int]]:
        """Return the tokens behind each segment from ``first``: in front of the current turn, and in it."""
        segments = self._prompt.segments
        fixed = [self._count(s.text) if i > first and self._is_fixed(i, life) else 0 for i, s in enumerate(segments)]
        before = [tokens if i < self._turn else 0 for i, tokens in enumerate(fixed)]
        closing = [tokens if i >= self._turn else 0 for i, tokens in enumerate(fixed)]
        return weights_behind(segments, before)[1], weights_behind(segments, closing)[1]

    def _is_sent_once(self, segment: Segment) -> bool:
        """Whether a literal is sent once, not once per item of a list that grows or differs."""
        return self._prompt.is_rendered or segment.lifetime is Lifetime.STATIC

    def _has_history_behind(self, index: int, life: Lifetime) -> bool:
        at = self._prompt.segments[index]
        loops = _loops_around(at)
        for i in reversed(self._history):
            if i <= index or i >= self._end:
                continue
            turn = self._prompt.segments[i]
            if turn.lifetime > life and loops.isdisjoint(_loops_around(turn)) and not are_exclusive(at, turn):
                return True
        return False

    def _is_repeated(self, at: Segment, life: Lifetime) -> bool:
        """Whether the value is printed anew in each old turn; under a test for the last turn it is not."""
        if at.origin is Origin.HISTORY or life >= Lifetime.SESSION or any(_asks_for_last(c) for c in at.controls):
            return False
        return not self._loops.isdisjoint(_loops_around(at))


_LATEST: list[Stakes] = []


def stakes_of(prompt: Prompt, count: CountTokens) -> Stakes:
    """Return the stakes of ``prompt``; all rules look at one prompt in turn, so the latest are kept."""
    if not (_LATEST and _LATEST[0].is_of(prompt, count)):
        _LATEST[:] = [Stakes(prompt, count)]
    return _LATEST[0]


def cached_end(prompt: Prompt) -> int:
    """Return the number of segments that can be cached at all: with explicit marks, those up to the last mark."""
    if not prompt.has_breakpoints:
        return len(prompt.segments)
    return max((i + 1 for i, s in enumerate(prompt.segments) if s.is_breakpoint), default=0)


def current_turn(prompt: Prompt) -> int:
    """Return the index of the first segment of the current turn, which no later request repeats in this place.

    It starts with the last user message, unless that is all there is, and at the latest behind the last input or
    history value.
    """
    segments = prompt.segments
    starts = [input_end(prompt)]
    users = [s.message for s in segments if s.role is Role.USER]
    if users and any(s.message < users[-1] for s in segments):
        starts.append(next(i for i, s in enumerate(segments) if s.message == users[-1]))
    return min(starts)


def input_end(prompt: Prompt) -> int:
    """Return the index behind the last input or history value, the number of segments if there is none."""
    values = [i + 1 for i, s in enumerate(prompt.segments) if s.origin in (Origin.INPUT, Origin.HISTORY) and not s.is_literal]
    return max(values, default=len(prompt.segments))


def _outlives(value: Segment, life: Lifetime) -> bool:
    """Whether a value is known to stay when what lives for ``life`` changes.

    What a name alone calls part of a release may be a tenant's own, and what it calls a user's may be short.
    """
    if value.lifetime <= life or any(c.kind is ControlKind.LOOP and c.lifetime <= life for c in value.controls):
        return False
    is_sure = value.confidence is Confidence.HIGH
    return is_sure or (value.lifetime >= Lifetime.RELEASE and life is not Lifetime.TENANT)


def as_sure_as(at: Segment, stake: Stake) -> Segment:
    """Return the breaking segment, no surer than the nearest long value that alone makes it one."""
    value = stake.texts[0]
    if value.confidence is Confidence.HIGH or at.confidence is not Confidence.HIGH:
        return at
    return replace(at, confidence=value.confidence, reason=value.reason)


def are_exclusive(one: Segment, other: Segment) -> bool:
    """Whether the two stand in different branches of one condition, so that no request holds both."""
    branches = {c.node: c.branch for c in one.controls if c.kind is ControlKind.CONDITION}
    return any(c.kind is ControlKind.CONDITION and branches.get(c.node, c.branch) != c.branch for c in other.controls)


def _loops_around(segment: Segment) -> set[int]:
    return {c.node for c in segment.controls if c.kind is ControlKind.LOOP}


def _asks_for_last(control: Control) -> bool:
    return control.kind is ControlKind.CONDITION and "last" in control.expression.text
