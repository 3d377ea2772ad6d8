"""What a caller of ``analyze`` can ask for."""

from __future__ import annotations

from dataclasses import dataclass

from radixlint.api.measured_worth import WorthOptions
from radixlint.result.groups import GroupBy
from radixlint.result.measurement import Show, TreeLimits


@dataclass(frozen=True, slots=True)
class PolicyOptions:
    """The cache to replay; None for what the log, the provider's file or a default decides.

    ``kv_gib`` (with the model of ``WorthOptions``) is the cache in GiB, ``kv_tokens`` in tokens; ``ttl_s`` the time to
    live since the last use, in seconds. ``in_flight`` asks for the lower bound at that batch size. ``provider_files``
    add providers or override them.
    """

    engine: str | None = None
    block_tokens: int | None = None
    kv_tokens: int | None = None
    kv_gib: float | None = None
    eviction: str | None = None
    chunk_tokens: int | None = None
    ttl_s: float | None = None
    replicas: int = 1
    routing: str | None = None
    in_flight: int = 0
    provider_files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogOptions:
    """What of the logs is read and how; None for no restriction.

    ``since`` and ``until`` (which is left out itself) are a date, a time or seconds since the epoch, as text; ``sessions``
    and ``models`` are the names of those wanted, empty for any; ``sample_rate`` a share of the sessions, 0..1.
    """

    format: str | None = None
    maps: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    sessions: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    sample_rate: float | None = None
    max_record_mib: int = 64


@dataclass(frozen=True, slots=True)
class CurveOptions:
    """Which curve to draw: over the size of the cache, over the time to live as well, with the optimum bound or without."""

    with_optimum: bool = False


@dataclass(frozen=True, slots=True)
class AnalyzeOptions:
    """How to measure; None for what the log or a default decides.

    ``layout`` names a profile, ``chat_template`` a file that takes its place. ``top`` is how many breaks to explain
    (0 for none), ``mend`` for how many of the largest to replay remedies, ``tree`` the size of the drawn tree (None for no
    tree), ``show`` how much text the result may hold, ``worth`` for which server to work out what reuse is worth, ``curve``
    asks for the curve, ``by`` for groups, ``prices`` is a price file. ``store_outputs`` lets text replies enter the cache.
    ``jobs`` processes encode; their number changes no figure.
    """

    policy: PolicyOptions = PolicyOptions()
    log: LogOptions = LogOptions()
    tokenizer: str | None = None
    layout: str | None = None
    chat_template: str | None = None
    top: int = 5
    mend: int = 5
    tree: TreeLimits | None = None
    show: Show = Show.SHARED
    worth: WorthOptions | None = None
    curve: CurveOptions | None = None
    by: tuple[GroupBy, ...] = ()
    prices: str | None = None
    store_outputs: bool = False
    jobs: int = 1
