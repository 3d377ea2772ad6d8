"""A program changes messages that were sent before, or sets cache marks to no effect."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.prompt import Confidence, Event, Habit, Lifetime, Origin, Prompt, Segment
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.value_words import shortened, value_name

_ABOUT_MARKS = frozenset((Habit.MARK_UNUSED, Habit.MARK_IN_LOOP))
_HISTORY = frozenset((Origin.HISTORY, Origin.COUNTER))


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the ``habits`` that it is about."""

    habits: frozenset[Habit]


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each such event at its place."""
    for event in prompt.events:
        if event.habit not in params.habits or not prompt.segments:
            continue
        segment = prompt.segments[0]
        if not _is_meant(event, segment):
            continue
        told = replace(segment, confidence=_confidence(event, segment))
        fields = {
            "value": value_name(segment) if segment.expression is not None else f"`{shortened(event.text)}`",
            "text": f"`{shortened(event.text)}`",
        }
        related = tuple(Related(place, "it comes through here") for place in event.related)
        yield Hit(0, told, event.span, 0, fields, related, is_value=False, has_break=False)


def _is_meant(event: Event, segment: Segment) -> bool:
    """Whether messages are meant: a window is one on the history, what is written anew changes within a conversation."""
    if event.habit is Habit.WINDOW or event.habit is Habit.INSERTED_IN_FRONT:
        return segment.origin in _HISTORY
    if event.habit is Habit.SYSTEM_REWRITTEN:
        return segment.lifetime < Lifetime.TENANT
    return True


def _confidence(event: Event, segment: Segment) -> Confidence:
    if event.habit in _ABOUT_MARKS or segment.confidence is Confidence.HIGH:
        return event.confidence
    return Confidence.MEDIUM if event.confidence is Confidence.HIGH else event.confidence
