"""What stands behind a place in a prompt: the literal tokens that a break there makes the engine compute again.

Only literals count, and only those that live longer than what breaks; of an ``if`` only its longest branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from radixlint.detectors import CountTokens
from radixlint.prompt import Control, ControlKind, Lifetime, Origin, Prompt, Role, Segment

CLOSING_TOKENS: Final = 64
"""Fixed text behind the question counts only from here on: a short closing instruction belongs there."""


@dataclass(frozen=True, slots=True)
class Stake:
    """What is lost behind a break: literal tokens of longer life, and whether the conversation history is among it."""

    tokens: int
    has_history: bool


def stake_behind(prompt: Prompt, index: int, count: CountTokens, lifetime: Lifetime | None = None) -> Stake:
    """Return what stands behind segment ``index``, which lives for ``lifetime`` (its own if None)."""
    at = prompt.segments[index]
    life = at.lifetime if lifetime is None else lifetime
    end = cached_end(prompt)
    behind = [(i, s) for i, s in enumerate(prompt.segments[:end]) if i > index and not are_exclusive(at, s)]
    turn = current_turn(prompt)
    fixed = [(i, s) for i, s in behind if s.is_literal and s.lifetime > life and _is_once(s, prompt)]
    before = weigh([s for i, s in fixed if i < turn], count)
    closing = weigh([s for i, s in fixed if i >= turn], count)
    tokens = before + (closing if closing >= CLOSING_TOKENS else 0)
    loops = {c.node for c in at.controls if c.kind is ControlKind.LOOP}
    turns = [s for _, s in behind if s.origin is Origin.HISTORY and s.lifetime > life]
    has_history = index < end and any(loops.isdisjoint(c.node for c in s.controls) for s in turns)
    return Stake(tokens, has_history or (index < end and _is_repeated_in_history(prompt, at, life)))


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
    values = [i + 1 for i, s in enumerate(segments) if s.origin in (Origin.INPUT, Origin.HISTORY) and not s.is_literal]
    starts = [max(values, default=len(segments))]
    users = [s.message for s in segments if s.role is Role.USER]
    if users and any(s.message < users[-1] for s in segments):
        starts.append(next(i for i, s in enumerate(segments) if s.message == users[-1]))
    return min(starts)


def are_exclusive(one: Segment, other: Segment) -> bool:
    """Whether the two stand in different branches of one condition, so that no request holds both."""
    branches = {c.node: c.branch for c in one.controls if c.kind is ControlKind.CONDITION}
    return any(c.kind is ControlKind.CONDITION and branches.get(c.node, c.branch) != c.branch for c in other.controls)


def weigh(segments: Sequence[Segment], count: CountTokens, depth: int = 0) -> int:
    """Return the literal tokens of ``segments``, in order; of each condition only the longest branch."""
    total = 0
    for control, items in groupby(segments, key=lambda s: _at(s, depth)):
        group = list(items)
        if control is None:
            total += sum(count(s.text) for s in group if s.is_literal)
        elif control[1] is ControlKind.CONDITION:
            branches: dict[int, list[Segment]] = {}
            for segment in group:
                branches.setdefault(segment.controls[depth].branch, []).append(segment)
            total += max(weigh(branch, count, depth + 1) for branch in branches.values())
        else:
            total += weigh(group, count, depth + 1)
    return total


def _at(segment: Segment, depth: int) -> tuple[int, ControlKind] | None:
    return (segment.controls[depth].node, segment.controls[depth].kind) if depth < len(segment.controls) else None


def _is_once(segment: Segment, prompt: Prompt) -> bool:
    """Whether the literal is sent once, not once per item of a list that grows or differs."""
    if prompt.is_rendered:
        return True
    return segment.lifetime is Lifetime.STATIC


def _is_repeated_in_history(prompt: Prompt, at: Segment, life: Lifetime) -> bool:
    """Whether the value is printed anew in each old turn; under a test for the last turn it is not."""
    if at.origin is Origin.HISTORY or life >= Lifetime.SESSION or any(_asks_for_last(c) for c in at.controls):
        return False
    loops = {c.node for c in at.controls if c.kind is ControlKind.LOOP}
    turns = (s for s in prompt.segments if s.origin is Origin.HISTORY)
    return any(c.node in loops for s in turns for c in s.controls)


def _asks_for_last(control: Control) -> bool:
    return control.kind is ControlKind.CONDITION and "last" in control.expression.text
