"""The fields that all formats share: who asked, when, which model, what is never shared, what the server reported."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from typing import Final

from radixlint.logs._record_callers import name_nobody, read_callers
from radixlint.logs._record_json import Record, as_record, decode_value, flatten
from radixlint.logs._record_reply import read_reply
from radixlint.logs._record_settings import read_settings
from radixlint.logs._record_time import parse_time
from radixlint.logs._record_usage import USAGE_NAMES, read_usage
from radixlint.logs._tally import Tally
from radixlint.traffic import Request, Usage

UNREADABLE_TIME: Final = "Times that cannot be read were dropped"
NAIVE_TIME: Final = "Times without a zone were read as UTC"
ODD_PRIORITY: Final = "Priorities that are no integer were dropped"

_MODEL: Final = ("model",)
_ID: Final = ("request_id", "id", "custom_id")
_TIME: Final = ("ts", "timestamp", "time", "created_at", "created")
_RESPONSE: Final = ("response", "response_body", "output")
_USAGE: Final = ("usage", "usageMetadata", "usage_metadata", "meta_info", "tokenUsage")
# What separates caches besides the model, with the word that names it. A prompt_cache_key only routes.
_NAMESPACE: Final = (
    ("lora", ("lora", "lora_name", "lora_path")),
    ("key", ("extra_key",)),
    ("salt", ("cache_salt", "prompt_cache_isolation_key")),
    ("org", ("organization", "organization_id", "organisation", "organisation_id", "org", "org_id")),
    ("workspace", ("workspace", "workspace_id")),
)
_ANSWERS: Final = frozenset(_RESPONSE)
_USAGES: Final = frozenset(_USAGE) | USAGE_NAMES
_SEPARATING: Final = frozenset(("namespace", *(name for _, names in _NAMESPACE for name in names)))
_MORE: Final = _ANSWERS | _USAGES | _SEPARATING | {"priority"}
_MAX_KEYS: Final = 256


def shared_fields(
    envelopes: Sequence[Record],
    index: int,
    tally: Tally,
    *,
    answers: Sequence[Record] | None = None,
    is_usage_inclusive: bool | None = None,
) -> Request:
    """Return a request with everything but its prompt, looked up in ``envelopes``, the outermost first.

    ``answers`` are the envelopes of the answer, the outermost first; None for what stands beside the request.
    ``is_usage_inclusive`` is how the record's API counts; see ``read_usage``.
    """
    fields = flatten(envelopes)
    if len(envelopes) == 1 and answers is None and len(envelopes[0]) <= _MAX_KEYS and _is_bare(tuple(envelopes[0])):
        return _bare_request(fields, index, tally)
    callers = read_callers(envelopes)
    answers = response_records(envelopes[0]) if answers is None else answers
    with_answer = flatten([fields, *answers]) if answers else fields
    model = _text(fields, _MODEL) or _text(with_answer, _MODEL)
    return Request(
        index=index,
        id=_text(fields, _ID),
        session=callers.session,
        user=callers.user,
        model=None if model is None else sys.intern(model),
        namespace=_namespace(fields, model),
        priority=_priority(fields, tally),
        time_s=_time(with_answer, tally),
        usage=_usage(with_answer, tally, is_usage_inclusive),
        reply=read_reply(answers, tally) if answers else None,
        tenant=callers.tenant,
        tags=callers.tags,
        template=callers.template,
        host=callers.host,
        settings=read_settings(fields, answers) if len(envelopes) == 1 else read_settings(envelopes[-1], answers, fields),
    )


def _bare_request(fields: Record, index: int, tally: Tally) -> Request:
    model = _text(fields, _MODEL)
    shared = "" if model is None else sys.intern(model)
    settings = read_settings(fields)
    id_, time_s = _text(fields, _ID), _time(fields, tally)
    return Request(index, id=id_, model=shared or None, namespace=shared, time_s=time_s, settings=settings)


@functools.lru_cache(maxsize=1024)
def _is_bare(names: tuple[str, ...]) -> bool:
    """Whether a record with the keys ``names`` tells its id, model and time at most: many logs hold bodies as sent."""
    return name_nobody(names) and _MORE.isdisjoint(names)


def response_records(record: Record) -> list[Record]:
    """Return the answer beside a request, and the body in it, as far as they are logged."""
    if _ANSWERS.isdisjoint(record):
        return []
    answer = next((found for name in _RESPONSE if name in record and (found := as_record(record[name])) is not None), None)
    if answer is None:
        return []
    body = as_record(answer.get("body"))
    return [answer] if body is None else [answer, body]


def _usage(fields: Record, tally: Tally, is_inclusive: bool | None) -> Usage | None:
    if _USAGES.isdisjoint(fields):
        return None
    name = next((name for name in _USAGE if name in fields), None)
    if name is not None:
        return read_usage(decode_value(fields[name]), tally, is_inclusive=is_inclusive)
    own = USAGE_NAMES & fields.keys()
    return read_usage({name: decode_value(fields[name]) for name in own}, tally) if own else None


def _text(fields: Record, names: tuple[str, ...]) -> str | None:
    for name in names:
        if name in fields:
            value = decode_value(fields[name])
            if type(value) is str:
                if value:
                    return value
            elif isinstance(value, int) and not isinstance(value, bool):
                return str(value)
    return None


def _namespace(fields: Record, model: str | None) -> str:
    if fields.keys().isdisjoint(_SEPARATING):
        return sys.intern(model or "")
    parts = [] if model is None else [model]
    given = _text(fields, ("namespace",))
    if given is not None:
        parts.append(given)
    for word, names in _NAMESPACE:
        value = _text(fields, names)
        if value is not None:
            parts.append(f"{word}={value}")
    return sys.intern(" ".join(parts))


def _priority(fields: Record, tally: Tally) -> int:
    if "priority" not in fields:
        return 0
    value = decode_value(fields["priority"])
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    tally.note(ODD_PRIORITY)
    return 0


def _time(fields: Record, tally: Tally) -> float | None:
    for name in _TIME:
        if name in fields:
            break
    else:
        return None
    time_s, is_naive = parse_time(decode_value(fields[name]))
    if time_s is None:
        tally.note(UNREADABLE_TIME)
    if is_naive:
        tally.note(NAIVE_TIME)
    return time_s
