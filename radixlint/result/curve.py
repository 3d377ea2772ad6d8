"""Hit rate against the size of the cache and against the time to live: what the capacity curve tells people."""

from __future__ import annotations

from dataclasses import dataclass

from radixlint.result.evidence import Evidence


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One cache size and what it gives; rates are tokens hit / prompt tokens, 0..1.

    ``of_most_rate`` is ``hit_rate`` as a share of the rate without limit. ``optimum_rate`` is what no policy at this size
    exceeds, the future known; None if it was not asked for. ``kv_gib`` is the size in GiB for a named model.
    ``is_given`` says that the user named this size. ``knee_rate``: this is the smallest size that gives so large a share of
    the rate without limit; None for other sizes.
    """

    kv_tokens: int
    hit_rate: float
    of_most_rate: float
    optimum_rate: float | None = None
    kv_gib: float | None = None
    is_given: bool = False
    knee_rate: float | None = None


@dataclass(frozen=True, slots=True)
class TtlPoint:
    """One time to live since last use, in seconds, and the hit rate it gives with unlimited room, 0..1."""

    ttl_s: float
    hit_rate: float
    of_most_rate: float
    knee_rate: float | None = None


@dataclass(frozen=True, slots=True)
class Curve:
    """Hit rate for all cache sizes.

    ``points`` are the sizes shown, rising; ``line`` are pairs of size in tokens and hit rate, dense enough to draw.
    ``ttl_points`` are None where the log has no times. ``most_hit_rate`` is the rate without limit, ``full_kv_tokens`` the
    smallest size that reaches it and ``distinct_kv_tokens`` the size that holds everything. ``approximation`` says in a
    sentence in what the engine differs from the plain LRU cache of blocks that was followed; None if in nothing.
    """

    points: tuple[CurvePoint, ...]
    line: tuple[tuple[int, float], ...]
    ttl_points: tuple[TtlPoint, ...] | None
    block_tokens: int
    prompt_tokens: int
    most_hit_rate: float
    full_kv_tokens: int
    distinct_kv_tokens: int
    model: str | None = None
    approximation: str | None = None
    evidence: Evidence = Evidence.SIMULATED

    @property
    def is_exact(self) -> bool:
        """Whether the engine's own cache would give these rates for requests that come one at a time."""
        return self.approximation is None
