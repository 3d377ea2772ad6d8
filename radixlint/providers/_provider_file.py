"""Read a provider's YAML file into a cache policy."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Final

from radixlint.errors import DataError
from radixlint.spelling import guess
from radixlint.traffic import CachePolicy

_FOLDER: Final = Path(__file__).parent
_FIGURES: Final = ("block_tokens", "computed_tail_tokens", "eviction")
_MAX_BLOCK_TOKENS: Final = 65_536


def provider_names() -> tuple[str, ...]:
    """Return the names of all providers, sorted: one YAML file each."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


def load_policy(name: str, block_tokens: int | None = None) -> CachePolicy:
    """Return the cache rules of ``name``, with ``block_tokens`` (1 to 65,536) in place of its default if given.

    Raises:
        DataError: the provider is unknown, its file is malformed, or the block size is out of range.
    """
    if name not in provider_names():
        raise _unknown(name)
    figures = _read(_FOLDER / f"{name}.yaml")
    default_block_tokens = _whole(figures["block_tokens"], name)
    source = str(figures["block_tokens"]["source"])
    if block_tokens is not None and block_tokens != default_block_tokens:
        source = f"block size as given; {name}'s default is {default_block_tokens}"
    used_block_tokens = default_block_tokens if block_tokens is None else block_tokens
    if not 1 <= used_block_tokens <= _MAX_BLOCK_TOKENS:
        raise DataError(f"block size {used_block_tokens} is not within 1 to {_MAX_BLOCK_TOKENS}", where=name)
    return CachePolicy(
        name=name,
        block_tokens=used_block_tokens,
        computed_tail_tokens=_whole(figures["computed_tail_tokens"], name),
        eviction=str(figures["eviction"]["value"]),
        source=source,
    )


def _unknown(name: str) -> DataError:
    names = provider_names()
    return DataError(f"unknown engine {name!r}", hint=f"{guess(name, names)}known: {', '.join(names)}")


def _read(path: Path) -> dict[str, dict[str, object]]:
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise DataError(f"not YAML: {error}", where=path.name) from error
    if not isinstance(data, dict):
        raise DataError("a provider file is a mapping", where=path.name)
    return {figure: _figure(data.get(figure), path.name, figure) for figure in _FIGURES}


def _figure(value: object, where: str, figure: str) -> dict[str, object]:
    """Return one figure of a provider file: its ``value``, its ``source`` and the date it was ``checked``."""
    if (
        not isinstance(value, dict)
        or "value" not in value
        or not isinstance(value.get("source"), str)
        or not isinstance(value.get("checked"), datetime.date)
    ):
        raise DataError(f"{figure} needs a value, a source and a checked date", where=where)
    return value


def _whole(figure: dict[str, object], where: str) -> int:
    value = figure["value"]
    if not isinstance(value, int) or isinstance(value, bool):
        raise DataError(f"{value!r} is not a whole number of tokens", where=where)
    return value
