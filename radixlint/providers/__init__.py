"""A provider is one YAML file: its cache rules and prices, each figure with a source and the date it was checked."""

from radixlint.providers._provider_file import layout_of, load_policy, prices_of, provider_names, provider_of_model

__all__ = ["layout_of", "load_policy", "prices_of", "provider_names", "provider_of_model"]
