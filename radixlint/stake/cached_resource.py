"""Tell a body that makes a cached object of its own, all of which is reused or none."""

from __future__ import annotations

from typing import Final

from radixlint.prompt import Prompt

_LIFE_SPANS: Final = frozenset({"ttl", "expireTime", "expire_time"})


def is_cached_resource(prompt: Prompt) -> bool:
    """Whether the body is for Gemini's ``cachedContents``: contents that are given a time to live."""
    request = prompt.request
    if request is None or request.provider != "gemini":
        return False
    return any(parameter.name.rpartition(".")[2] in _LIFE_SPANS for parameter in request.parameters)
