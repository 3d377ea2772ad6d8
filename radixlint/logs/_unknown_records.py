"""What a record that no format knows is instead, where that can be told, and what its owner can do."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from radixlint.logs._record_json import Record, as_record, open_envelopes

UNKNOWN: Final = "no known shape"
_ANSWER: Final = "answers without requests"
_ACCESS: Final = "access log lines"
ACCESS_ADVICE: Final = (
    "an access log holds no prompts: log the request bodies at a gateway, or with the engine's request log; "
    "docs/formats.md lists how"
)
_ADVICE: Final = {
    _ANSWER: (
        "answers alone say nothing about prompts: log the request bodies beside them, a record a call: "
        '{"request": {...}, "response": {...}}'
    ),
    _ACCESS: ACCESS_ADVICE,
    UNKNOWN: "radixlint formats lists what is known; --map FILE describes a format of your own, see docs/log-maps.md",
}

_ANSWER_KINDS: Final = (b'"chat.completion"', b'"chat.completion.chunk"', b'"text_completion"', b'"response"')
_ANSWER_KEYS: Final = ("choices", "candidates", "stop_reason", "stopReason")
_REQUEST_LINE: Final = re.compile(rb'"[A-Z]{3,7} [^" ]+ HTTP/')
_STATUS: Final = ("status", "status_code", "response_code", "response_status")
_METHOD: Final = ("method", "request_method", "http_method", "verb")
_PATH: Final = ("path", "uri", "url", "request_uri", "request_url")


def unknown_reason(record: Record) -> str:
    """Return why ``record``, which no format knows, is skipped; ``advice`` has more on each reason."""
    envelopes = open_envelopes(record)
    if any(map(_is_answer, (*envelopes, as_record(record.get("response")) or {}))):
        return _ANSWER
    return _ACCESS if _is_access(envelopes) else UNKNOWN


def advice(reasons: Collection[str]) -> str | None:
    """Return what to do about the most telling of ``reasons``, None if none of them is one of ``unknown_reason``."""
    return next((told for reason, told in _ADVICE.items() if reason in reasons), None)


def _is_answer(record: Record) -> bool:
    return bytes(record.get("object", b"")) in _ANSWER_KINDS or any(name in record for name in _ANSWER_KEYS)


def _is_access(envelopes: Sequence[Record]) -> bool:
    if not any(name in record for record in envelopes for name in _STATUS):
        return False
    fields = {name: value for record in envelopes for name, value in record.items()}
    if _REQUEST_LINE.match(fields.get("request", b"")):
        return True
    return any(name in fields for name in _METHOD) and any(name in fields for name in _PATH)
