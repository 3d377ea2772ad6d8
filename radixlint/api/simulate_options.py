"""What a caller of ``simulate`` can ask for, and what goes together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from radixlint.api.analyze_options import LogOptions
from radixlint.errors import ConfigError
from radixlint.hardware import load_model
from radixlint.plural import counted
from radixlint.providers import load_policy
from radixlint.radix import EVICTIONS
from radixlint.serving.schedule_order import POLICIES
from radixlint.spelling import guess

SCHEDULERS: Final = {"sglang": POLICIES, "vllm": ("fcfs",)}
"""The scheduling policies of each engine."""
_GIB: Final = 1 << 30
_MAX_GIB: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class SimulateOptions:
    """What to run: every policy on every cache size.

    ``policies`` are names, empty for all of the engine. ``kv_tokens`` are cache sizes in tokens, ``kv_gib`` in GiB of
    ``model``, both empty for a range that fits the load; ``page_tokens`` is None for the engine's default. ``eviction`` is
    the order of giving up, ``chunk_tokens`` the longest piece of a prompt prefilled at once, None for the whole.
    ``with_rows`` asks for one row a request and needs a single policy and size. ``seed`` decides what a workload draws;
    ``log``, ``tokenizer``, ``layout`` and ``chat_template`` say how a log is read, as in ``AnalyzeOptions``.
    """

    policies: tuple[str, ...] = ()
    kv_tokens: tuple[int, ...] = ()
    kv_gib: tuple[float, ...] = ()
    model: str | None = None
    page_tokens: int | None = None
    engine: str = "sglang"
    eviction: str = "lru"
    chunk_tokens: int | None = None
    seed: int = 1
    log: LogOptions = field(default_factory=LogOptions)
    tokenizer: str | None = None
    layout: str | None = None
    chat_template: str | None = None
    with_rows: bool = False


def page_size(options: SimulateOptions) -> int:
    """Return the page size in tokens, once all options are known to go together.

    Raises:
        ConfigError: one does not; it is named.
        DataError: the model is unknown, or the page size out of range.
    """
    if options.engine not in SCHEDULERS:
        known = ", ".join(SCHEDULERS)
        raise ConfigError(f"no scheduler of engine {options.engine!r}", where="--engine", hint=f"known: {known}")
    _check_choice("policy", options.policies, SCHEDULERS[options.engine], options.engine)
    _check_choice("eviction", (options.eviction,), EVICTIONS if options.engine == "sglang" else ("lru",), options.engine)
    page_tokens = load_policy(options.engine, options.page_tokens).block_tokens
    sizes = sizes_asked(options)
    for size in sizes:
        if size < page_tokens:
            where = "--kv-tokens" if size in options.kv_tokens else "--kv-gib"
            raise ConfigError(f"a cache of {counted(size, 'token')} holds no page of {page_tokens}", where=where)
    if options.with_rows and not len(set(options.policies)) == len(set(sizes)) == 1:
        raise ConfigError(
            "one row a request needs one policy and one cache size",
            where="--per-request",
            hint="give one --policy and one --kv-tokens",
        )
    return page_tokens


def sizes_asked(options: SimulateOptions) -> tuple[int, ...]:
    """Return the cache sizes asked for, in tokens; none for a range that fits the load.

    Raises:
        ConfigError: a size in GiB without a model, or one that cannot be.
        DataError: the model is unknown.
    """
    if not options.kv_gib:
        return options.kv_tokens
    if options.model is None:
        raise ConfigError("a size in GiB needs to know the model", where="--kv-gib", hint="add --model NAME, or use --kv-tokens")
    for gib in options.kv_gib:
        if not 0 < gib <= _MAX_GIB:
            raise ConfigError(f"a cache of {gib:g} GiB is not above 0 and up to {_MAX_GIB:,}", where="--kv-gib")
    token_bytes = load_model(options.model).kv_bytes_per_token()
    return (*options.kv_tokens, *(int(gib * _GIB) // token_bytes for gib in options.kv_gib))


def _check_choice(name: str, chosen: Sequence[str], known: Sequence[str], engine: str) -> None:
    for choice in chosen:
        if choice not in known:
            hint = f"{guess(choice, known)}choose from {', '.join(known)}" if len(known) > 1 else f"{engine} has {known[0]} only"
            raise ConfigError(f"unknown {name} {choice!r} for {engine}", where=f"--{name}", hint=hint)
