"""What else a record tells that may bear on a miss: parameters that stand beside the prompt, and the provider's diagnosis.

The text of answers stands under some of these names too, so each name takes values of its own kinds only.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Sequence
from typing import Final

from msgspec import Raw

from radixlint.logs._beside_messages import PARAMETER_PLACES
from radixlint.logs._compact_json import compact
from radixlint.logs._opened_text import opened
from radixlint.logs._record_json import Record, RecordError, as_record, decode_value
from radixlint.recent import Recent
from radixlint.traffic import Settings

Word = str | None
_OBJECT, _SWITCH, _TEXT = b"{", b"{tf", b'"'
_ANY: Final = b'"{[tf-0123456789'
# First bytes of the JSON that a parameter may be.
_KINDS: Final[dict[str, bytes]] = {
    **dict.fromkeys(("tool_choice", "function_call", "parallel_tool_calls", "response_format", "output_format"), _ANY),
    **dict.fromkeys(("reasoning_effort", "verbosity", "output_config", "service_tier", "prompt_cache_key"), _ANY),
    **dict.fromkeys(("prompt_cache_retention", "chat_template", "chat_template_kwargs", "thinking_budget"), _ANY),
    **dict.fromkeys(("reasoning", "web_search_options", "search_parameters", "context_management"), _OBJECT),
    **dict.fromkeys(("thinking", "enable_thinking", "citations", "web_search", "enable_search"), _SWITCH),
    **dict.fromkeys(("effort", "speed", "truncation"), _TEXT),
}
PARAMETER_NAMES: Final = (*_KINDS, "text")
"""The parameters that are kept; ``text`` is an object of which some are."""
_TEXT_PARTS: Final = ("format", "verbosity")
_PLACES: Final = (*PARAMETER_PLACES, "modelParameters")
# The field with a diagnosis, and what in it names the reason.
_DIAGNOSES: Final = {
    "diagnostics": ("cache_miss_reason",),
    "prompt_cache_diagnostics": ("reason", "cache_miss_reason", "type"),
    "cache_diagnostics": ("cache_miss_reason", "reason"),
    "cache_miss_reason": ("reason", "type"),
}
_REASON_KEYS: Final = ("type", "reason", "code")
_NO_REASON: Final = ("cache_hit", "cache_miss", "hit", "miss", "none", "pending")
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,59}\Z")
_ALL: Final = frozenset((*PARAMETER_NAMES, *_PLACES, *_DIAGNOSES))
_DIAGNOSED: Final = frozenset(_DIAGNOSES)
_MOST_BYTES: Final = 2_000
_MAX_KEYS: Final = 256
_ENTRY_COST: Final = 200
_KEPT: Final[Recent[object, Settings]] = Recent(8 << 20)


def read_settings(body: Record, answers: Sequence[Record] = (), beside: Record | None = None) -> Settings | None:
    """Return the parameters in ``body`` and the reason for a miss in ``answers``, None if there is neither.

    ``beside`` are the fields around the body, where a gateway may have put the reason; None for the body itself.
    """
    reason = None
    is_plain = _ALL.isdisjoint(body)
    for one in reversed(answers):
        if reason is None and not _DIAGNOSED.isdisjoint(one):
            reason = _reason(one)
    if reason is None and not (is_plain if beside is None else _DIAGNOSED.isdisjoint(beside)):
        reason = _reason(body if beside is None else beside)
    if is_plain:
        return None if reason is None else _shared((), reason)
    find = _present if len(body) <= _MAX_KEYS else _present.__wrapped__
    names, places = find(tuple(body))
    given: Record = {}
    for place in places:
        given = {**_taken(as_record(opened(body[place])) or {}), **given}
    return _shared(tuple(({**given, **_taken(body, names)} if names else given).items()), reason)


def joined_settings(first: Settings | None, second: Settings | None) -> Settings | None:
    """Return what two halves of a record tell of the same call; ``first`` goes before ``second``."""
    if first is None or second is None:
        return second if first is None else first
    parameters = dict(second.parameters) | dict(first.parameters)
    joined = Settings(tuple(sorted(parameters.items())), first.miss_reason or second.miss_reason)
    return _one_of(joined, joined)


@functools.lru_cache(maxsize=1024)
def _present(names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return which of the keys of a body are parameters, and which hold some: logs have a few shapes."""
    return tuple(one for one in names if one in PARAMETER_NAMES), tuple(one for one in names if one in _PLACES)


def _taken(fields: Record, names: tuple[str, ...] = PARAMETER_NAMES) -> Record:
    taken: Record = {}
    for name in names:
        field = fields.get(name)
        if field is None or field == Raw(b"null"):
            continue
        if name == "text":
            inner = as_record(field) if bytes(memoryview(field)[:1]) == _OBJECT else None
            parts = {f"text.{part}": inner[part] for part in _TEXT_PARTS if part in inner} if inner else {}
            taken |= {part: value for part, value in parts.items() if value != Raw(b"null")}
        elif bytes(memoryview(field)[:1]) in _KINDS[name]:
            taken[name] = field
    return taken


def _shared(given: tuple[tuple[str, Raw], ...], reason: Word) -> Settings | None:
    if not given and reason is None:
        return None
    key = (reason, tuple([(name, _short(bytes(value))) for name, value in given]))
    known = _KEPT.get(key)
    if known is None:
        settings = Settings(tuple(sorted((name, _value(value)) for name, value in given)), reason)
        # The same values may be written with other white space or in another order.
        known = _one_of(key, _one_of(settings, settings))
    return known


def _one_of(key: object, settings: Settings) -> Settings:
    known = _KEPT.get(key)
    if known is None:
        known = settings
        _KEPT.keep(key, known, _ENTRY_COST + sum(len(value) for _, value in settings.parameters))
    return known


def _short(value: bytes) -> bytes:
    return value if len(value) <= _MOST_BYTES else hashlib.blake2b(value, digest_size=16).digest()


def _value(field: Raw) -> str:
    """Return a value as compact JSON, a long one as its hash."""
    value = compact(bytes(field).decode("utf-8", "replace")).encode("utf-8", "replace")
    if len(value) > _MOST_BYTES:
        return f'"blake2b:{hashlib.blake2b(value, digest_size=16).hexdigest()}"'
    return value.decode()


def _reason(fields: Record) -> Word:
    for name, keys in _DIAGNOSES.items():
        if name not in fields:
            continue
        try:
            value = decode_value(fields[name])
        except RecordError:  # nested too deep to be a reason, but the request beside it is good
            continue
        if isinstance(value, dict):
            value = next((value[key] for key in keys if value.get(key) is not None), None)
        elif name != "cache_miss_reason":
            continue
        if isinstance(value, dict):
            value = next((value[key] for key in _REASON_KEYS if value.get(key) is not None), None)
        if isinstance(value, str) and value.lower() not in _NO_REASON and _WORD.match(value):
            return value
    return None
