"""The body of one request of each API to its prompt: the fields of ``Request`` that hold it."""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import Raw

from radixlint.logs._beside_messages import read_with_system, with_parameters
from radixlint.logs._cache_marks import cache_ask, mark_in, mark_ttl_s
from radixlint.logs._chat_messages import NO_MESSAGES, Chat, last_part, read_chat
from radixlint.logs._id_lists import packed_ids
from radixlint.logs._record_json import Record, RecordError, as_record, decode_value
from radixlint.logs._tally import Tally
from radixlint.logs._tool_list import read_tools
from radixlint.traffic import CacheMark

NO_PROMPT: Final = "no prompt"
NO_INPUT: Final = "no input"
_SEVERAL: Final = "several prompts in one request"
_NO_INTEGERS: Final = "token ids not integers"
_HIDDEN: Final = "Requests with a prompt object hide its text, which the server keeps: their rates are lower bounds"
# Also in tools that were logged as text.
_INPUT_SCHEMA: Final = re.compile(rb'"input_schema\\*"')
_ANTHROPIC_FIELDS: Final = frozenset(("system", "anthropic_version", "anthropic_beta", "stop_sequences", "cache_control"))

Prompt = dict[str, Any]


def is_anthropic(body: Record) -> bool:
    """Whether a body with messages is one of Anthropic's: its system text stands outside the messages."""
    given = not _ANTHROPIC_FIELDS.isdisjoint(body) and any(
        body[name] != Raw(b"null") for name in _ANTHROPIC_FIELDS.intersection(body)
    )
    return given or ("tools" in body and _INPUT_SCHEMA.search(bytes(body["tools"])) is not None)


def is_responses(body: Record) -> bool:
    """Whether this is a body of the Responses API: ``input`` is a list of items, or text for a model that answers."""
    if "input" not in body or "messages" in body:
        return False
    given = bytes(body["input"])
    if given.startswith(b"["):
        return given[1:].lstrip()[:1] == b"{"
    is_told = any(name in body for name in ("model", "instructions", "previous_response_id"))
    # Embeddings have texts under this name too, and envelopes have JSON there.
    is_embedding = "model" in body and b"embed" in bytes(body["model"])
    return given.startswith(b'"') and is_told and not is_embedding and as_record(body["input"]) is None


def chat_prompt(body: Record, tally: Tally) -> Prompt:
    """Return the prompt of an OpenAI chat body.

    Raises:
        RecordError: ``no messages``, ``message not an object`` or ``content not text``.
    """
    if "messages" not in body:
        raise RecordError(NO_MESSAGES)
    chat = read_with_system(body, tally)
    tools, marks = read_tools(with_parameters(body), tally)
    return {"tools": tools, "messages": chat.messages, "marks": marks + chat.marks, "cache_ask": cache_ask(body)}


def anthropic_prompt(body: Record, tally: Tally) -> Prompt:
    """Return the prompt of an Anthropic body, its system text as the first message.

    Raises:
        RecordError: ``no messages``, ``message not an object`` or ``content not text``.
    """
    if "messages" not in body:
        raise RecordError(NO_MESSAGES)
    chat = read_chat(body["messages"], tally, system=body.get("system"))
    tools, marks = read_tools(body, tally)
    return {"tools": tools, "messages": chat.messages, "marks": marks + chat.marks + _automatic(body, chat)}


def responses_prompt(body: Record, tally: Tally) -> Prompt:
    """Return the prompt of a Responses body as sent: its instructions as the first message, and the items of its input.

    Raises:
        RecordError: ``no input``, ``message not an object`` or ``content not text``.
    """
    if "input" not in body:
        raise RecordError(NO_INPUT)
    if "prompt" in body:
        tally.note(_HIDDEN)
    field = body["input"]
    if bytes(memoryview(field)[:1]) == b'"':
        field = Raw(b'[{"role":"user","content":' + bytes(field) + b"}]")
    chat = read_chat(field, tally, system=body.get("instructions"), empty=NO_INPUT)
    tools, marks = read_tools(body, tally)
    return {"tools": tools, "messages": chat.messages, "marks": marks + chat.marks, "cache_ask": cache_ask(body)}


def completion_prompt(body: Record) -> Prompt:
    """Return the prompt of a text completion: text as the engine reads it, or token ids.

    Raises:
        RecordError: ``no prompt``, ``several prompts in one request`` or ``token ids not integers``.
    """
    if "prompt" not in body:
        raise RecordError(NO_PROMPT)
    field = body["prompt"]
    value = decode_value(field)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        value = value[0]
    if isinstance(value, str):
        return {"rendered": value}
    if not isinstance(value, list) or not value:
        raise RecordError(NO_PROMPT)
    if any(isinstance(one, str | list) for one in value):
        raise RecordError(_SEVERAL)
    token_ids = packed_ids(bytes(field))
    if token_ids is None:
        raise RecordError(_NO_INTEGERS)
    return {"token_ids": token_ids}


def _automatic(body: Record, chat: Chat) -> tuple[CacheMark, ...]:
    """Return the mark that a body asks for as a whole: behind its last block."""
    field = body.get("cache_control")
    mark = None if field is None else mark_in({"cache_control": decode_value(field)})
    if mark is None:
        return ()
    last = len(chat.messages) - 1
    return (CacheMark(message=last, part=last_part(chat.messages[last]), ttl_s=mark_ttl_s(mark)),)
