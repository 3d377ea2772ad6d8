"""A provider is one YAML file: its cache rules and prices, each figure with a source and the date it was checked."""

from radixlint.providers._cache_limits import limits_of
from radixlint.providers._price_file import find_prices
from radixlint.providers._provider_file import layout_of, load_policy, prices_of, provider_names, provider_of_model, title_of

__all__ = [
    "find_prices",
    "layout_of",
    "limits_of",
    "load_policy",
    "prices_of",
    "provider_names",
    "provider_of_model",
    "title_of",
]
