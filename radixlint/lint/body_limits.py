"""Say of a request body whose cache it goes to, and what that cache asks of it."""

from __future__ import annotations

from msgspec.structs import replace

from radixlint.prompt import Prompt


def with_limits(prompt: Prompt) -> Prompt:
    """Return ``prompt`` with the provider of its body and the provider's limits; marks the provider does not read end nothing."""
    facts = prompt.request
    if facts is None:
        return prompt
    from radixlint.providers import limits_of, provider_of_model

    provider = facts.provider or (provider_of_model(facts.model) if facts.model else None)
    if provider is None:
        return prompt
    limits = limits_of(provider, facts.model)
    request = replace(facts, provider=provider, limits=limits)
    if not any(mark.key in limits.mark_keys for mark in facts.marks):
        return replace(prompt, request=request, has_breakpoints=False)
    return replace(prompt, request=request)
