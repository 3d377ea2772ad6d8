"""A value of this call ends the system text, and the conversation, once there is one, comes behind it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from radixlint.detectors import Hit
from radixlint.prompt import Confidence, Lifetime, Origin, Prompt, Role
from radixlint.stake import CountTokens
from radixlint.stake.ahead import fixed_tokens
from radixlint.stake.behind import cached_end, stakes_of
from radixlint.stake.cached_resource import is_cached_resource
from radixlint.stake.cause_place import place_of
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import came_through, value_fields

_SYSTEM = (Role.SYSTEM, Role.DEVELOPER)


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: ``origins`` of the values looked for, and the fixed tokens there must be ahead of them."""

    origins: frozenset[Origin]
    min_tokens: int


def concerns(params: Params, traits: Traits) -> bool:
    """Whether the prompt holds a value that is looked for, and a message behind it."""
    return not params.origins.isdisjoint(traits.origins) and traits.has_messages


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the first such value that a user message follows; a finding on what it costs in the file comes first."""
    # An object that is made to be cached is followed by no conversation.
    end = 0 if is_cached_resource(prompt) else cached_end(prompt)
    users = [s.message for s in prompt.segments if s.role is Role.USER]
    for index, segment in enumerate(prompt.segments[:end]):
        if segment.is_literal or segment.role not in _SYSTEM or segment.origin not in params.origins:
            continue
        is_sure = segment.lifetime <= Lifetime.TURN and segment.confidence is Confidence.HIGH
        if not is_sure or not users or users[-1] <= segment.message:
            continue
        if fixed_tokens(prompt, index, count) >= params.min_tokens:
            place, stake = place_of(segment), stakes_of(prompt, count).behind(index)
            yield Hit(index, segment, place, stake.tokens, value_fields(segment, stake), came_through(segment), cause=place)
            return
