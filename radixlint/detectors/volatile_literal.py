"""A time or id stands as text in a request body as sent, ahead of text that lives longer."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.prompt import Lifetime, Origin, Prompt, Span
from radixlint.stake import CountTokens
from radixlint.stake.behind import stakes_of
from radixlint.stake.cached_resource import is_cached_resource
from radixlint.stake.value_words import value_fields


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: ``origins`` (``clock``, ``id``) and the literal tokens that must stand behind."""

    origins: frozenset[Origin]
    min_tokens: int


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the first time and the first id that have enough behind them, each with the number of others like it."""
    # All of a cached object is prefix; a rule of its own looks at that.
    if not prompt.is_rendered or is_cached_resource(prompt):
        return
    stakes = stakes_of(prompt, count)
    found: dict[Origin, list[Hit]] = {}
    first: dict[int, Span] = {}
    for index, segment in enumerate(prompt.segments):
        if segment.is_literal and segment.origin in params.origins and segment.lifetime is Lifetime.CALL:
            ahead = first.setdefault(segment.message, segment.span)
            stake = stakes.behind(index)
            if stake.holds(params.min_tokens) or stake.has_history:
                # Ahead of a cache mark a rule of its own says what the mark costs, once a message.
                hit = Hit(index, segment, segment.span, stake.tokens, value_fields(segment, stake), cause=ahead)
                found.setdefault(segment.origin, []).append(hit)
    for hits in found.values():
        yield _with_number(hits[0], len({hit.segment.text for hit in hits}) - 1)


def _with_number(hit: Hit, others: int) -> Hit:
    if not others:
        return hit
    reason = f"{hit.segment.reason}, as do {others:,} more behind it"
    return replace(hit, segment=msgspec.structs.replace(hit.segment, reason=reason))
