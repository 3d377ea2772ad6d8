"""OpenAI Responses requests, as sent or wrapped with their answer; continued responses are joined with what they continue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._chat_messages import read_chat
from radixlint.logs._record_fields import response_records, shared_fields
from radixlint.logs._record_json import Record, as_record, decode_value, flatten, open_envelopes
from radixlint.logs._request_bodies import NO_INPUT, is_responses, responses_prompt
from radixlint.logs._response_chain import Items, ResponseChain, Turn
from radixlint.logs._tally import Tally
from radixlint.logs._uncalled_rows import was_answered
from radixlint.traffic import Request

NAME: Final = "openai-responses"
ACCEPTS: Final = "OpenAI Responses requests (input, instructions)"
MISSING: Final = NO_INPUT
RANK: Final = 75
GIVES: Final = "Text of the prompt, continued responses joined if their answers are logged; reported usage."

_CONVERSATION: Final = "conv_"
_KEPT: Final = "Conversations kept on the server were rebuilt from their turns in the log: what came before is missing"


def find(record: Record) -> tuple[Record, ...]:
    """Return the envelopes down to the Responses body, or nothing."""
    envelopes: list[Record] = []
    for envelope in open_envelopes(record):
        envelopes.append(envelope)
        if is_responses(envelope):
            return tuple(envelopes)
    return ()


class _Responses:
    """The responses that were seen so far."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._chain = ResponseChain(tally)

    def take(self, found: Sequence[Record]) -> Sequence[Request]:
        if not was_answered(found, self._tally):
            return ()
        body = flatten(found[-1:])
        answers = response_records(found[0]) or [one for one in found[-1:] if "output" in one]
        prompt = responses_prompt(body, self._tally)
        answer = flatten(answers)
        output = _output(answer, self._tally)
        request = replace(shared_fields(found, 0, self._tally, answers=answers), index=self._tally.new_index(), **prompt)
        return self._chain.add(self._turn(request, body, answer, output))

    def rest(self) -> Sequence[Request]:
        return self._chain.rest()

    def stats(self) -> None:
        return None

    def _turn(self, request: Request, body: Record, answer: Record, output: Items | None) -> Turn:
        id_ = _id(answer, "id") or _id(answer, "response_id") or _id(body, "response_id")
        names = () if id_ is None else (id_,)
        before = _id(body, "previous_response_id")
        conversation = _conversation(body)
        if before is None and conversation is not None:
            self._tally.note(_KEPT)
            names = (*names, conversation)
            before = conversation if self._chain.knows(conversation) else None
        return Turn(request, int("instructions" in body), output, before, names, self._tally.place)


def open(tally: Tally) -> _Responses:  # noqa: A001 - the name that formats share
    """Begin a run over all files."""
    return _Responses(tally)


def _output(answer: Record, tally: Tally) -> Items | None:
    field = bytes(answer["output"]) if "output" in answer else b""
    if not field.startswith(b"["):
        return None
    return read_chat(answer["output"], tally).messages if field[1:].strip() != b"]" else ()


def _id(fields: Record, name: str) -> str | None:
    value = decode_value(fields[name]) if name in fields else None
    return value if isinstance(value, str) and value else None


def _conversation(body: Record) -> str | None:
    """Return the id of a conversation that the server keeps; any other name under this key is a label of the logger's."""
    inner = as_record(body.get("conversation"))
    id_ = _id(body, "conversation") if inner is None else _id(inner, "id")
    return id_ if id_ is not None and id_.startswith(_CONVERSATION) else None
