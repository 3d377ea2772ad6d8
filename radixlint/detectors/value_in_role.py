"""A value of certain origins stands in text of a certain role."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from radixlint.detectors import Hit
from radixlint.prompt import Lifetime, Origin, Prompt, Role
from radixlint.stake import CountTokens
from radixlint.stake.behind import stakes_of
from radixlint.stake.cause_place import CauseKey, cause_of, place_of
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import came_through, value_fields


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the ``role`` of the text and the ``origins`` of the values looked for."""

    role: Role
    origins: frozenset[Origin]


def concerns(params: Params, traits: Traits) -> bool:
    """Whether the prompt holds a value that is looked for."""
    return not params.origins.isdisjoint(traits.origins)


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each distinct cause at its first place, whatever stands behind it."""
    seen: set[CauseKey] = set()
    stakes = stakes_of(prompt, count)
    for index, segment in enumerate(prompt.segments):
        is_meant = segment.role is params.role and segment.origin in params.origins and segment.lifetime < Lifetime.RELEASE
        if not is_meant or (cause := cause_of(segment)) in seen:
            continue
        seen.add(cause)
        stake = stakes.behind(index)
        yield Hit(index, segment, place_of(segment), stake.tokens, value_fields(segment, stake), came_through(segment))
