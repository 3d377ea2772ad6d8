"""A provider is one YAML file: its cache rules, each figure with a source and the date it was checked."""

from radixlint.providers._provider_file import load_policy, provider_names

__all__ = ["load_policy", "provider_names"]
