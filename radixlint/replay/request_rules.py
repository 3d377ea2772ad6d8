"""The rules that hold for one request: those of the policy, with the limits of its own."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import structs

from radixlint.traffic import CacheLimits, CachePolicy


def rules_for(limits: CacheLimits | None, policy: CachePolicy) -> CachePolicy:
    """Return ``policy`` with ``limits`` in the place of its own.

    They count only where the policy has such a limit: what it leaves out (0 for a minimum, None for a time) is left out
    for every request. Times do not count where ``policy.has_one_ttl``.
    """
    return policy if limits is None else _with_limits(limits, policy)


@lru_cache(maxsize=256)
def _with_limits(limits: CacheLimits, policy: CachePolicy) -> CachePolicy:
    changes: dict[str, Any] = {}
    if policy.min_tokens and limits.min_tokens is not None:
        changes["min_tokens"] = limits.min_tokens
    if policy.ttl_s is not None and not policy.has_one_ttl and limits.ttl_s is not None:
        changes["ttl_s"] = limits.ttl_s
    if policy.long_ttl_s is not None and limits.long_ttl_s is not None:
        changes["long_ttl_s"] = limits.long_ttl_s
    if limits.is_explicit:
        changes["implicit_mark"] = "none"
    return structs.replace(policy, **changes)
