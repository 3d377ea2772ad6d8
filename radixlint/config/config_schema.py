"""The JSON Schema of a config file, made from the table of keys; editors check and complete ``radixlint.toml`` with it."""

from __future__ import annotations

import json
from typing import Any, Final

from radixlint.config.setting_keys import KEYS, LIFETIMES, Key, Kind

_STRING: Final = {"type": "string"}
_STRINGS: Final = {"type": "array", "items": _STRING}
_LIFETIME: Final = {"type": "string", "enum": list(LIFETIMES)}
# user.name = "user" is a nested table to TOML and one dotted name to us.
_LIFETIMES: Final = {"type": "object", "additionalProperties": {"$ref": "#/definitions/lifetime"}}


def config_schema() -> str:
    """Return the schema (draft 7) as JSON with one newline at its end."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "radixlint.toml, and [tool.radixlint] of pyproject.toml",
        "type": "object",
        "additionalProperties": False,
        "definitions": {"lifetime": {"anyOf": [_LIFETIME, _LIFETIMES]}},
        "properties": {key.name: _property(key) for key in KEYS},
    }
    return json.dumps(schema, indent=2) + "\n"


def _property(key: Key) -> dict[str, Any]:
    default = {} if key.default is None else {"default": key.default}
    return {"description": key.summary, **_type(key), **default}


def _type(key: Key) -> dict[str, Any]:
    """Return what a key holds, in the words of JSON Schema."""
    if key.kind is Kind.STRINGS:
        return _STRINGS
    if key.kind is Kind.WORD:
        return {"type": "string", "enum": list(key.known)} if key.known else _STRING
    if key.kind is Kind.FLAG:
        return {"type": "boolean"}
    if key.kind is Kind.COUNT:
        return {"type": "integer", "minimum": key.least}
    if key.kind is Kind.LIFETIMES:
        return _LIFETIMES
    if key.kind is Kind.CODES_BY_GLOB:
        return {"type": "object", "additionalProperties": _STRINGS}
    if key.kind is Kind.LIFETIMES_BY_GLOB:
        return {"type": "object", "additionalProperties": _LIFETIMES}
    if key.kind is Kind.WORDS:
        words = {name: {"type": "string", "minLength": 1} for name in key.known}
        return {"type": "object", "additionalProperties": False, "properties": words}
    counts = {name: {"type": "integer", "minimum": 0} for name in key.known}
    rule = {"type": "object", "additionalProperties": False, "properties": counts, "required": list(key.known)}
    return {"type": "object", "additionalProperties": rule}
