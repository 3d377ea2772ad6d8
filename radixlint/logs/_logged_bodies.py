"""What a gateway or a tracer kept of a request: a body of any API or parts of one, to the prompt; else usage alone."""

from __future__ import annotations

import json
from typing import Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from radixlint.logs._chat_messages import NO_MESSAGES, read_chat, read_message
from radixlint.logs._record_json import Record, RecordError, as_record, decode_value, flatten
from radixlint.logs._record_reply import read_reply
from radixlint.logs._record_settings import joined_settings, read_settings
from radixlint.logs._request_bodies import (
    Prompt,
    anthropic_prompt,
    chat_prompt,
    completion_prompt,
    is_anthropic,
    is_responses,
    responses_prompt,
)
from radixlint.logs._response_chain import DELTA
from radixlint.logs._tally import Tally
from radixlint.traffic import Message, Request

_ODD: Final = "Prompts of an unknown shape were left out, their requests give usage alone"
_DELTA_ALONE: Final = "Requests that continue a response (previous_response_id) hold the delta only and give usage alone"
_ASSISTANT: Final = "assistant"


class Lack(Struct, frozen=True):
    """Why a record has no prompt: ``reason`` to skip it if it has no usage either, ``note`` where it has."""

    reason: str
    note: str


def as_fields(values: dict[str, object]) -> Record:
    """Return ``values`` as a record, those that are None left out."""
    return {name: Raw(_as_json(value)) for name, value in values.items() if value is not None}


def body_prompt(body: Record, tally: Tally) -> Prompt:
    """Return the prompt in a body of any API (chat, Messages, Responses, completion), nothing if it holds none.

    Raises:
        RecordError: there is one, and it cannot be read.
    """
    body = flatten([body])
    if "messages" in body:
        return anthropic_prompt(body, tally) if is_anthropic(body) else chat_prompt(body, tally)
    if is_responses(body):
        if "previous_response_id" in body:
            raise RecordError(DELTA)
        return responses_prompt(body, tally)
    return completion_prompt(body) if "prompt" in body else {}


def with_body(request: Request, body: Record | None, lack: Lack, tally: Tally) -> Request:
    """Return ``request`` with the prompt in ``body``; without one it gives usage alone.

    Raises:
        RecordError: there is neither prompt nor usage.
    """
    try:
        prompt = {} if body is None else body_prompt(body, tally)
    except RecordError as error:
        if request.usage is None:
            raise
        if error.reason != NO_MESSAGES:
            tally.note(_DELTA_ALONE if error.reason == DELTA else _ODD)
            return request
        prompt = {}
    if prompt:
        return replace(request, **prompt, settings=joined_settings(read_settings(body or {}), request.settings))
    if request.usage is None:
        raise RecordError(lack.reason)
    tally.note(lack.note)
    return request


def reply_in(field: Raw | None, tally: Tally) -> Message | None:
    """Return the answer in ``field``: a message, a body, a list of messages or text; None if it has no known shape."""
    if field is None:
        return None
    body = as_record(field)
    try:
        if body is not None and "role" in body:
            return read_message(Raw(json.dumps({name: decode_value(value) for name, value in body.items()}).encode()), tally)
        if body is not None:
            return read_reply([body], tally)
        value = decode_value(field)
        if isinstance(value, list):
            return read_chat(field, tally).messages[-1]
    except RecordError:
        return None
    return Message(_ASSISTANT, value) if isinstance(value, str) and value else None


def _as_json(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (UnicodeEncodeError, OverflowError):  # half a character, or an integer of more than 64 bits
        return json.dumps(value).encode()
