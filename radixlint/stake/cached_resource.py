"""Tell a body that makes a cached object of its own, all of which is reused or none."""

from __future__ import annotations

from typing import Final

from radixlint.prompt import Parameter, Prompt, RequestFacts

_SHAPE: Final = "gemini-cache"
# A request has neither a time to live nor a name of its own.
_OF_OBJECTS: Final = frozenset({"ttl", "expireTime", "expire_time", "displayName", "display_name"})
_NAMES: Final = frozenset({"cachedContent", "cached_content"})


def is_cached_resource(prompt: Prompt) -> bool:
    """Whether the body is for Gemini's ``cachedContents``: made by a call for it, or contents with a time to live or a name."""
    facts = prompt.request
    return facts is not None and (facts.shape == _SHAPE or sign_of_object(facts) is not None)


def sign_of_object(facts: RequestFacts) -> Parameter | None:
    """Return the parameter that shows that the body makes such an object, None if it is for anything else."""
    return _first(facts, _OF_OBJECTS)


def names_cached_resource(facts: RequestFacts) -> bool:
    """Whether the body goes behind such an object, which is all that is cached of the two."""
    return _first(facts, _NAMES) is not None


def _first(facts: RequestFacts, names: frozenset[str]) -> Parameter | None:
    given = facts.parameters if facts.provider == "gemini" else ()
    return next((p for p in given if p.name.rpartition(".")[2] in names and p.text != "null"), None)
