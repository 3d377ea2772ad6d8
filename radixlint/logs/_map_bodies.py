"""The kinds of bodies that a map can name, each to the prompt in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from msgspec import Raw

from radixlint.logs._converse_body import converse_prompt, is_converse
from radixlint.logs._gemini_body import gemini_message, gemini_prompt, is_gemini
from radixlint.logs._langchain_messages import langchain_body, langchain_message
from radixlint.logs._logged_bodies import body_prompt, reply_in
from radixlint.logs._record_json import Record, RecordError, decode_value, flatten
from radixlint.logs._request_bodies import Prompt, anthropic_prompt, chat_prompt, completion_prompt, responses_prompt
from radixlint.logs._response_chain import DELTA
from radixlint.logs._tally import Tally
from radixlint.traffic import Message

AUTO: Final = "auto"


def _any_prompt(body: Record, tally: Tally) -> Prompt:
    if is_gemini(body):
        return gemini_prompt(body, tally)
    return converse_prompt(body, tally) if is_converse(body) else body_prompt(body, tally)


def _whole_responses_prompt(body: Record, tally: Tally) -> Prompt:
    if "previous_response_id" in body:
        raise RecordError(DELTA)
    return responses_prompt(body, tally)


_READERS: Final[dict[str, Callable[[Record, Tally], Prompt]]] = {
    AUTO: _any_prompt,
    "chat": lambda body, tally: anthropic_prompt(body, tally) if "system" in body else chat_prompt(body, tally),
    "anthropic": anthropic_prompt,
    "responses": _whole_responses_prompt,
    "completions": lambda body, tally: completion_prompt(body),
    "gemini": gemini_prompt,
    "converse": converse_prompt,
    "langchain": lambda body, tally: _any_prompt(langchain_body(body), tally),
}
BODY_KINDS: Final = tuple(_READERS)
"""What ``body: as`` takes."""
WITH_SYSTEM: Final = (AUTO, "chat", "anthropic", "converse")
"""Those of them that read a system text beside the messages."""


def read_body(kind: str, body: Record, tally: Tally) -> Prompt:
    """Return the prompt in ``body``, nothing if it holds none.

    Raises:
        RecordError: there is one, and it cannot be read.
    """
    body = flatten([body])
    return _READERS[kind](body, tally) if body else {}


def read_reply(kind: str, field: Raw, tally: Tally) -> Message | None:
    """Return the answer in ``field``, None if it has no known shape."""
    if bytes(memoryview(field)[:1]) == b"[":
        return None
    value = decode_value(field)
    if isinstance(value, dict) and "parts" in value:
        field = Raw(json.dumps(gemini_message(value)).encode())
    elif kind == "langchain":
        field = Raw(json.dumps(langchain_message(value)).encode())
    return reply_in(field, tally)
