"""A chat template prints a value that changes ahead of tools, system text or messages."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from radixlint.detectors import Hit
from radixlint.prompt import Confidence, Lifetime, Origin, Prompt, Span
from radixlint.stake import CountTokens
from radixlint.stake.behind import stakes_of
from radixlint.stake.cause_place import CauseKey, cause_of, place_of
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import came_through, value_fields


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: ``origins`` of the values looked for."""

    origins: frozenset[Origin]


def concerns(params: Params, traits: Traits) -> bool:
    """Whether the prompt holds a value that is looked for."""
    return not params.origins.isdisjoint(traits.origins)


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each distinct cause at the first place that prints it with messages behind, and a place once."""
    seen: set[CauseKey | Span] = set()
    stakes = stakes_of(prompt, count)
    for index, segment in enumerate(prompt.segments):
        if segment.origin not in params.origins or segment.is_literal or segment.lifetime >= Lifetime.RELEASE:
            continue
        cause, place = cause_of(segment), place_of(segment)
        # A day too changes under every conversation that is older than it.
        stake = stakes.behind(index, Lifetime.CALL, Confidence.HIGH)
        if stake.has_history and seen.isdisjoint((cause, place)):
            seen.update((cause, place))
            yield Hit(index, segment, place, stake.tokens, value_fields(segment, stake), came_through(segment))
