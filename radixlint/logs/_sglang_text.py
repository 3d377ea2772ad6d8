"""SGLang's text form of a request event, as Python prints it, to the same shape as its JSON form."""

from __future__ import annotations

import json
import re
from typing import Final

import msgspec
from msgspec import Raw

from radixlint.logs._python_repr import inner_fields, is_cut, plain_value, scan_fields, string_value
from radixlint.logs._record_json import Record, RecordError
from radixlint.logs._sglang_events import (
    BODY_FIELDS,
    CHAT_FIELDS,
    CUT_VALUE,
    FINISHED,
    META_FIELDS,
    OUT_FIELDS,
    RECEIVED,
    RECEIVED_CHAT,
    Event,
)

_EVENT: Final = re.compile(rb"(?:\[\w+\] )?(Receive OpenAI|Receive|Finish): obj=(\w*)[({]")
_KINDS: Final = {b"Receive OpenAI": RECEIVED_CHAT, b"Receive": RECEIVED, b"Finish": FINISHED}
_OTHER_TASKS: Final = (b"EmbeddingReqInput", b"ClassifyReqInput")
_IDS: Final = re.compile(rb"\[[-0-9, ]*\]")
_NUMBER: Final = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?")
_BATCH: Final = Raw(b"[]")
_NULL: Final = Raw(b"null")


def event_in(message: bytes, time: bytes | None) -> Event | None:
    """Return the event in ``message``, a line without its prefix; None if it is none, or of a task without a KV cache.

    Raises:
        RecordError: the line is cut off, or not UTF-8.
    """
    opening = _EVENT.match(message)
    if opening is None or opening[2] in _OTHER_TASKS:
        return None
    kind = _KINDS[opening[1]]
    try:
        body, end = scan_fields(message, opening.end())
        if end == len(message):
            raise ValueError("a bracket is not closed")
        around, _ = scan_fields(message, end + 1)
        out = inner_fields(around.get("out"))
        headers, meta = inner_fields(around.get("headers")), inner_fields(out.get("meta_info"))
    except ValueError:
        raise RecordError("cut off") from None
    request = _record(body, BODY_FIELDS)
    if kind == RECEIVED_CHAT:
        request |= {name: _literal(body[name]) for name in CHAT_FIELDS if name in body}
    return Event(
        kind=kind,
        around={"headers": _object(headers, tuple(headers))} | ({} if time is None else {"timestamp": _string(time.decode())}),
        body=request,
        out=_record(out, OUT_FIELDS) | {"meta_info": _object(meta, META_FIELDS)},
    )


def _record(fields: dict[str, bytes], names: tuple[str, ...]) -> Record:
    return {name: _json(fields[name]) for name in names if name in fields}


def _object(fields: dict[str, bytes], names: tuple[str, ...]) -> Raw:
    return Raw(msgspec.json.encode(_record(fields, names)))


def _literal(value: bytes) -> Raw:
    try:
        return Raw(json.dumps(plain_value(value)).encode())
    except (TypeError, ValueError, RecursionError):
        return _NULL  # not what JSON can hold


def _json(value: bytes) -> Raw:
    """Return a string, a number or a list of integers as JSON, null for what else Python prints."""
    if value == b"None":
        return _NULL
    if _IDS.fullmatch(value) or _NUMBER.fullmatch(value):
        return Raw(value)
    if is_cut(value):
        return CUT_VALUE
    try:
        text = string_value(value)
    except UnicodeDecodeError:
        raise RecordError("not UTF-8") from None
    if text is not None:
        return _string(text)
    return _BATCH if value.startswith((b"[[", b"['", b'["')) else _NULL


def _string(text: str) -> Raw:
    return Raw(json.dumps(text).encode())
