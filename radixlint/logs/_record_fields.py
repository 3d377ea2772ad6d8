"""The fields that all formats share: who asked, when, which model, what is never shared, what the server reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.logs._record_json import Record, as_record, decode_value, first_given
from radixlint.logs._record_time import parse_time
from radixlint.logs._record_usage import read_usage
from radixlint.logs._tally import Tally
from radixlint.traffic import Request, Usage

UNREADABLE_TIME: Final = "Times that cannot be read were dropped"
NAIVE_TIME: Final = "Times without a zone were read as UTC"

_ID: Final = ("request_id", "id", "custom_id")
_SESSION: Final = ("session", "session_id", "conversation_id", "thread_id")
_USER: Final = ("user", "user_id", "safety_identifier")
_TIME: Final = ("ts", "timestamp", "time", "created_at", "created")
_RESPONSE: Final = ("response", "response_body", "output")
# What separates caches besides the model, with the word that names it.
_NAMESPACE: Final = (
    ("lora", ("lora", "lora_name", "lora_path")),
    ("key", ("extra_key",)),
    ("salt", ("cache_salt",)),
    ("org", ("organization", "organization_id")),
)


def shared_fields(envelopes: Sequence[Record], index: int, tally: Tally) -> Request:
    """Return a request with everything but its content, looked up in ``envelopes``, the outermost first."""
    responses = response_records(envelopes[0])
    metadata = [found for envelope in envelopes if (found := as_record(envelope.get("metadata"))) is not None]
    model = _text(envelopes, ("model",))
    return Request(
        index=index,
        id=_text(envelopes, _ID),
        session=_text([*envelopes, *metadata], _SESSION),
        user=_text([*envelopes, *metadata], _USER),
        model=model,
        namespace=_namespace(envelopes, model),
        time_s=_time([*envelopes, *responses], tally),
        usage=_usage([*envelopes, *responses], tally),
    )


def response_records(record: Record) -> list[Record]:
    """Return the answer beside a request, and the body in it, as far as they are logged."""
    answer = next((found for name in _RESPONSE if (found := as_record(record.get(name))) is not None), None)
    if answer is None:
        return []
    body = as_record(answer.get("body"))
    return [answer] if body is None else [answer, body]


def _text(records: Sequence[Record], names: tuple[str, ...]) -> str | None:
    for name in names:
        field = first_given(records, (name,))
        value = None if field is None else decode_value(field)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return str(value)
    return None


def _namespace(envelopes: Sequence[Record], model: str | None) -> str:
    parts = [] if model is None else [model]
    given = _text(envelopes, ("namespace",))
    if given is not None:
        parts.append(given)
    for word, names in _NAMESPACE:
        value = _text(envelopes, names)
        if value is not None:
            parts.append(f"{word}={value}")
    return " ".join(parts)


def _time(records: Sequence[Record], tally: Tally) -> float | None:
    field = first_given(records, _TIME)
    if field is None:
        return None
    time_s, is_naive = parse_time(decode_value(field))
    if time_s is None:
        tally.note(UNREADABLE_TIME)
    if is_naive:
        tally.note(NAIVE_TIME)
    return time_s


def _usage(records: Sequence[Record], tally: Tally) -> Usage | None:
    field = first_given(records, ("usage",))
    return None if field is None else read_usage(decode_value(field), tally)
