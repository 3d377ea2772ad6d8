"""OpenAI Batch files: lines of input and of output, joined by ``custom_id``; the order of lines is not time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._batch_join import BatchJoin
from radixlint.logs._record_fields import response_records, shared_fields
from radixlint.logs._record_json import Record, RecordError, as_record, decode_value, flatten
from radixlint.logs._request_bodies import NO_PROMPT, Prompt, chat_prompt, completion_prompt, is_responses, responses_prompt
from radixlint.logs._response_chain import DELTA
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

NAME: Final = "openai-batch"
ACCEPTS: Final = "OpenAI Batch input and output (custom_id with body or response)"
MISSING: Final = "no line of a batch"
RANK: Final = 30
GIVES: Final = "Text of the prompt from the input file, reported usage from the output file."

_FAILED: Final = "Left out, batch request failed"
_OK: Final = 200
_ID: Final = "custom_id"


def find(record: Record) -> tuple[Record, ...]:
    """Return the record if it is a line of a batch, with the body of a line of input."""
    if _ID not in record:
        return ()
    if "body" not in record:
        return (record,) if "response" in record and "error" in record else ()
    # An id of this name alone is any logger's.
    body = as_record(record["body"]) if "url" in record else None
    return () if body is None else (record, body)


class _Batch:
    """The halves of requests that were seen so far."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._join = BatchJoin(tally)

    def take(self, found: Sequence[Record]) -> Sequence[Request]:
        custom_id = str(decode_value(found[0][_ID])) if _ID in found[0] else ""
        if len(found) > 1:
            prompt = _prompt(flatten(found[1:]), self._tally)
            fields = shared_fields(found, 0, self._tally)
            return self._join.add_request(custom_id, replace(fields, id=custom_id, **prompt))
        answers = _answers(found[0])
        if not answers:
            self._tally.note(_FAILED)
            return ()
        answer = shared_fields([{_ID: found[0][_ID]}], 0, self._tally, answers=answers)
        return self._join.add_answer(custom_id, answer)

    def rest(self) -> Sequence[Request]:
        return self._join.rest()

    def stats(self) -> None:
        return None


def open(tally: Tally) -> _Batch:  # noqa: A001 - the name that formats share
    """Begin a run over all files."""
    return _Batch(tally)


def _prompt(body: Record, tally: Tally) -> Prompt:
    if "messages" in body:
        return chat_prompt(body, tally)
    if is_responses(body):
        if "previous_response_id" in body:
            raise RecordError(DELTA)
        return responses_prompt(body, tally)
    if "prompt" in body:
        return completion_prompt(body)
    raise RecordError(NO_PROMPT)


def _answers(record: Record) -> list[Record]:
    """Return the answer and what is around it, nothing if the request failed."""
    answers = response_records(record)
    status = answers[0].get("status_code") if answers else None
    if len(answers) < 2 or (status is not None and decode_value(status) != _OK):
        return []
    return answers
