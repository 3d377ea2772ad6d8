"""Prices from the package genai-prices, where it is installed; its packaged data only, nothing is fetched."""

from __future__ import annotations

import datetime
import importlib
from typing import Any, Final

from radixlint.result.money import PriceFactors

_PROVIDERS: Final = {
    "anthropic": "anthropic",
    "bedrock": "aws",
    "deepseek": "deepseek",
    "gemini": "google",
    "groq": "groq",
    "openai-breakpoint": "openai",
    "openai-legacy": "openai",
    "xai": "x-ai",
}
_KEYS: Final = ("input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok", "cache_write_1h_mtok")
# Prices go by date, and some by time of day; a fixed late noon takes the newest, and the report does not hang on the clock.
_NEWEST: Final = datetime.datetime(2100, 1, 1, 12, tzinfo=datetime.UTC)


def installed_prices(name: str, model: str) -> PriceFactors | None:
    """Return the prices of ``model`` at provider ``name``, None without the package, or if it does not know them."""
    if name not in _PROVIDERS:
        return None
    try:
        package: Any = importlib.import_module("genai_prices")
    except ImportError:
        return None
    found = _model_price(package, _PROVIDERS[name], model)
    prices = {key: getattr(found, key, None) for key in _KEYS}
    input_usd = _first_tier(prices["input_mtok"])
    if not input_usd:
        return None
    factors = {key: None if price is None else round(_first_tier(price) / input_usd, 6) for key, price in prices.items()}
    is_tiered = any(hasattr(price, "tiers") for price in prices.values())
    return PriceFactors(
        read_factor=factors["cache_read_mtok"],
        write_factor=factors["cache_write_mtok"],
        long_write_factor=factors["cache_write_1h_mtok"],
        input_usd=input_usd,
        output_usd=None if prices["output_mtok"] is None else _first_tier(prices["output_mtok"]),
        source=f"genai-prices {package.__version__}, newest prices",
        limit="the dearer prices of long prompts are left out" if is_tiered else "",
    )


def _model_price(package: Any, provider: str, model: str) -> Any:
    """Return the package's prices of a model, by its whole name or by that without folders; None if it has none."""
    for name in (model, model.rsplit("/", 1)[-1]):
        try:
            usage = package.Usage(input_tokens=1)
            return package.calc_price(usage, name, provider_id=provider, genai_request_timestamp=_NEWEST).model_price
        except LookupError:
            continue
    return None


def _first_tier(price: Any) -> float:
    """Return a price, or the first of one that rises with the length of the prompt; 0 for none."""
    return float(getattr(price, "base", price) or 0)
