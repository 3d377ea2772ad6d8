"""What SGLang logs of a request: as received (by the engine or by its OpenAI API) and as finished; one shape for both forms."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Raw, Struct

from radixlint.logs._chat_messages import read_messages
from radixlint.logs._id_lists import packed_ids
from radixlint.logs._python_repr import is_shortened
from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, RecordError, as_record, decode_value
from radixlint.logs._record_settings import read_settings
from radixlint.logs._record_usage import read_usage
from radixlint.logs._sglang_exchanges import Answer, Exchanges, Prompt
from radixlint.logs._tally import Tally
from radixlint.logs._tool_list import read_tools
from radixlint.traffic import Request

RECEIVED: Final = "request.received"
RECEIVED_CHAT: Final = "request.received.openai"
FINISHED: Final = "request.finished"
CUT_VALUE: Final = Raw(b'["..."]')
"""What stands for a value that the text form cut: a list with dots, as the JSON form writes it."""
UNKNOWN_EVENT: Final = "unknown event"
NOT_IDS: Final = "token ids not integers"

_CUT_CHARACTERS: Final = 1024
_CUT_LIST: Final = b'"..."'
_SHARED: Final = ("session_id", "conversation_id", "extra_key", "cache_salt", "lora_path", "model", "user")
_ROUTING_KEY: Final = "x-smg-routing-key"
_USAGE: Final = ("prompt_tokens", "cached_tokens", "completion_tokens")
BODY_FIELDS: Final = ("rid", "text", "input_ids", *_SHARED)
CHAT_FIELDS: Final = ("messages", "tools")
OUT_FIELDS: Final = ("text", "output_ids")
META_FIELDS: Final = (*_USAGE, "e2e_latency", "num_retractions")
"""The fields that are read: of a request, of a chat body beside them, of an answer, and of its figures."""
_NULL: Final = Raw(b"null")


class Event(Struct, frozen=True):
    """One event: ``around`` has ``timestamp`` and ``headers``, ``body`` the request, ``out`` the answer, values as JSON."""

    kind: str
    around: Record
    body: Record
    out: Record


def take_event(event: Event, exchanges: Exchanges, tally: Tally) -> tuple[Request, ...]:
    """Return the requests that are complete with ``event``.

    Raises:
        RecordError: its prompt was cut or is not in it, or it cannot be read.
    """
    body = event.body
    rid = _text(body.get("rid") or event.around.get("rid"))
    if event.kind == RECEIVED_CHAT:
        exchanges.chat(_chat(event, rid, tally))
        return ()
    if event.kind not in (RECEIVED, FINISHED):
        raise RecordError(UNKNOWN_EVENT)
    if bytes(body.get("rid", _NULL)).startswith(b"["):
        return ()  # each request of a batch is logged again with its answer
    shared = _shared(event, rid)
    if event.kind == RECEIVED:
        return exchanges.received(rid, shared, lambda: _prompt(body))
    return exchanges.finished(rid, shared, lambda: _prompt(body), _answer(event.out, tally))


def _shared(event: Event, rid: str | None) -> Record:
    fields: Record = {name: event.body[name] for name in _SHARED if name in event.body}
    key = (as_record(event.around.get("headers")) or {}).get(_ROUTING_KEY)
    if key is not None and not any(_text(fields.get(name)) for name in ("session_id", "conversation_id")):
        fields["session_id"] = key
    if "timestamp" in event.around:
        fields["timestamp"] = event.around["timestamp"]
    if rid is not None:
        fields["id"] = Raw(msgspec.json.encode(rid))
    return fields


def _prompt(body: Record) -> Prompt:
    ids = body.get("input_ids", _NULL)
    is_cut = _CUT_LIST in bytes(ids)
    if ids != _NULL and not is_cut:
        token_ids = packed_ids(bytes(ids))
        if not token_ids:
            raise RecordError(NOT_IDS)
        return Prompt(token_ids=token_ids)
    field = body.get("text", _NULL)
    text = _text(field)
    if text is None:
        return Prompt(is_cut=is_cut or field == CUT_VALUE)
    return Prompt(is_cut=True) if _is_cut_text(text) else Prompt(text=text)


def _answer(out: Record, tally: Tally) -> Answer:
    meta = as_record(out.get("meta_info")) or {}
    usage = {name: decode_value(meta[name]) for name in _USAGE if name in meta}
    latency_s = decode_value(meta.get("e2e_latency", _NULL))
    retractions = decode_value(meta.get("num_retractions", _NULL))
    text = _text(out.get("text"))
    return Answer(
        usage=read_usage(usage, tally),
        output_ids=packed_ids(bytes(out["output_ids"])) if "output_ids" in out else None,
        text=None if text is None or _is_cut_text(text) else text,
        latency_s=latency_s if isinstance(latency_s, float) else None,
        retractions=retractions if isinstance(retractions, int) else 0,
    )


def _chat(event: Event, rid: str | None, tally: Tally) -> Request | None:
    """Return the chat request as sent, its index still open; None if it was cut."""
    if "messages" not in event.body:
        return None
    messages = read_messages(event.body["messages"], tally)
    if any(_is_cut_text(message.text) for message in messages):
        return None
    tools, _ = read_tools(event.body, tally)
    request = shared_fields([_shared(event, rid)], 0, tally)
    return msgspec.structs.replace(request, tools=tools, messages=messages, settings=read_settings(event.body))


def _text(field: Raw | None) -> str | None:
    value = None if field is None else decode_value(field)
    return value if isinstance(value, str) else None


def _is_cut_text(text: str) -> bool:
    # The JSON form keeps as much from the start as from the end, with three dots between.
    is_cut = len(text) == 2 * _CUT_CHARACTERS + 3 and text.startswith("...", _CUT_CHARACTERS)
    return is_cut or is_shortened(text)
