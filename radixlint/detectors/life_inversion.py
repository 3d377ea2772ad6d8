"""Of two values that differ, the one that lives shorter stands ahead of a list or text that lives longer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.prompt import Confidence, Lifetime, Prompt, Segment
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.ahead import fixed_tokens
from radixlint.stake.behind import are_exclusive, current_turn, stakes_of
from radixlint.stake.cause_place import owning_loop, place_of
from radixlint.stake.value_words import CHANGES, value_fields, value_name

# A prompt has a handful of lists; looking at all of thousands for each value would take minutes.
_MOST_LOOKED_AT: Final = 100


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the fixed tokens there must be ahead, so that there is a prefix to lengthen."""

    min_tokens: int


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the first such pair ahead of the current turn, at the shorter-lived value."""
    end = current_turn(prompt)
    known = [(i, s) for i, s in enumerate(prompt.segments[:end]) if not s.is_literal and _is_known(s)]
    much = [(i, s) for i, s in known if s.is_long or owning_loop(s) is not None][:_MOST_LOOKED_AT]
    for index, short in known:
        longer = next((s for i, s in much if i > index and _is_apart(short, s)), None)
        if longer is not None and fixed_tokens(prompt, index, count) >= params.min_tokens:
            place, stake = place_of(short), stakes_of(prompt, count).behind(index)
            fields = {**value_fields(short, stake), "longer": value_name(longer), "longer_changes": CHANGES[longer.lifetime]}
            related = (Related(place_of(longer), f"{value_name(longer)} stands here"),)
            yield Hit(index, short, place, stake.tokens, fields, related, cause=place)
            return


def _is_known(segment: Segment) -> bool:
    return Lifetime.SESSION <= segment.lifetime <= Lifetime.TENANT and segment.confidence is not Confidence.LOW


def _is_apart(short: Segment, longer: Segment) -> bool:
    """Whether a value that lives longer stands on another line and is sent in the same request."""
    is_other_line = place_of(short).line != place_of(longer).line
    return is_other_line and longer.lifetime > short.lifetime and not are_exclusive(short, longer)
