"""Requests as token ids: exact, whatever the tokenizer and chat template were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._id_lists import packed_ids
from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, RecordError, flatten, unwrap
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

NAME: Final = "token-ids"
ACCEPTS: Final = "token ids (token_ids)"
MISSING: Final = "no token ids"
RANK: Final = 40

_PROMPT: Final = ("token_ids", "prompt_token_ids", "input_ids")
_OUTPUT: Final = ("output_ids", "output_token_ids")
_NO_INTEGERS: Final = "token ids not integers"


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
    ids = packed_ids(bytes(field))
    if ids is None:
        raise RecordError(_NO_INTEGERS)
    return ids
