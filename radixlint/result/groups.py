"""The same figures for parts of a log: by model or tenant, by place in a turn, for the cold start, by who shares with whom."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from radixlint.result.evidence import Evidence
from radixlint.result.hit_rates import HitRates


class GroupBy(StrEnum):
    """What requests can be grouped by."""

    MODEL = "model"
    TENANT = "tenant"
    SESSION = "session"
    TEMPLATE = "template"
    TAG = "tag"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Cost:
    """The bill for ``prompt_tokens``: ``factor`` per token in units of the plain input price, ``usd`` for all, None if unknown.

    Where some models' counts are the server's own and those of others simulated, the whole is simulated, and ``parts``
    holds the bill for each class by itself; it is empty where all counts are of one class.
    """

    factor: float
    usd: float | None
    evidence: Evidence
    prompt_tokens: int
    parts: tuple[Cost, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the requests, measured where they stand in the whole log; token fields are sums, None where unknown.

    ``uncached_tokens`` are prompt tokens less the reported cached tokens where those are known, else less the engine's; they
    are over the requests for which either is known.
    ``cost`` is None where a price is unknown, or for parts that nobody asked the cost of.
    """

    requests: int
    prompt_tokens: int
    shareable_tokens: int | None
    engine_tokens: int | None
    reported_tokens: int | None
    uncached_tokens: int | None
    hit_rate: HitRates
    cost: Cost | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The requests that have ``key`` for ``by``; None for those that name none. A request may have several tags."""

    by: GroupBy
    key: str | None
    part: Part


@dataclass(frozen=True, slots=True)
class Turns:
    """Requests whose newest message is a person's (the first of a turn) apart from those that go on with tool results."""

    first: Part
    later: Part


@dataclass(frozen=True, slots=True)
class Reuse:
    """Shareable tokens by who had them first.

    ``same_conversation_tokens`` would be shared if every conversation had a cache of its own; the rest is shared only
    with other conversations. A conversation is a session, else a chain of requests that go on from one another: ``chains``
    counts both.
    """

    same_conversation_tokens: int
    cross_conversation_tokens: int
    chains: int


@dataclass(frozen=True, slots=True)
class ColdStart:
    """The first tenth of the requests, which fills the cache, apart from the steady rest."""

    cold: Part
    steady: Part
