"""Requests as token ids: exact, whatever the tokenizer and chat template were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, RecordError, flatten, unwrap
from radixlint.logs._tally import Tally
from radixlint.traffic import TOKEN_BYTES, Request

NAME: Final = "token-ids"
ACCEPTS: Final = "token ids (token_ids)"
MISSING: Final = "no token ids"
RANK: Final = 40

_PROMPT: Final = ("token_ids", "prompt_token_ids", "input_ids")
_OUTPUT: Final = ("output_ids", "output_token_ids")
_NO_INTEGERS: Final = "token ids not integers"
_LIST_BYTES: Final = b"0123456789, \t\r\n[]"


def find(record: Record) -> tuple[Record, ...]:
    """Return the envelopes down to the record with token ids, or nothing."""
    return unwrap(record, _PROMPT)


def read(envelopes: Sequence[Record], index: int, tally: Tally) -> Request:
    """Return the request in ``envelopes``.

    Raises:
        RecordError: ``no token ids`` (also for an empty list) or ``token ids not integers`` (0 to 2^32 - 1).
    """
    body = flatten(envelopes[-1:])
    token_ids = _packed(body, _PROMPT)
    if not token_ids:
        raise RecordError(MISSING)
    return replace(
        shared_fields(envelopes, index, tally),
        token_ids=token_ids,
        output_ids=_packed(body, _OUTPUT),
    )


def _packed(body: Record, names: tuple[str, ...]) -> bytes:
    field = next((body[name] for name in names if name in body), None)
    if field is None:
        return b""
    text = bytes(field).strip()
    # The record was parsed before, so brackets and commas are where they belong; nothing else can be a list of ids.
    if text.translate(None, _LIST_BYTES) or not text.startswith(b"[") or text.count(b"[") > 1:
        raise RecordError(_NO_INTEGERS)
    digits = text[1:-1].strip()
    return _from_digits(digits) if digits else b""


def _from_digits(digits: bytes) -> bytes:
    import numpy as np

    # What exceeds 64 bits reads as the largest number, which the range refuses.
    ids = np.fromstring(digits.decode("ascii"), np.uint64, sep=",")
    if ids.max() >= 1 << 8 * TOKEN_BYTES:
        raise RecordError(_NO_INTEGERS)
    return ids.astype("<u4").tobytes()
