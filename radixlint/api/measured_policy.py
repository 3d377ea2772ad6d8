"""Which cache is replayed: what was asked for, else what the log names, else a default."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import structs

from radixlint.api.analyze_options import PolicyOptions
from radixlint.errors import ConfigError
from radixlint.hardware import load_model
from radixlint.plural import counted
from radixlint.providers import load_policy
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import EngineUsed
from radixlint.spelling import guess
from radixlint.traffic import CachePolicy, LogRead, Request

DEFAULT_ENGINE: Final = "vllm"
EVICTIONS: Final = ("lru", "lfu", "slru", "priority")
ROUTINGS: Final = ("round-robin", "random", "hash-prefix", "cache-aware")
_SIZELESS: Final = ("entries", "slots")
_GIB: Final = 1 << 30


def policy_for(options: PolicyOptions, read: LogRead, model: str | None) -> CachePolicy:
    """Return the policy to replay ``read`` under; ``model`` is the served model, for a size in GiB.

    Raises:
        ConfigError: flags contradict each other or the engine.
        DataError: the engine or the model is unknown, or a provider file is wrong.
    """
    name = options.engine or read.engine or DEFAULT_ENGINE
    block_tokens = _block_tokens(options, read, name.lower())
    policy = load_policy(name, block_tokens, model=usual_model(read.requests), files=provider_paths(options))
    policy = structs.replace(
        policy,
        kv_tokens=_kv_tokens(options, model),
        eviction=options.eviction or policy.eviction,
        chunk_tokens=options.chunk_tokens,
        ttl_s=policy.ttl_s if options.ttl_s is None else options.ttl_s,
        has_one_ttl=options.ttl_s is not None,
        replicas=options.replicas,
        routing=options.routing or policy.routing,
        in_flight=options.in_flight,
        is_assumed=options.engine is None and read.engine is None,
    )
    _check(policy, options)
    return policy


def check_policy(options: PolicyOptions, model: str | None, *, with_curve: bool = False) -> None:
    """Raise what ``policy_for`` would, before a large log is read.

    Raises:
        ConfigError, DataError: as ``policy_for`` does; also for a curve over sizes where the cache has none.
    """
    policy = policy_for(options, LogRead(format="", records=0, requests=(), skipped={}), model)
    if with_curve and policy.store in _SIZELESS:
        hint = "use --engine generic-block for what any cache of that size could hit"
        raise ConfigError(f"the cache of {policy.name} has no size in tokens", where="--curve", hint=hint)


def _block_tokens(options: PolicyOptions, read: LogRead, engine: str) -> int | None:
    """Return the size asked for, else the one that the log names: in start-up lines, or as the size that ids stand for.

    A trace of block ids cannot be cut finer than its ids, nor between them.
    """
    of_ids = next((request.block_tokens for request in read.requests if request.block_ids is not None), None)
    if of_ids is not None:
        return max(1, (options.block_tokens or of_ids) // of_ids) * of_ids
    named = next((stats.block_tokens for stats in read.stats if stats.engine == engine and stats.block_tokens), None)
    return options.block_tokens or named


def usual_model(requests: Sequence[Request]) -> str | None:
    """Return the model of most requests; of several the one met first."""
    counts = Counter(request.model for request in requests if request.model is not None)
    return counts.most_common(1)[0][0] if counts else None


def provider_paths(options: PolicyOptions) -> tuple[Path, ...]:
    """Return the provider files of the user's."""
    return tuple(map(Path, options.provider_files))


def engine_used(policy: CachePolicy) -> EngineUsed:
    """Return the rules as a report names them."""
    return EngineUsed(
        name=policy.name,
        block_tokens=policy.block_tokens,
        kv_tokens=policy.kv_tokens,
        evidence=Evidence.ASSUMED if policy.is_assumed else Evidence.SIMULATED,
        source=policy.source,
        match=policy.match,
        store=policy.store,
        eviction=policy.eviction,
        min_tokens=policy.min_tokens,
        ttl_s=policy.ttl_s,
        chunk_tokens=policy.chunk_tokens,
        replicas=policy.replicas,
        routing=policy.routing if policy.replicas > 1 else None,
        in_flight=policy.in_flight,
    )


def _kv_tokens(options: PolicyOptions, model: str | None) -> int | None:
    if options.kv_gib is None:
        return options.kv_tokens
    if math.isnan(options.kv_gib):
        raise ConfigError("nan is no size", where="--kv-gib")
    if options.kv_tokens is not None:
        raise ConfigError("a size in tokens and one in GiB exclude each other", where="--kv-gib")
    if model is None:
        raise ConfigError("a size in GiB needs to know the model", where="--kv-gib", hint="add --model NAME, or use --kv-tokens")
    return int(options.kv_gib * _GIB) // load_model(model).kv_bytes_per_token()


def _check(policy: CachePolicy, options: PolicyOptions) -> None:
    if policy.eviction not in EVICTIONS:
        raise _unknown("eviction", policy.eviction, EVICTIONS)
    if policy.routing not in ROUTINGS:
        raise _unknown("routing", policy.routing, ROUTINGS)
    if options.eviction not in (None, "lru") and policy.store != "tree":
        raise ConfigError(f"{policy.name} gives up the least recently used block", where="--eviction", hint="leave it out")
    if policy.chunk_tokens is not None and policy.store not in ("tree", "block-pool"):
        raise ConfigError(f"{policy.name} has no chunked prefill here", where="--chunk", hint="leave it out")
    if policy.kv_tokens is not None and policy.store in _SIZELESS:
        raise ConfigError(f"the cache of {policy.name} has no size in tokens", where="--kv-tokens", hint="leave it out")
    if policy.kv_tokens is not None and policy.kv_tokens < policy.block_tokens:
        raise ConfigError(
            f"a cache of {counted(policy.kv_tokens, 'token')} holds no block of {policy.block_tokens}", where="--kv-tokens"
        )
    if options.routing is not None and policy.replicas < 2:
        raise ConfigError("routing needs replicas to choose from", where="--routing", hint="add --replicas N")


def _unknown(what: str, word: str, known: Sequence[str]) -> ConfigError:
    return ConfigError(f"unknown {what} {word!r}", where=f"--{what}", hint=f"{guess(word, known)}known: {', '.join(known)}")
