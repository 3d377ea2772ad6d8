"""A clock, an id or chance stands in a cached object, so that no two of these objects are equal."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from radixlint.detectors import Hit
from radixlint.prompt import Lifetime, Origin, Prompt
from radixlint.stake import CountTokens
from radixlint.stake.behind import stakes_of
from radixlint.stake.cached_resource import is_cached_resource
from radixlint.stake.cause_place import place_of
from radixlint.stake.value_words import came_through, value_fields


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: ``origins`` of what must not be in there."""

    origins: frozenset[Origin]


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the first of each origin; all fixed text of the object is lost, wherever it stands."""
    if not is_cached_resource(prompt):
        return
    stakes = stakes_of(prompt, count)
    seen: set[Origin] = set()
    for index, segment in enumerate(prompt.segments):
        if segment.origin not in params.origins or segment.origin in seen or segment.lifetime > Lifetime.SESSION:
            continue
        seen.add(segment.origin)
        fields = {**value_fields(segment, stakes.behind(index)), "tokens": f"{stakes.total_tokens:,}"}
        place = place_of(segment)
        yield Hit(index, segment, place, stakes.total_tokens, fields, came_through(segment), cause=place)
