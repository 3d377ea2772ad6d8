"""The fields that all formats share: who asked, when, which model, what is never shared, what the server reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.logs._record_callers import session_and_user
from radixlint.logs._record_json import Record, as_record, decode_value, flatten
from radixlint.logs._record_time import parse_time
from radixlint.logs._record_usage import read_usage
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

UNREADABLE_TIME: Final = "Times that cannot be read were dropped"
NAIVE_TIME: Final = "Times without a zone were read as UTC"

_ID: Final = ("request_id", "id", "custom_id")
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
    fields = flatten(envelopes)
    session, user = session_and_user(envelopes)
    with_answer = flatten([fields, *response_records(envelopes[0])])
    model = _text(fields, ("model",))
    return Request(
        index=index,
        id=_text(fields, _ID),
        session=session,
        user=user,
        model=model,
        namespace=_namespace(fields, model),
        time_s=_time(with_answer, tally),
        usage=read_usage(decode_value(with_answer["usage"]), tally) if "usage" in with_answer else None,
    )


def response_records(record: Record) -> list[Record]:
    """Return the answer beside a request, and the body in it, as far as they are logged."""
    answer = next((found for name in _RESPONSE if (found := as_record(record.get(name))) is not None), None)
    if answer is None:
        return []
    body = as_record(answer.get("body"))
    return [answer] if body is None else [answer, body]


def _text(fields: Record, names: tuple[str, ...]) -> str | None:
    for name in names:
        if name in fields:
            value = decode_value(fields[name])
            if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
                return str(value)
    return None


def _namespace(fields: Record, model: str | None) -> str:
    parts = [] if model is None else [model]
    given = _text(fields, ("namespace",))
    if given is not None:
        parts.append(given)
    for word, names in _NAMESPACE:
        value = _text(fields, names)
        if value is not None:
            parts.append(f"{word}={value}")
    return " ".join(parts)


def _time(fields: Record, tally: Tally) -> float | None:
    field = next((fields[name] for name in _TIME if name in fields), None)
    if field is None:
        return None
    time_s, is_naive = parse_time(decode_value(field))
    if time_s is None:
        tally.note(UNREADABLE_TIME)
    if is_naive:
        tally.note(NAIVE_TIME)
    return time_s
