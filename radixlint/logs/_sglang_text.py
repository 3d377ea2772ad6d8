"""SGLang's text form of a request event, as Python prints it, to the same shape as its JSON form."""

from __future__ import annotations

import json
import re
from typing import Final

import msgspec
from msgspec import Raw

from radixlint.logs._python_repr import inner_fields, is_cut, plain_value, scan_fields, string_value
from radixlint.logs._record_json import Record, RecordError
from radixlint.logs._sglang_events import CUT_VALUE, FINISHED, RECEIVED, RECEIVED_CHAT, Event

_EVENT: Final = re.compile(rb"(?:\[\w+\] )?(Receive OpenAI|Receive|Finish): obj=(\w*)")
_KINDS: Final = {b"Receive OpenAI": RECEIVED_CHAT, b"Receive": RECEIVED, b"Finish": FINISHED}
_OTHER_TASKS: Final = (b"EmbeddingReqInput", b"ClassifyReqInput")
_IDS: Final = re.compile(rb"\[[-0-9, ]*\]")
_NUMBER: Final = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?")
_BATCH: Final = Raw(b"[]")
_UNREADABLE: Final = "request line not readable"


def event_in(message: bytes, time: bytes | None) -> Event | None:
    """Return the event in ``message``, a line without its prefix; None if it is none, or of a task without a KV cache.

    Raises:
        RecordError: the line is cut off, not UTF-8 or of an unknown shape.
    """
    opening = _EVENT.match(message)
    if opening is None or opening[2] in _OTHER_TASKS:
        return None
    try:
        fields, _ = scan_fields(message, opening.end(1) + len(": "))
        body = inner_fields(fields.get("obj"))
    except ValueError:
        raise RecordError("cut off") from None
    if not body:
        raise RecordError(_UNREADABLE)
    around: Record = {"headers": _object(inner_fields(fields.get("headers")))}
    if time is not None:
        around["timestamp"] = Raw(msgspec.json.encode(time.decode()))
    kind = _KINDS[opening[1]]
    return Event(
        kind, around, _chat_record(body) if kind == RECEIVED_CHAT else _record(body), _out(inner_fields(fields.get("out")))
    )


def _record(fields: dict[str, bytes]) -> Record:
    return {name: _json(value) for name, value in fields.items()}


def _chat_record(fields: dict[str, bytes]) -> Record:
    record = _record(fields)
    for name in ("messages", "tools"):
        if name in fields:
            record[name] = Raw(msgspec.json.encode(plain_value(fields[name])))
    return record


def _out(fields: dict[str, bytes]) -> Record:
    return {**_record(fields), "meta_info": _object(inner_fields(fields.get("meta_info")))}


def _object(fields: dict[str, bytes]) -> Raw:
    return Raw(msgspec.json.encode(_record(fields)))


def _json(value: bytes) -> Raw:
    """Return a string, a number or a list of integers as JSON, null for what else Python prints."""
    if _IDS.fullmatch(value) or _NUMBER.fullmatch(value):
        return Raw(value)
    if is_cut(value):
        return CUT_VALUE
    try:
        text = string_value(value)
    except UnicodeDecodeError:
        raise RecordError("not UTF-8") from None
    if text is not None:
        return Raw(json.dumps(text).encode())
    return _BATCH if value.startswith((b"[[", b"['", b'["')) else Raw(b"null")
