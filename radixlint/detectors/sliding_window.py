"""A template prints the newest turns only, so every new turn drops the oldest and nothing of the history is reused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.prompt import Confidence, Expression, Lifetime, Origin, Prompt, Segment
from radixlint.stake import CountTokens
from radixlint.stake.cause_place import expression_of, owning_loop, place_of
from radixlint.stake.value_words import value_name

# The newest item alone is the current turn.
_NEGATIVE: Final = re.compile(r"\[\s*-\s*(?!1\s*:)[\w.(|][^:\]]*:\s*\]")
_FROM_LENGTH: Final = re.compile(r"\[[^:\[\]]*(?:length|count|len\s*\([^()]*\))\s*\)?\s*-\s*(?!1\b)[\w.]+[^:\[\]]*:\s*\]")
_FILTERED: Final = re.compile(r"\|\s*(?:slice:\s*-\s*(?!1\b)\d|(?:last_n|take_last|tail|last)\s*[(:]\s*(?!1\b)\w)")
_HELPER: Final = re.compile(
    r"^\(?\s*(?:lastN|last_n|takeLast|take_last|tail|last|slice)\s+[^|]*\b(?!1\b)\d+|\b(?:slice)\s+\S+\s+-\d"
)
_WINDOWS: Final = (_NEGATIVE, _FROM_LENGTH, _FILTERED, _HELPER)


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: nothing; a window on the history is a fault whatever its size."""


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each window once, at its loop or tag."""
    seen: set[str] = set()
    for index, segment in enumerate(prompt.segments):
        expression = expression_of(segment)
        if expression is None or expression.text in seen or not _is_history(segment) or not _is_window(expression):
            continue
        seen.add(expression.text)
        # How many turns are cut off is in the text; that turns are cut off one by one is likely, and not certain.
        told = replace(segment, origin=Origin.HISTORY, lifetime=Lifetime.SESSION, confidence=Confidence.MEDIUM, reason="")
        yield Hit(index, told, place_of(segment), 0, {"value": value_name(segment)}, is_value=False)


def _is_history(segment: Segment) -> bool:
    loop = owning_loop(segment)
    return (loop.origin if loop else segment.origin) is Origin.HISTORY


def _is_window(expression: Expression) -> bool:
    return any(pattern.search(expression.text) for pattern in _WINDOWS)
