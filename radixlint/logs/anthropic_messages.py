"""Anthropic Messages requests, as sent or wrapped with their answer; ``input_tokens`` leave out what was cached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, flatten, unwrap
from radixlint.logs._request_bodies import anthropic_prompt, is_anthropic
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

NAME: Final = "anthropic-messages"
ACCEPTS: Final = "Anthropic Messages requests (system, messages)"
MISSING: Final = "no messages"
RANK: Final = 70
GIVES: Final = "Text of the prompt and cache marks; reported usage if the answer is logged."


def find(record: Record) -> tuple[Record, ...]:
    """Return the envelopes down to the request, or nothing."""
    envelopes = unwrap(record, ("messages",))
    return envelopes if envelopes and is_anthropic(envelopes[-1]) else ()


def read(envelopes: Sequence[Record], index: int, tally: Tally) -> Request:
    """Return the request in ``envelopes``.

    Raises:
        RecordError: ``no messages``, ``message not an object`` or ``content not text``.
    """
    fields = shared_fields(envelopes, index, tally, is_usage_inclusive=False)
    return replace(fields, **anthropic_prompt(flatten(envelopes[-1:]), tally))
