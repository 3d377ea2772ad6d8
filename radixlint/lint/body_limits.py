"""Say of a request body whose cache it goes to, and what that cache asks of it."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from radixlint.prompt import CacheLimits, Prompt
from radixlint.stake.cached_resource import names_cached_resource


def with_limits(prompt: Prompt) -> Prompt:
    """Return ``prompt`` with the provider of its body and the provider's limits; marks the provider does not read end nothing.

    What follows a cached object is cached no more than what follows the last mark.
    """
    facts = prompt.request
    if facts is None:
        return prompt
    asked = _asked(facts.provider, facts.model)
    if asked is None:
        return prompt
    provider, limits = asked
    request = replace(facts, provider=provider, limits=limits)
    if names_cached_resource(request):
        # As behind the last mark.
        return replace(prompt, request=request, has_breakpoints=True)
    if not any(mark.key in limits.mark_keys for mark in facts.marks):
        return replace(prompt, request=request, has_breakpoints=False)
    return replace(prompt, request=request)


@lru_cache(maxsize=256)
def _asked(provider: str | None, model: str | None) -> tuple[str, CacheLimits] | None:
    """Return the provider and its limits for a model; None if nothing says which provider it is."""
    from radixlint.providers import limits_of, provider_of_model

    known = provider or (provider_of_model(model) if model else None)
    return None if known is None else (known, limits_of(known, model))
