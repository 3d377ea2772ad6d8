"""Find a provider by name or model, packaged or in files of the user's, and read it as a cache policy and as prices."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from radixlint.errors import DataError
from radixlint.providers._provider_schema import (
    COUNTS,
    MAX_BLOCK_TOKENS,
    PRICES,
    REQUIRED,
    TIMES,
    WORDS,
    Figure,
    ProviderFile,
    fits,
    fitting,
    read_provider,
)
from radixlint.providers._provider_text import read_bytes, yaml_mapping
from radixlint.result.money import PriceFactors
from radixlint.spelling import guess
from radixlint.traffic import CachePolicy

_FOLDER: Final = Path(__file__).parent


def provider_names(files: Sequence[Path] = ()) -> tuple[str, ...]:
    """Return the names of all providers, packaged and in ``files``, sorted.

    Raises:
        DataError: one of ``files`` is malformed.
    """
    return tuple(sorted({*_names_in(_FOLDER), *(name for path in files for name in providers_in(path))}))


@functools.cache
def _names_in(folder: Path) -> tuple[str, ...]:
    return tuple(path.stem for path in folder.glob("*.yaml"))


def provider_of_model(model: str, files: Sequence[Path] = ()) -> str | None:
    """Return the provider whose ``models`` fit ``model`` by the longest pattern, None if none does.

    Raises:
        DataError: a file is malformed.
    """
    found = [
        (-len(pattern), name)
        for name in provider_names(files)
        for pattern in _provider(name, tuple(files)).models
        if fits((pattern,), model)
    ]
    return min(found)[1] if found else None


def load_policy(
    name: str, block_tokens: int | None = None, *, model: str | None = None, files: Sequence[Path] = ()
) -> CachePolicy:
    """Return the cache rules of ``name`` for ``model``, with ``block_tokens`` (1 to 65,536) in place of its default if given.

    Upper and lower case of ``name`` are alike; the policy has the name as it is filed. ``files`` add providers or override
    keys of known ones, the last file last.

    Raises:
        DataError: the provider is unknown, a file is malformed, or the block size is out of range.
    """
    name = _filed_name(name, files)
    provider = _provider(name, tuple(files))
    found = {key: fitting(figures, model) for key, figures in provider.figures.items()}
    for key in REQUIRED:
        if found.get(key) is None:
            raise DataError(f"{key} needs a value, a source and a checked date", where=f"{name}.yaml")
    fields: dict[str, Any] = {
        key: figure.value for key, figure in found.items() if figure is not None and key in (*WORDS, *COUNTS, *TIMES)
    }
    # Neither says how a cache answers a request.
    fields.pop("wire_order", None)
    fields.pop("object_min_tokens", None)
    default = found["block_tokens"]
    assert default is not None
    fields["source"] = default.source
    if block_tokens is not None and block_tokens != default.value:
        fields["source"] = f"block size as given; {name}'s default is {default.value}"
        fields["block_tokens"] = block_tokens
    if not 1 <= fields["block_tokens"] <= MAX_BLOCK_TOKENS:
        raise DataError(f"block size {block_tokens} is not within 1 to {MAX_BLOCK_TOKENS}", where=name)
    return CachePolicy(name=name, **fields)


def figures_of(name: str, model: str | None) -> Mapping[str, Figure]:
    """Return the figures of provider ``name`` that hold for ``model``, by key.

    Raises:
        DataError: the provider is unknown.
    """
    figures = _provider(name, ()).figures
    return {key: found for key, some in figures.items() if (found := fitting(some, model)) is not None}


def title_of(name: str, files: Sequence[Path] = ()) -> str:
    """Return who the provider is, in words; empty where its file does not say it.

    Raises:
        DataError: the provider is unknown, or a file is malformed.
    """
    return _provider(name, tuple(files)).title


def layout_of(name: str, files: Sequence[Path] = ()) -> str | None:
    """Return the name of the layout that has the provider's order of parts, None where a template or nobody says it.

    Raises:
        DataError: the provider is unknown, or a file is malformed.
    """
    figure = fitting(_provider(name, tuple(files)).figures.get("wire_order", ()), None)
    return None if figure is None else str(figure.value)


def prices_of(name: str, model: str | None = None, files: Sequence[Path] = ()) -> PriceFactors | None:
    """Return what the provider's file says of prices for ``model``, None where it says nothing of them.

    Raises:
        DataError: the provider is unknown, or a file is malformed.
    """
    prices = _provider(name, tuple(files)).prices
    found = {key: fitting(prices.get(key, ()), model) for key in PRICES}
    if not any(found.values()):
        return None
    return PriceFactors(
        read_factor=_number(found["read_factor"]),
        write_factor=_number(found["write_factor"]),
        long_write_factor=_number(found["long_write_factor"]),
        input_usd=_number(found["input_usd"]),
        output_usd=_number(found["output_usd"]),
        source="; ".join(f"{key}: {figure.source}" for key, figure in found.items() if figure is not None),
    )


def _number(figure: Figure | None) -> float | None:
    return None if figure is None else float(figure.value)


def _filed_name(name: str, files: Sequence[Path]) -> str:
    """Return the provider's name in its own spelling.

    Raises:
        DataError: it is unknown; with the nearest name, or with all those that begin alike and what they are for.
    """
    names = provider_names(files)
    filed = name if name in names else next((one for one in names if one.lower() == name.lower()), None)
    if filed is not None:
        return filed
    family = [one for one in names if one.lower().startswith(f"{name.lower()}-")]
    if len(family) < 2:
        raise DataError(f"unknown engine {name!r}", hint=f"{guess(name, names)}known: {', '.join(names)}")
    meant = "; or ".join(f"{one}: {_provider(one, tuple(files)).title}" for one in family)
    raise DataError(f"unknown engine {name!r}", hint=f"choose {meant}")


def _provider(name: str, files: tuple[Path, ...]) -> ProviderFile:
    name = _filed_name(name, files)
    packaged = _FOLDER / f"{name}.yaml"
    parts = [_packaged(packaged)] if packaged.is_file() else []
    parts += [named[name] for named in map(providers_in, files) if name in named]
    whole = parts[0]
    for part in parts[1:]:
        whole = ProviderFile(
            part.title or whole.title,
            part.models or whole.models,
            {**whole.figures, **part.figures},
            {**whole.prices, **part.prices},
        )
    return whole


@functools.cache
def _packaged(path: Path) -> ProviderFile:
    return read_provider(yaml_mapping(read_bytes(path), path.name), path.name, path.stem)


def providers_in(path: Path) -> Mapping[str, ProviderFile]:
    """Return the providers of a user's file: a mapping of names.

    Raises:
        DataError: the file cannot be read, or is malformed.
    """
    return _parsed(read_bytes(path), path.name)


@functools.lru_cache(maxsize=16)
def _parsed(data: bytes, where: str) -> Mapping[str, ProviderFile]:
    return {name: read_provider(raw, where, name) for name, raw in yaml_mapping(data, where).items()}
