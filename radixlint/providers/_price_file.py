"""What a model's tokens cost: from a price file of the user's, the extra package, or the provider's own file."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec

from radixlint.errors import DataError
from radixlint.providers._genai_prices import installed_prices
from radixlint.providers._provider_file import prices_of, providers_in
from radixlint.providers._provider_text import read_bytes
from radixlint.result.money import PriceFactors

_PER_MILLION: Final = 1_000_000
_DATE: Final = re.compile(r"[-@]20\d\d-?\d\d-?\d\d$")
_LONG_WRITES: Final = ("cache_creation_input_token_cost_above_1hr", "cache_creation_input_token_cost_above_12hr")
_TIER: Final = re.compile(r"_above_\d+k_tokens$")


def find_prices(
    name: str, model: str | None = None, *, files: Sequence[Path] = (), prices_file: Path | None = None
) -> PriceFactors | None:
    """Return all that is known of the prices of ``model`` at provider ``name``, None if nothing is.

    ``prices_file`` is litellm's price list (JSON, USD per token) or a provider file of ours; without one the package
    genai-prices is asked, if it is installed. What these do not say comes from the provider's own file (``files``). A row
    of litellm's list that prices reads and no writes, at a provider whose file does not price them either, means writes at
    the plain input price.

    Raises:
        DataError: the provider is unknown, or a file cannot be read or is neither.

    Source: litellm 1.110.2 price file: 1,916 rows price reads and 555 of them writes; the others are of APIs that bill a
    token they do not read as input (OpenAI before GPT-5.6, Gemini, DeepSeek, Groq, xAI).
    """
    packaged = prices_of(name, model, files)
    if prices_file is not None:
        listed = _from_file(prices_file, name, model, packaged)
        if listed is None:
            missing = f"{prices_file.name} has no price for {model or 'a model that is not named'}"
            return None if packaged is None else replace(packaged, limit=missing)
    else:
        listed = installed_prices(name, model) if model else None
    return _filled(listed, packaged) if listed and packaged else listed or packaged


def _filled(listed: PriceFactors, packaged: PriceFactors) -> PriceFactors:
    """Return ``listed`` with the factors it does not know from ``packaged``."""
    taken = {
        key: getattr(packaged, key)
        for key in ("read_factor", "write_factor", "long_write_factor", "input_usd", "output_usd")
        if getattr(listed, key) is None and getattr(packaged, key) is not None
    }
    source = f"{listed.source}; {', '.join(taken)} as packaged" if taken else listed.source
    return replace(listed, **taken, source=source)


def _from_file(path: Path, name: str, model: str | None, packaged: PriceFactors | None) -> PriceFactors | None:
    data = read_bytes(path)
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return prices_of(name, model, (path,)) if name in providers_in(path) else None
    rows = _rows(data, path.name)
    row = next((rows[key] for key in _keys(name, model or "") if isinstance(rows.get(key), dict)), None)
    listed = None if row is None else _row_prices(row, path.name)
    if listed is None or listed.read_factor is None or any(p and p.write_factor is not None for p in (listed, packaged)):
        return listed
    return replace(listed, write_factor=1.0, source=f"{listed.source}; it has no price for writes: plain input")


@functools.lru_cache(maxsize=4)
def _rows(data: bytes, where: str) -> Mapping[str, Any]:
    try:
        rows = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError("not JSON that can be read", where=where) from error
    if not any(isinstance(row, dict) and "input_cost_per_token" in row for row in rows.values()):
        raise DataError(
            "no price list: no entry has input_cost_per_token",
            where=where,
            hint="give litellm's model_prices_and_context_window.json, or a provider file in YAML",
        )
    return rows


def _keys(name: str, model: str) -> Iterator[str]:
    """Yield under what a list may file ``model``: as it is, without folders, under the provider, and without its date."""
    last = model.rsplit("/", 1)[-1]
    for bare in (last, _DATE.sub("", last)):
        yield from dict.fromkeys((model, f"{name}/{model}", f"{name}/{bare}", bare))


def _row_prices(row: Mapping[str, Any], where: str) -> PriceFactors | None:
    input_usd = _number(row.get("input_cost_per_token"))
    if not input_usd:
        return None

    def factor(key: str) -> float | None:
        price = _number(row.get(key))
        return None if price is None else round(price / input_usd, 6)

    output_usd = _number(row.get("output_cost_per_token"))
    min_tokens = _number(row.get("prompt_cache_min_tokens"))
    return PriceFactors(
        read_factor=factor("cache_read_input_token_cost"),
        write_factor=factor("cache_creation_input_token_cost"),
        long_write_factor=next((found for key in _LONG_WRITES if (found := factor(key)) is not None), None),
        input_usd=input_usd * _PER_MILLION,
        output_usd=None if output_usd is None else output_usd * _PER_MILLION,
        min_tokens=None if min_tokens is None else int(min_tokens),
        source=where,
        limit="the dearer prices of long prompts are left out" if any(map(_TIER.search, row)) else "",
    )


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None
