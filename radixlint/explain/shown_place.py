"""The name of a place as a report may say it: without names out of a tool's schema that too few conversations have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.privacy import Disclosure
from radixlint.result.measurement import Show

_NEAR: Final = 32
# Words of JSON schemas and of the APIs that take them; all other names in a tool's JSON are the log's.
_SCHEMA_WORDS: Final = frozenset(
    (
        *("name", "title", "description", "parameters", "input_schema", "strict", "type", "properties", "required", "items"),
        *("additionalProperties", "enum", "const", "default", "examples", "format", "pattern", "anyOf", "oneOf", "allOf"),
        *("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "function", "cache_control", "_defs"),
    )
)


def shown_place(where: str, positions: Sequence[int], disclosure: Disclosure) -> str:
    """Return ``where`` with ``*`` for names that may not be shown; ``positions`` are the requests that hold them."""
    if not where.startswith("tools["):
        return where
    place, *names = where.split(".")
    near = positions[:_NEAR]
    return ".".join([place, *(name if _is_shown(name.partition("[")[0], near, disclosure) else "*" for name in names)])


def _is_shown(name: str, near: Sequence[int], disclosure: Disclosure) -> bool:
    if name in _SCHEMA_WORDS or disclosure.show is Show.TEXT:
        return True
    return disclosure.show is Show.SHARED and disclosure.is_common(f'"{name}"', near)
