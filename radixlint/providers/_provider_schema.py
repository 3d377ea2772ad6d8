"""What a provider file may hold: its keys, the words and ranges of their values, and the figure that fits a model."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

from msgspec import Struct

from radixlint.errors import DataError
from radixlint.spelling import guess

MAX_BLOCK_TOKENS: Final = 65_536
_MAX_TOKENS: Final = 10_000_000
_MAX_S: Final = 10 * 365 * 24 * 3600
_MAX_FACTOR: Final = 1_000
_MAX_USD: Final = 1_000_000

WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "match": ("block", "breakpoint", "unit"),
    "store": ("tree", "block-pool", "lru-blocks", "slots", "entries"),
    "eviction": ("lru", "lfu", "slru", "priority"),
    "implicit_mark": ("none", "last-block", "last-message"),
    "wire_order": (),
}
"""Keys whose value is a word, one of these; any word for none."""

COUNTS: Final[Mapping[str, tuple[int, int]]] = {
    "block_tokens": (1, MAX_BLOCK_TOKENS),
    "computed_tail_tokens": (0, MAX_BLOCK_TOKENS),
    "min_tokens": (0, _MAX_TOKENS),
    "object_min_tokens": (0, _MAX_TOKENS),
    "unit_tokens": (0, _MAX_TOKENS),
    "max_marks": (0, 1_000),
    "look_back_blocks": (1, _MAX_TOKENS),
    "slots": (1, 100_000),
}
"""Keys whose value is a whole number, with the least and the most it can be."""

TIMES: Final[Mapping[str, tuple[float, float]]] = {"ttl_s": (1, _MAX_S), "long_ttl_s": (1, _MAX_S)}
"""Keys whose value is a time in seconds."""

PRICES: Final[Mapping[str, tuple[float, float]]] = {
    "write_factor": (0, _MAX_FACTOR),
    "long_write_factor": (0, _MAX_FACTOR),
    "read_factor": (0, _MAX_FACTOR),
    "input_usd": (0, _MAX_USD),
    "output_usd": (0, _MAX_USD),
}
"""Keys of ``prices``: factors on the plain input price, and USD per million tokens."""

REQUIRED: Final = ("match", "store", "block_tokens", "computed_tail_tokens")
_KEYS: Final = ("title", "models", "prices", *WORDS, *COUNTS, *TIMES)
_FIGURE_KEYS: Final = ("value", "source", "checked", "models")


class Figure(Struct, frozen=True):
    """One checked figure: its value, for the models it holds for (all where none are named), and where it is from."""

    value: str | int | float
    source: str
    checked: datetime.date
    models: tuple[str, ...] = ()


Figures = Mapping[str, tuple[Figure, ...]]


class ProviderFile(Struct, frozen=True):
    """One provider as its files describe it; figures stand in order, the first that fits a model counts."""

    title: str
    models: tuple[str, ...]
    figures: Figures
    prices: Figures


def read_provider(raw: object, where: str, name: str) -> ProviderFile:
    """Return the checked form of one provider's mapping; keys that are needed may be missing still.

    Raises:
        DataError: a key is unknown, or a value is not what its key takes.
    """
    mapping = _mapping(raw, where, name, _KEYS)
    prices = _mapping(mapping.get("prices", {}), where, f"{name}.prices", tuple(PRICES))
    title = mapping.get("title", "")
    if not isinstance(title, str):
        raise DataError(f"title of {name} must be text", where=where)
    return ProviderFile(
        title=title,
        models=_patterns(mapping.get("models", []), where, f"{name}.models"),
        figures={key: _figures(key, value, where) for key, value in mapping.items() if key not in ("title", "models", "prices")},
        prices={key: _figures(key, value, where) for key, value in prices.items()},
    )


def fitting(figures: Iterable[Figure], model: str | None) -> Figure | None:
    """Return the first figure for ``model``, else one for all models, else None."""
    return next((f for f in figures if not f.models or (model is not None and fits(f.models, model))), None)


def fits(patterns: Iterable[str], model: str) -> bool:
    """Whether a model's name, less the folders in front, is like one of ``patterns`` (``*``, ``?``, ``[a-z]``).

    >>> fits(["claude-*"], "anthropic/claude-opus-5"), fits(["claude-*"], "us.anthropic.claude-opus-5")
    (True, False)
    """
    name = model.rsplit("/", 1)[-1]
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _mapping(raw: object, where: str, what: str, known: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(raw, dict):
        raise DataError(f"{what} must be a mapping of keys", where=where)
    for key in raw:
        if key not in known:
            raise DataError(
                f"{what} has an unknown key {str(key)[:60]!r}",
                where=where,
                hint=f"{guess(str(key), known)}known: {', '.join(sorted(known))}",
            )
    return raw


def _patterns(raw: object, where: str, what: str) -> tuple[str, ...]:
    listed = [raw] if isinstance(raw, str) else raw
    if not isinstance(listed, list) or not all(isinstance(item, str) and item for item in listed):
        raise DataError(f"{what} must be a list of patterns of model names", where=where)
    return tuple(listed)


def _figures(key: str, raw: object, where: str) -> tuple[Figure, ...]:
    entries = raw if isinstance(raw, list) else [raw]
    if not entries:
        raise DataError(f"{key} needs a value, a source and a checked date", where=where)
    return tuple(_figure(key, entry, where) for entry in entries)


def _figure(key: str, raw: object, where: str) -> Figure:
    entry = raw if isinstance(raw, dict) else {}
    source, checked = entry.get("source"), entry.get("checked")
    if "value" not in entry or not isinstance(source, str) or not isinstance(checked, datetime.date):
        raise DataError(
            f"{key} needs a value, a source and a checked date",
            where=where,
            hint=f'write {key}: {{value: ..., source: "...", checked: 2026-11-29}}',
        )
    _mapping(entry, where, key, _FIGURE_KEYS)
    models = _patterns(entry.get("models", []), where, f"{key}.models")
    return Figure(_value(key, entry["value"], where), source, checked, models)


def _value(key: str, value: object, where: str) -> str | int | float:
    if key in WORDS:
        if not isinstance(value, str) or (WORDS[key] and value not in WORDS[key]):
            known = f"one of {', '.join(WORDS[key])}" if WORDS[key] else "a name"
            raise DataError(f"{key}: {_shown(value)} is not {known}", where=where, hint=guess(str(value), WORDS[key]) or None)
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"{key}: {_shown(value)} is not a number", where=where)
    if key in COUNTS and not isinstance(value, int):
        raise DataError(f"{key}: {_shown(value)} is not a whole number", where=where)
    least, most = {**COUNTS, **TIMES, **PRICES}[key]
    if not least <= value <= most:
        raise DataError(f"{key}: {_shown(value)} is not within {least:,} to {most:,}", where=where)
    return value


def _shown(value: object) -> str:
    """Return a value for a message; only of scalars, for a nested one can be larger than memory once its aliases unfold."""
    return repr(value)[:60] if isinstance(value, str | int | float) else f"a {type(value).__name__}"
