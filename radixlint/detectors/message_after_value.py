"""A message that is the same for all stands behind a message that differs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.prompt import Confidence, Lifetime, Origin, Prompt, Role, Segment
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.ahead import lives_for
from radixlint.stake.behind import cached_end, current_turn, stakes_of
from radixlint.stake.cause_place import place_of
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import value_fields, value_name

_PAIR: Final = (Role.USER, Role.ASSISTANT)
_SYSTEM: Final = frozenset((Role.SYSTEM, Role.DEVELOPER))


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets.

    ``roles`` of the fixed message; ``in_pairs`` asks for the fixed reply of the assistant behind a fixed user message, as in
    examples. ``min_tokens`` literal tokens must stand behind the value; in a body as sent the message must have
    ``min_body_tokens``.
    """

    roles: frozenset[Role]
    min_tokens: int
    in_pairs: bool = False
    min_body_tokens: int = 64


def concerns(params: Params, traits: Traits) -> bool:
    """Whether the prompt has messages at all."""
    return traits.has_messages


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the first such message; where the value ahead of it has a finding of its own, that one says the same."""
    if prompt.is_rendered:
        yield from _in_body(prompt, params, count)
        return
    messages = [list(group) for _, group in groupby(range(len(prompt.segments)), lambda i: prompt.segments[i].message)]
    end = min(cached_end(prompt), current_turn(prompt))
    at: int | None = None
    for number, indices in enumerate(messages):
        segments = [prompt.segments[i] for i in indices]
        if at is not None and indices[0] < end and _is_meant(prompt, messages, number, params):
            hit = _hit(prompt, at, segments[0], params, count)
            if hit is not None:
                yield hit
            return
        if at is None:
            at = next((i for i in indices if _differs(prompt.segments[i])), None)


def _in_body(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the first system message of a body as sent if a user has spoken ahead of it; a later one may be a reminder.

    What a user says differs; only where more of it stands behind the system message may the first of it be fixed.
    """
    first = next((i for i, s in enumerate(prompt.segments) if s.role in _SYSTEM), None)
    if params.in_pairs or first is None:
        return
    users = [i for i, s in enumerate(prompt.segments) if s.role is Role.USER and s.text]
    if not users or users[0] > first:
        return
    message = [s for s in prompt.segments if s.role in _SYSTEM and s.message == prompt.segments[first].message]
    tokens = sum(count(s.text) for s in message)
    if tokens < params.min_body_tokens:
        return
    user, is_sure = prompt.segments[users[0]], users[-1] < first
    at = replace(
        user,
        lifetime=Lifetime.TURN,
        origin=Origin.INPUT,
        confidence=Confidence.MEDIUM if is_sure else Confidence.LOW,
        reason="" if is_sure else "what a user says first may be the same in all requests",
    )
    fields = {
        "message": f"this {message[0].role.value} message",
        "value": "a user message",
        "changes": "differs from request to request",
        "again": "each time",
        "tokens": f"{tokens:,}",
    }
    related = (Related(user.span, "the user message stands here"),)
    yield Hit(first, at, message[0].span, tokens, fields, related, is_value=False)


def _differs(segment: Segment) -> bool:
    return not segment.is_literal and segment.lifetime <= Lifetime.USER and segment.confidence is not Confidence.LOW


def _is_meant(prompt: Prompt, messages: list[list[int]], number: int, params: Params) -> bool:
    here = _fixed_role(prompt, messages[number])
    if here is None or here not in params.roles:
        return False
    if not params.in_pairs:
        return True
    behind = messages[number + 1] if number + 1 < len(messages) else []
    return (here, _fixed_role(prompt, behind)) == _PAIR


def _fixed_role(prompt: Prompt, indices: list[int]) -> Role | None:
    """Return the role of a message that is fixed text from end to end."""
    segments = [prompt.segments[i] for i in indices]
    is_fixed = bool(segments) and all(s.is_literal and lives_for(s) is Lifetime.STATIC for s in segments)
    return segments[0].role if is_fixed else None


def _hit(prompt: Prompt, at: int, message: Segment, params: Params, count: CountTokens) -> Hit | None:
    value, stake = prompt.segments[at], stakes_of(prompt, count).behind(at)
    if not stake.holds(params.min_tokens):
        return None
    fields = {**value_fields(value, stake), "message": f"this {message.role.value} message"}
    related = (Related(place_of(value), f"{value_name(value)} stands here"),)
    return Hit(at, value, message.span, stake.tokens, fields, related, is_value=False, cause=place_of(value))
