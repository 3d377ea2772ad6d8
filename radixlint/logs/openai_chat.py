"""OpenAI chat requests, as sent or wrapped with their answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, unwrap
from radixlint.logs._request_bodies import chat_prompt, is_anthropic
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

NAME: Final = "openai-chat"
ACCEPTS: Final = "OpenAI chat requests (messages)"
MISSING: Final = "no messages"
RANK: Final = 80
GIVES: Final = "Text of the prompt; reported usage if the answer is logged."


def find(record: Record) -> tuple[Record, ...]:
    """Return the envelopes down to the chat request, or nothing; what has a system text of its own is Anthropic's."""
    envelopes = unwrap(record, ("messages",))
    return () if envelopes and is_anthropic(envelopes[-1]) else envelopes


def read(envelopes: Sequence[Record], index: int, tally: Tally) -> Request:
    """Return the request in ``envelopes``.

    Raises:
        RecordError: ``no messages``, ``message not an object`` or ``content not text``.
    """
    return replace(shared_fields(envelopes, index, tally), **chat_prompt(envelopes[-1], tally))
