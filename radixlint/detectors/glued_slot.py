"""The fixed head of a prompt runs into its first value without a break, so that both share a token."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Prompt
from radixlint.stake import CountTokens
from radixlint.stake.ahead import fixed_tokens, head_end
from radixlint.stake.behind import stakes_of
from radixlint.stake.cause_place import place_of
from radixlint.stake.value_words import value_fields

# Scripts without blanks between words are left alone. Brackets, quotes and signs such as @ or # are part of what people
# write around a value.
_GLUED: Final = late_pattern(r"(?:[A-Za-z\u00c0-\u04ff]{3}|[.!?:;,])\Z")


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the literal tokens that the head must have."""

    min_tokens: int


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the value that ends the head, if a word or the end of a sentence touches it."""
    index = head_end(prompt)
    if not 0 < index < len(prompt.segments):
        return
    before, value = prompt.segments[index - 1], prompt.segments[index]
    if value.is_literal or not before.is_literal or before.message != value.message or not _GLUED.search(before.text):
        return
    ends = (before.span.end_line, before.span.end_column)
    if prompt.request is not None and ends != (value.span.line, value.span.column):
        # Content blocks of one message are texts of their own.
        return
    if before.controls == value.controls and fixed_tokens(prompt, index, count) >= params.min_tokens:
        place, stake = place_of(value), stakes_of(prompt, count).behind(index)
        fields = {**value_fields(value, stake), "before": before.text[-1]}
        yield Hit(index, value, place, stake.tokens, fields, is_value=False, cause=place)
