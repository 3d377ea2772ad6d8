"""Where requests of a log have limits other than the policy's: by their model, or because they ask for it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import inf
from pathlib import Path

from radixlint.plural import counted
from radixlint.providers import load_policy
from radixlint.replay import rules_for
from radixlint.traffic import CacheAsk, CacheLimits, CachePolicy, Request

Limits = Sequence[CacheLimits | None]


def limits_of(requests: Sequence[Request], policy: CachePolicy, files: Sequence[Path] = ()) -> Limits:
    """Return the limits of each request as far as they differ from those of ``policy``, empty where none does.

    A request that names no model has those of the usual one, which are the policy's. ``files`` are provider files of the
    user's.

    Raises:
        DataError: a file is malformed.
    """
    known: dict[tuple[str | None, CacheAsk | None], CacheLimits | None] = {}
    for key in dict.fromkeys((request.model, request.cache_ask) for request in requests):
        model, ask = key
        own = policy if model is None else load_policy(policy.name, model=model, files=files)
        limits = _differing(own, ask or CacheAsk(), policy)
        known[key] = None if limits == CacheLimits() else limits
    if not any(known.values()):
        return ()
    return [known[request.model, request.cache_ask] for request in requests]


def note_on_limits(limits: Limits, policy: CachePolicy) -> Iterator[str]:
    """Yield between which figures the limits of the requests lie, nothing where all are those of ``policy``."""
    rules = {rules_for(one, policy) for one in set(limits)}
    parts = []
    minimums, times_s = {one.min_tokens for one in rules}, {one.ttl_s or inf for one in rules}
    if minimums - {policy.min_tokens}:
        parts.append(f"minimum {_range(minimums, ' tokens')}")
    if times_s - {policy.ttl_s or inf}:
        parts.append(f"time to live {_range(times_s, ' s')}")
    explicit = sum(one is not None and one.is_explicit for one in limits)
    if explicit:
        parts.append(f"no implicit cache mark in {explicit:,} of {counted(len(limits), 'request')}")
    if parts:
        yield f"Limits differ by model or request: {', '.join(parts)}; the engine is named with those of the usual model."


def _range(figures: Collection[float], unit: str) -> str:
    least, most = min(figures), max(figures)
    shown = f"{most:,.15g}{unit}" if most < inf else "unlimited"
    return shown if least == most else f"{least:,.15g}{'' if most < inf else unit} to {shown}"


def _differing(own: CachePolicy, ask: CacheAsk, policy: CachePolicy) -> CacheLimits:
    """Return where ``own``, the rules of a request's model, and what it asks for differ from ``policy``."""
    # OpenAI's models from GPT-5.6 on match at marks and take the options alone; those before take the retention alone.
    asked_s = {"breakpoint": ask.ttl_s, "block": ask.retention_s}.get(policy.match)
    return CacheLimits(
        min_tokens=own.min_tokens if own.min_tokens != policy.min_tokens else None,
        ttl_s=None if policy.has_one_ttl else _differing_s(own.ttl_s if asked_s is None else asked_s, policy.ttl_s),
        long_ttl_s=_differing_s(own.long_ttl_s, policy.long_ttl_s),
        is_explicit=ask.is_explicit and policy.implicit_mark != "none",
    )


def _differing_s(own_s: float | None, policy_s: float | None) -> float | None:
    return None if own_s == policy_s else inf if own_s is None else own_s
