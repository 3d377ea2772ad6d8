"""Find what a program does to messages that were sent before, or to the marks of a cache."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.prompt import Confidence, Event, Habit, Lifetime, Origin, Prompt, Segment
from radixlint.result.finding import Related
from radixlint.stake.value_words import shortened

_ABOUT_MARKS = frozenset((Habit.MARK_UNUSED, Habit.MARK_IN_LOOP))
_HISTORY = frozenset((Origin.HISTORY, Origin.COUNTER))


def find_habits(prompt: Prompt, habits: AbstractSet[Habit]) -> Iterator[Hit]:
    """Yield each event of ``habits`` at its place."""
    for event in prompt.events:
        if event.habit not in habits or not prompt.segments:
            continue
        target, value = prompt.segments[0], prompt.segments[-1]
        if not _is_meant(event, value, target):
            continue
        told = replace(value, confidence=_confidence(event, value))
        fields = {"text": f"`{shortened(event.text)}`", "value": _value(event, value)}
        related = tuple(Related(place, "it comes through here", is_step=True) for place in event.related)
        yield Hit(0, told, event.span, 0, fields, related, is_value=False, has_break=False)


def _is_meant(event: Event, value: Segment, target: Segment) -> bool:
    """Whether messages are meant, and something that differs between the turns of a conversation."""
    if event.habit is Habit.MARK_UNUSED:
        return True
    if target.origin not in _HISTORY:
        return False
    if event.habit is Habit.SYSTEM_REWRITTEN:
        return value.lifetime < Lifetime.TENANT
    return event.habit is not Habit.INSERTED_IN_FRONT or value.lifetime < Lifetime.RELEASE


def _value(event: Event, value: Segment) -> str:
    """Return what goes in by its name, else how the place is written."""
    expression = value.expression
    name = next(iter(expression.calls or expression.names), "") if expression is not None and event.target is not None else ""
    return f"`{shortened(name)}`" if name else f"`{shortened(event.text)}`"


def _confidence(event: Event, value: Segment) -> Confidence:
    if event.habit in _ABOUT_MARKS or value.confidence is Confidence.HIGH:
        return event.confidence
    is_guess = value.confidence is Confidence.LOW and event.habit in (Habit.SYSTEM_REWRITTEN, Habit.INSERTED_IN_FRONT)
    if is_guess:
        # Whatever is added, each time there is more of it.
        return Confidence.MEDIUM if event.grows else Confidence.LOW
    return Confidence.MEDIUM if event.confidence is Confidence.HIGH else event.confidence
