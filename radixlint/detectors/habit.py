"""A program changes messages that were sent before, or sets cache marks to no effect; a template prints the newest turn first."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.detectors._habit_events import find_habits
from radixlint.prompt import Confidence, ControlKind, Cut, Habit, Origin, Prompt, Segment, Span
from radixlint.stake import CountTokens
from radixlint.stake.cause_place import expression_of, owning_loop, place_of
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import came_through, value_name


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the ``habits`` that it is about."""

    habits: frozenset[Habit]


def concerns(params: Params, traits: Traits) -> bool:
    """Whether a program has such a habit, or a template turns a list round."""
    is_turned = Habit.INSERTED_IN_FRONT in params.habits and Cut.REVERSED in traits.words
    return is_turned or not params.habits.isdisjoint(traits.habits)


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each such habit at its place."""
    yield from find_habits(prompt, params.habits)
    if prompt.evidence is None and Habit.INSERTED_IN_FRONT in params.habits:
        yield from _newest_first(prompt)


def _newest_first(prompt: Prompt) -> Iterator[Hit]:
    """Yield each loop that prints the whole history from its newest turn on: each turn is put in front of all others."""
    seen: set[Span] = set()
    for index, segment in enumerate(prompt.segments):
        place = place_of(segment)
        if segment.expression is None or place in seen or not _is_turned(segment):
            continue
        seen.add(place)
        told = replace(segment, confidence=Confidence.MEDIUM, reason="")
        fields = {"text": value_name(segment), "value": value_name(segment)}
        yield Hit(index, told, place, 0, fields, came_through(segment), is_value=False, has_break=False)


def _is_turned(segment: Segment) -> bool:
    loop, expression = owning_loop(segment), expression_of(segment)
    if expression is None or (loop.origin if loop else segment.origin) is not Origin.HISTORY:
        return False
    # What stands under a test may be the newest turn alone.
    is_whole = all(c.kind is not ControlKind.CONDITION for c in segment.controls) and (loop or "join" in expression.filters)
    return bool(is_whole) and Cut.REVERSED in expression.filters and Cut.NEWEST not in expression.filters
