"""A mapping is written out in whatever order it happens to have, ahead of text that lives longer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.prompt import Confidence, Expression, Lifetime, Prompt, Segment
from radixlint.stake import CountTokens
from radixlint.stake.behind import stakes_of
from radixlint.stake.cause_place import CauseKey, cause_of, expression_of, owning_loop, place_of
from radixlint.stake.value_words import came_through, value_fields

_SORTING: Final = frozenset({"sort", "sorted", "dictsort", "groupby", "length", "count", "first", "last", "min", "max", "sum"})


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the ``methods`` or filters that walk a mapping, and the literal tokens that must stand behind."""

    methods: frozenset[str]
    min_tokens: int


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each distinct mapping at its first place."""
    seen: set[CauseKey] = set()
    stakes = stakes_of(prompt, count)
    for index, segment in enumerate(prompt.segments):
        expression = expression_of(segment)
        if expression is None or not _walks(expression, params.methods) or not _is_shared(segment):
            continue
        cause = cause_of(segment)
        if cause in seen:
            continue
        seen.add(cause)
        stake = stakes.behind(index, Lifetime.CALL, Confidence.HIGH)
        if stake.weighs(params.min_tokens) or stake.has_history:
            fields, related = value_fields(segment, stake), came_through(segment)
            # However little is known about the mapping, that it is not sorted is plain to see.
            sure = replace(segment, confidence=Confidence.HIGH, lifetime=Lifetime.CALL)
            yield Hit(index, sure, place_of(segment), stake.tokens, fields, related, is_value=False)


def _walks(expression: Expression, methods: frozenset[str]) -> bool:
    last_parts = {call.rsplit(".", 1)[-1] for call in expression.calls}
    is_sorted = bool(_SORTING & (last_parts | set(expression.filters)))
    return bool(methods & (last_parts | set(expression.filters))) and not is_sorted and bool(expression.names)


def _is_shared(segment: Segment) -> bool:
    """Whether requests would share the mapping if its order held; one that differs anyway is another rule's cause."""
    loop = owning_loop(segment)
    lifetime = loop.lifetime if loop else segment.lifetime
    is_unknown = (loop.confidence if loop else segment.confidence) is Confidence.LOW
    return lifetime > Lifetime.USER or is_unknown
