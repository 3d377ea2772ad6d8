"""OpenAI text completions: the prompt is text as the engine reads it, or token ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, flatten, open_envelopes
from radixlint.logs._request_bodies import NO_PROMPT, completion_prompt
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

NAME: Final = "openai-completions"
ACCEPTS: Final = "OpenAI text completions (model, prompt)"
MISSING: Final = NO_PROMPT
RANK: Final = 85
GIVES: Final = "The prompt as the engine reads it, or its token ids; reported usage if the answer is logged."

_OTHERS: Final = ("messages", "input", "contents")


def find(record: Record) -> tuple[Record, ...]:
    """Return the envelopes down to the body with ``model`` and ``prompt``, or nothing."""
    envelopes: list[Record] = []
    for envelope in open_envelopes(record):
        envelopes.append(envelope)
        if _is_completion(envelope):
            return tuple(envelopes)
    return ()


def read(envelopes: Sequence[Record], index: int, tally: Tally) -> Request:
    """Return the request in ``envelopes``.

    Raises:
        RecordError: ``no prompt``, ``several prompts in one request`` or ``token ids not integers``.
    """
    return replace(shared_fields(envelopes, index, tally), **completion_prompt(flatten(envelopes[-1:])))


def _is_completion(body: Record) -> bool:
    if "prompt" not in body or "model" not in body or any(name in body for name in _OTHERS):
        return False
    return bytes(memoryview(body["prompt"])[:1]) in (b'"', b"[")
