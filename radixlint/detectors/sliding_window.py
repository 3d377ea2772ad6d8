"""A template prints the newest turns only, so every new turn drops the oldest and nothing of the history is reused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.detectors._habit_events import find_habits
from radixlint.prompt import Confidence, Control, ControlKind, Cut, Habit, Lifetime, Origin, Prompt, Segment
from radixlint.stake import CountTokens
from radixlint.stake.cause_place import expression_of, owning_loop, place_of
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import came_through, value_name

_BATCHES: Final = frozenset(("batch", "last"))
_IN_BATCHES: Final = "here a whole batch is dropped at once, when the next one begins"


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: nothing; a window on the history is a fault whatever its size."""


def concerns(params: Params, traits: Traits) -> bool:
    """Whether a program cuts the history, or the prompt takes a run of items."""
    is_cut = not traits.words.isdisjoint((Cut.NEWEST, Cut.OLDER, Cut.REVERSED)) or traits.words >= _BATCHES
    return is_cut or Habit.WINDOW in traits.habits


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each window once, at its loop or tag, at the test in the loop, or where a program cuts."""
    if prompt.evidence is not None:
        yield from find_habits(prompt, frozenset((Habit.WINDOW,)))
        return
    seen: set[str] = set()
    for index, segment in enumerate(prompt.segments):
        if segment.expression is None and not segment.controls:
            continue
        told = _cut(segment) or _tested(segment)
        if told is None or told.expression is None or told.expression.text in seen:
            continue
        seen.add(told.expression.text)
        # How many turns are cut off is in the text; that turns are cut off one by one is likely, and not certain.
        is_batch = Cut.NEWEST not in told.expression.filters and set(told.expression.filters) >= _BATCHES
        sure, reason = (Confidence.LOW, _IN_BATCHES) if is_batch else (Confidence.MEDIUM, "")
        told = replace(told, origin=Origin.HISTORY, lifetime=Lifetime.SESSION, confidence=sure, reason=reason)
        fields = {"value": value_name(told)}
        yield Hit(index, told, place_of(told), 0, fields, came_through(segment), is_value=False, has_break=False)


def _cut(segment: Segment) -> Segment | None:
    """Return the segment if it is a part of the newest turns alone: of what is cut out, or of what a loop's own filter leaves."""
    expression, loop = expression_of(segment), owning_loop(segment)
    if expression is None or (loop.origin if loop else segment.origin) is not Origin.HISTORY:
        return None
    return segment if Cut.NEWEST in expression.filters or set(expression.filters) >= _BATCHES else None


def _tested(segment: Segment) -> Segment | None:
    """Return the test inside of a loop over the history that lets the newest turns through, as if it were the value."""
    loop = owning_loop(segment)
    if loop is None or segment.expression is None or loop.origin is not Origin.HISTORY:
        return None
    inside = segment.controls[segment.controls.index(loop) + 1 :]
    for control in inside:
        if control.kind is ControlKind.LOOP:
            return None
        if _asks_for_newest(control, Cut.REVERSED in loop.expression.filters):
            return replace(segment, expression=control.expression, span=control.span, controls=())
    return None


def _asks_for_newest(control: Control, is_reversed: bool) -> bool:
    is_first = control.branch == 0
    wanted = (Cut.HEAD if is_first else Cut.BEHIND) if is_reversed else (Cut.NEWEST if is_first else Cut.OLDER)
    return wanted in control.expression.filters
