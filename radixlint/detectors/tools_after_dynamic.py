"""The tool list, long and shared by all requests, stands behind a value that differs between them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from radixlint.detectors import Hit
from radixlint.prompt import Lifetime, Origin, Prompt, Role, Segment
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.behind import are_exclusive, cached_end, stakes_of
from radixlint.stake.cause_place import place_of
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import value_fields, value_name


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: nothing; a tool list is long enough in any case."""


def concerns(params: Params, traits: Traits) -> bool:
    """Whether the prompt holds tools."""
    return Origin.TOOLS in traits.origins


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the first tool list that has such a value ahead of it."""
    for index, segment in enumerate(prompt.segments[: cached_end(prompt)]):
        if segment.origin is not Origin.TOOLS or segment.lifetime < Lifetime.RELEASE or prompt.is_rendered:
            continue
        ahead = _first_ahead(prompt, index)
        if ahead is None:
            continue
        at, value = ahead
        stake = stakes_of(prompt, count).behind(at)
        fields = {**value_fields(value, stake), "tools": value_name(segment)}
        related = (Related(place_of(value), f"{value_name(value)} stands here"),)
        yield Hit(at, value, place_of(segment), stake.tokens, fields, related, is_value=False, cause=place_of(value))
        return


def _first_ahead(prompt: Prompt, index: int) -> tuple[int, Segment] | None:
    tools = prompt.segments[index]
    for at, value in enumerate(prompt.segments[:index]):
        if value.role is tools.role is Role.TOOLS:
            continue  # One list: what of it differs has rules of its own.
        if value.lifetime <= Lifetime.USER and not are_exclusive(value, tools):
            return at, value
    return None
