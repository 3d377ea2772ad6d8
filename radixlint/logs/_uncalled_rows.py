"""Rows of calls that no engine answered: served from a gateway's own cache, or failed. They are understood, and left out."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Final

from msgspec import Raw

from radixlint.logs._record_fields import response_records
from radixlint.logs._record_json import Record, as_record, decode_value
from radixlint.logs._tally import Tally

FROM_CACHE: Final = (
    "Left out, served from the gateway's response cache, so the engine never saw them (cache_hit is no prefix hit)"
)
FAILED: Final = "Left out, call failed"

_CACHE_FLAGS: Final = ("cache_hit", "cacheHit", "from_cache", "fromCache", "cached_response", "cachedResponse")
_STATUS: Final = ("status", "status_code", "statusCode", "response_status", "http_status")
_ERROR: Final = "error"
_FAILURES: Final = ("failure", "failed", "error")
_LEAST_FAILED: Final = 400
_ABOVE_ALL: Final = 600
_CODE: Final = re.compile(r"\s*([1-5]\d\d)\b")
_BESIDE: Final = "metadata"
_ANSWER_SIGNS: Final = (b'"status', b'"error')
_ANSWERS: Final = ("response", "response_body", "output")
_FLAGS: Final = frozenset(_CACHE_FLAGS)
_MAX_KEYS: Final = 256
_TELLING: Final = frozenset((*_STATUS, _ERROR))


def was_answered(envelopes: Sequence[Record], tally: Tally) -> bool:
    """Whether an engine answered the call in ``envelopes``, as far as they, or the answer in them, say; if not, it is told."""
    if len(envelopes) == 1 and len(envelopes[0]) <= _MAX_KEYS and _is_silent(tuple(envelopes[0])):
        return True
    around = [*envelopes, *_beside(envelopes)]
    for one in around:
        if not _FLAGS.isdisjoint(one) and any(_is_true(one[name]) for name in _CACHE_FLAGS if name in one):
            tally.note(FROM_CACHE)
            return False
    if any(not _TELLING.isdisjoint(one) and _has_failed(one) for one in (*around, *_answers(envelopes[0]))):
        tally.note(FAILED)
        return False
    return True


@functools.lru_cache(maxsize=1024)
def _is_silent(names: tuple[str, ...]) -> bool:
    """Whether a record with the keys ``names`` cannot say that no engine answered."""
    return _FLAGS.isdisjoint(names) and _TELLING.isdisjoint(names) and _BESIDE not in names and set(_ANSWERS).isdisjoint(names)


def _answers(record: Record) -> list[Record]:
    """Return the answer, and the body in it, if they may say that the call failed: opening them all takes long."""
    kept = [bytes(record[name]) for name in _ANSWERS if name in record]
    if not kept:
        return []
    may_say = any(sign in answer for answer in kept for sign in _ANSWER_SIGNS)
    return response_records(record) if may_say else []


def _beside(envelopes: Sequence[Record]) -> list[Record]:
    return [found for one in envelopes if _BESIDE in one and (found := as_record(one[_BESIDE])) is not None]


def _is_true(field: Raw) -> bool:
    return bytes(field).strip(b'"').lower() == b"true"


def _has_failed(record: Record) -> bool:
    if _ERROR in record and _says_something(decode_value(record[_ERROR])):
        return True
    return any(_is_failure(decode_value(record[name])) for name in _STATUS if name in record)


def _says_something(error: object) -> bool:
    return error is True or (isinstance(error, str | dict | list) and bool(error))


def _is_failure(status: object) -> bool:
    if isinstance(status, str):
        code = _CODE.match(status)
        return status.lower() in _FAILURES or (code is not None and int(code[1]) >= _LEAST_FAILED)
    return isinstance(status, int) and not isinstance(status, bool) and _LEAST_FAILED <= status < _ABOVE_ALL
