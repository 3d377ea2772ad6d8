"""Anthropic Message Batches: requests (lines, or a list under ``requests``) and results, joined by ``custom_id``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._batch_join import BatchJoin
from radixlint.logs._opened_text import elements
from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, RecordError, as_record, decode_record, decode_value, flatten
from radixlint.logs._request_bodies import anthropic_prompt
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

NAME: Final = "anthropic-batch"
ACCEPTS: Final = "Anthropic Message Batches (custom_id with params or result)"
MISSING: Final = "no line of a batch"
RANK: Final = 30
GIVES: Final = "Text of the prompt and cache marks from the requests, reported usage from the results."

_FAILED: Final = "Left out, batch request failed"
_IN_LIST: Final = "Requests in a list that cannot be read were left out"
_ID: Final = "custom_id"


def find(record: Record) -> tuple[Record, ...]:
    """Return the record if it holds a request or a result of a batch, or a list of requests."""
    if _ID in record:
        return (record,) if "params" in record or "result" in record else ()
    listed = bytes(record["requests"]) if "requests" in record else b""
    return (record,) if listed.startswith(b"[") and b'"custom_id"' in listed and b'"params"' in listed else ()


class _Batch:
    """The halves of requests that were seen so far."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._join = BatchJoin(tally)

    def take(self, found: Sequence[Record]) -> Sequence[Request]:
        record = found[0]
        if "requests" not in record:
            return self._take_one(record)
        done: list[Request] = []
        for one in elements(record["requests"]):
            try:
                done += self._take_one(decode_record(one))
            except RecordError:
                self._tally.note(_IN_LIST)
        return done

    def rest(self) -> Sequence[Request]:
        return self._join.rest()

    def stats(self) -> None:
        return None

    def _take_one(self, record: Record) -> Sequence[Request]:
        custom_id = str(decode_value(record[_ID])) if _ID in record else ""
        params = as_record(record.get("params"))
        if params is not None:
            prompt = anthropic_prompt(flatten([params]), self._tally)
            fields = shared_fields([record, params], 0, self._tally)
            return self._join.add_request(custom_id, replace(fields, id=custom_id, **prompt))
        result = as_record(record.get("result"))
        message = None if result is None else as_record(result.get("message"))
        if message is None:
            self._tally.note(_FAILED)
            return ()
        answer = shared_fields([{_ID: record[_ID]}], 0, self._tally, answers=[message], is_usage_inclusive=False)
        return self._join.add_answer(custom_id, answer)


def open(tally: Tally) -> _Batch:  # noqa: A001 - the name that formats share
    """Begin a run over all files."""
    return _Batch(tally)
