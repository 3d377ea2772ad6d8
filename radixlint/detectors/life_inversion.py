"""Of two values that differ, the one that lives shorter stands ahead of a list or text that lives longer."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from radixlint.detectors import Hit
from radixlint.prompt import Confidence, Lifetime, Prompt, Segment
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.ahead import fixed_tokens
from radixlint.stake.behind import are_exclusive, current_turn, stakes_of
from radixlint.stake.cause_place import owning_loop, place_of
from radixlint.stake.value_words import CHANGES, value_fields, value_name


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the fixed tokens there must be ahead, so that there is a prefix to lengthen."""

    min_tokens: int


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the first such pair ahead of the current turn, at the shorter-lived value."""
    end = current_turn(prompt)
    known = [(i, s) for i, s in enumerate(prompt.segments[:end]) if not s.is_literal and _is_known(s)]
    for at, (index, short) in enumerate(known):
        longer = next((s for _, s in known[at + 1 :] if _is_behind(short, s)), None)
        if longer is not None and fixed_tokens(prompt, index, count) >= params.min_tokens:
            place, stake = place_of(short), stakes_of(prompt, count).behind(index)
            fields = {**value_fields(short, stake), "longer": value_name(longer), "longer_changes": CHANGES[longer.lifetime]}
            related = (Related(place_of(longer), f"{value_name(longer)} stands here"),)
            yield Hit(index, short, place, stake.tokens, fields, related, cause=place)
            return


def _is_known(segment: Segment) -> bool:
    return Lifetime.SESSION <= segment.lifetime <= Lifetime.TENANT and segment.confidence is not Confidence.LOW


def _is_behind(short: Segment, longer: Segment) -> bool:
    """Whether a value is worth to stand ahead: a list or a long text, on another line, sent in the same request."""
    is_much = longer.is_long or owning_loop(longer) is not None
    is_apart = place_of(short).line != place_of(longer).line
    return is_much and is_apart and longer.lifetime > short.lifetime and not are_exclusive(short, longer)
