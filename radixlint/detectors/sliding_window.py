"""A template prints the newest turns only, so every new turn drops the oldest and nothing of the history is reused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.detectors._habit_events import find_habits
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Confidence, Habit, Lifetime, Origin, Prompt, Segment, lines_of
from radixlint.stake import CountTokens
from radixlint.stake.cause_place import expression_of, owning_loop, place_of
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import came_through, value_name

# The newest item alone is the current turn.
_NEGATIVE: Final = late_pattern(r"\[\s*-\s*(?!1\s*:)[\w.(|][^:\]]{0,80}:\s*\]")
_FROM_LENGTH: Final = late_pattern(r"\[[^:\[\]]*(?:length|count|len\s*\([^()]*\))\s*\)?\s*-\s*(?!1\b)[\w.]+[^:\[\]]*:\s*\]")
_FILTERED: Final = late_pattern(r"\|\s*(?:slice:\s*-\s*(?!1\b)\d|(?:last_n|take_last|tail|last)\s*[(:]\s*(?!1\b)\w)")
_HELPER: Final = late_pattern(r"^\(?\s*(?:lastN|last_n|takeLast|take_last|tail|last)\s+[^|]*\b(?!1\b)\d+")
_WINDOWS: Final = (_NEGATIVE, _FROM_LENGTH, _FILTERED, _HELPER)


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: nothing; a window on the history is a fault whatever its size."""


def concerns(params: Params, traits: Traits) -> bool:
    """Whether the prompt holds the history, or its length, or a program cuts it."""
    return Habit.WINDOW in traits.habits or Origin.HISTORY in traits.origins or Origin.COUNTER in traits.origins


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each window once, at its loop or tag, or where a program cuts."""
    if prompt.evidence is not None:
        yield from find_habits(prompt, frozenset((Habit.WINDOW,)))
        return
    seen: set[str] = set()
    for index, segment in enumerate(prompt.segments):
        expression = expression_of(segment)
        if expression is None or expression.text in seen or not _is_history(segment):
            continue
        if not any(_is_window(text) for text in (expression.text, *_on_the_way(segment, prompt))):
            continue
        seen.add(expression.text)
        # How many turns are cut off is in the text; that turns are cut off one by one is likely, and not certain.
        told = replace(segment, origin=Origin.HISTORY, lifetime=Lifetime.SESSION, confidence=Confidence.MEDIUM, reason="")
        fields = {"value": value_name(segment)}
        yield Hit(index, told, place_of(segment), 0, fields, came_through(segment), is_value=False, has_break=False)


def _is_history(segment: Segment) -> bool:
    loop = owning_loop(segment)
    # Where the length of the history stands in the slice, the whole looks like a counter.
    return (loop.origin if loop else segment.origin) in (Origin.HISTORY, Origin.COUNTER)


def _is_window(text: str) -> bool:
    return any(pattern.search(text) for pattern in _WINDOWS)


def _on_the_way(segment: Segment, prompt: Prompt) -> Iterator[str]:
    """Yield the tags of this file, each on one line, that the value came through: a window may be cut in a ``set``."""
    lines = lines_of(prompt.source.text) if prompt.source and segment.related else ()
    for span in segment.related:
        if span.path == prompt.path and span.line == span.end_line <= len(lines):
            yield lines[span.line - 1][span.column - 1 : span.end_column - 1]
