"""How a message names a provider: with its article, and the models that its rules hold for in parentheses."""

from __future__ import annotations

from radixlint.prompt import CacheLimits


def provider_words(limits: CacheLimits) -> str:
    """Return the provider within a sentence, for example ``the OpenAI API (GPT-5.6 and later)``."""
    name, _, models = limits.title.partition(", ")
    article = "the " if name.endswith("API") else ""
    return f"{article}{name} ({models})" if models else f"{article}{name}"
