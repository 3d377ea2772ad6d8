"""One line to a record whose fields stay JSON text until somebody asks: most of a log is never needed as objects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import ClassVar, Final

import msgspec
from msgspec import Raw

Record = dict[str, Raw]

_FIELDS: Final = msgspec.json.Decoder(dict[str, Raw])
_VALUE: Final = msgspec.json.Decoder()
# Integers beyond this many digits are no count of anything, and turning them into numbers takes quadratic time.
_MAX_DIGITS: Final = 300
_NULL: Final = Raw(b"null")
_MAX_WRAPS: Final = 3
_WRAPPERS: Final = ("request", "body", "input", "params", "request_body")
WRAPPERS: Final = frozenset(_WRAPPERS)
"""The names under which a record may hold another one."""


class _Tolerated:
    """How often the strict parser refused what the tolerant one read."""

    count: ClassVar[int] = 0


class RecordError(Exception):
    """A record cannot be used; ``reason`` is short and stable: reports count by it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def decode_record(line: bytes | Raw) -> Record:
    """Return the fields of the JSON object in ``line``; of repeated keys the last wins.

    Numbers such as ``NaN`` and lone surrogates, which strict JSON forbids and loggers write, are accepted.

    Raises:
        RecordError: ``not an object``, ``too deep``, ``cut off``, ``not UTF-8`` or ``not JSON``.
    """
    try:
        return _FIELDS.decode(line)
    except msgspec.ValidationError:
        value = decode_value(line)  # the first byte said no; the rest may be no JSON either
    except RecursionError:
        raise RecordError("too deep") from None
    except msgspec.DecodeError:
        value = _decode_tolerantly(bytes(line))
    if not isinstance(value, dict):
        raise RecordError("not an object")
    return {key: Raw(json.dumps(field).encode()) for key, field in value.items()}


def decode_value(field: bytes | Raw) -> object:
    """Return the value of a field of a record.

    Raises:
        RecordError: ``too deep``, ``not UTF-8`` or ``not JSON``.
    """
    try:
        return _VALUE.decode(field)
    except RecursionError:
        raise RecordError("too deep") from None
    except msgspec.DecodeError:
        return _decode_tolerantly(bytes(field))


def as_record(field: Raw | None) -> Record | None:
    """Return the fields of an object, or of a string that holds one as JSON; None for anything else."""
    start = bytes(memoryview(field)[:2]) if field is not None else b""
    if field is None or not start.startswith((b"{", b'"{')):
        return None
    if start.startswith(b"{"):
        return decode_record(field)
    try:
        return decode_record(str(decode_value(field)).encode("utf-8", "replace"))
    except RecordError:
        return None


class _Opened:
    """The envelopes opened last: every format asks for those of the same record."""

    envelopes: ClassVar[Sequence[Record]] = ({},)


def remember_envelopes(envelopes: Sequence[Record]) -> None:
    """Have ``open_envelopes`` return ``envelopes`` for their first one, until it is asked for those of another record."""
    _Opened.envelopes = envelopes


def open_envelopes(record: Record) -> Sequence[Record]:
    """Return ``record`` and what is wrapped in it, one in the other, the outermost first; at most three deep."""
    if _Opened.envelopes[0] is record:
        return _Opened.envelopes
    envelopes = [record]
    while len(envelopes) <= _MAX_WRAPS and not WRAPPERS.isdisjoint(envelopes[-1]):
        last = envelopes[-1]
        inner = next((found for name in _WRAPPERS if name in last and (found := as_record(last[name])) is not None), None)
        if inner is None:
            break
        envelopes.append(inner)
    _Opened.envelopes = envelopes
    return envelopes


def unwrap(record: Record, keys: tuple[str, ...]) -> tuple[Record, ...]:
    """Return the envelopes from ``record`` down to the first that has one of ``keys``; empty if none has."""
    envelopes = open_envelopes(record)
    for depth, envelope in enumerate(envelopes, start=1):
        for key in keys:
            if key in envelope:
                return tuple(envelopes[:depth])
    return ()


def flatten(records: Sequence[Record]) -> Record:
    """Return the given fields of all ``records``; where two have one, the first record's; null is not given."""
    return {name: field for record in reversed(records) for name, field in record.items() if field != _NULL}


def tolerated() -> int:
    """Return how many values so far were no strict JSON, and read all the same: with half a character, for example."""
    return _Tolerated.count


def has_repeated_keys(line: bytes) -> bool:
    """Whether any object in ``line`` has the same key twice; slow, and False if the strict parser cannot read it."""
    repeats: list[bool] = []
    try:
        json.loads(line, parse_int=str, object_pairs_hook=lambda pairs: repeats.append(len(dict(pairs)) < len(pairs)))
    except ValueError:
        return False
    return any(repeats)


def _decode_tolerantly(line: bytes) -> object:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise RecordError("not UTF-8") from None
    _Tolerated.count += 1
    try:
        return json.loads(text, parse_int=_integer)
    except RecursionError:
        raise RecordError("too deep") from None
    except json.JSONDecodeError as error:
        raise RecordError("cut off" if _is_cut(text.strip(), error) else "not JSON") from None


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_DIGITS else float(digits)


def _is_cut(text: str, error: json.JSONDecodeError) -> bool:
    if not text.startswith("{") or error.msg == "Extra data":
        return False
    return not text.endswith("}") or error.pos >= len(text) or error.msg.startswith("Unterminated string")
