"""A time or id stands as text in a request body as sent, ahead of text that lives longer."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from radixlint.detectors import CountTokens, Hit
from radixlint.detectors._place import CauseKey, cause_of
from radixlint.detectors._stake import Stakes
from radixlint.detectors._wording import value_fields
from radixlint.prompt import Lifetime, Origin, Prompt


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: ``origins`` (``clock``, ``id``) and the literal tokens that must stand behind."""

    origins: frozenset[Origin]
    min_tokens: int


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each distinct text at its first place."""
    seen: set[CauseKey] = set()
    stakes = Stakes(prompt, count)
    for index, segment in enumerate(prompt.segments):
        is_candidate = segment.is_literal and segment.origin in params.origins and segment.lifetime is Lifetime.CALL
        cause = cause_of(segment)
        if not prompt.is_rendered or not is_candidate or cause in seen:
            continue
        seen.add(cause)
        stake = stakes.behind(index)
        if stake.tokens >= params.min_tokens or stake.has_history:
            yield Hit(segment, segment.span, stake.tokens, value_fields(segment, stake))
