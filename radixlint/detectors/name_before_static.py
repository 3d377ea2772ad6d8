"""A value of a certain name stands ahead of text that lives longer: what rules of people's own are made of."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.prompt import Confidence, Lifetime, Origin, Prompt, Segment
from radixlint.stake import CountTokens
from radixlint.stake.behind import Stake, stakes_of
from radixlint.stake.cause_place import CauseKey, cause_of, expression_of, place_of
from radixlint.stake.value_words import came_through, value_fields

Glob = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets.

    ``names`` are globs (``badge_*``, ``*.ticket``) over the dotted names and calls that a value is made of, upper and lower
    case alike; ``min_tokens`` literal tokens of longer life must stand behind it.
    """

    names: Annotated[tuple[Glob, ...], msgspec.Meta(min_length=1)]
    min_tokens: int = 1


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each value at its first place; static ones are fixed by word. Of a name that says nothing, only the rule knows."""
    seen: set[CauseKey] = set()
    stakes = stakes_of(prompt, count)
    globs = [glob.lower() for glob in params.names]
    for index, segment in enumerate(prompt.segments):
        if segment.lifetime is Lifetime.STATIC or not _is_named(segment, globs):
            continue
        cause = cause_of(segment)
        stake = stakes.behind(index)
        if cause in seen or not stake.holds(params.min_tokens):
            continue
        seen.add(cause)
        judged, fields = _judged(segment, stake)
        yield Hit(index, judged, place_of(segment), stake.tokens, fields, came_through(segment))


def _judged(segment: Segment, stake: Stake) -> tuple[Segment, dict[str, str]]:
    """Return the value, as sure as it can be, and its words: that it changes is the rule's word, how often may be unknown."""
    if segment.origin is not Origin.UNKNOWN:
        sure = replace(segment, confidence=Confidence.HIGH, reason="")
        return sure, value_fields(sure, stake)
    told = replace(segment, confidence=Confidence.MEDIUM, reason="this rule names it; nothing else is known about it")
    return told, {**value_fields(told, stake), "changes": "may change", "again": "each time it does"}


def _is_named(segment: Segment, globs: list[str]) -> bool:
    expression = expression_of(segment)
    names = (*expression.names, *expression.calls) if expression else ()
    return any(fnmatch.fnmatchcase(name.lower(), glob) for name in names for glob in globs)
