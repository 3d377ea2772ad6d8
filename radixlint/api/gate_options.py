"""What a caller of ``check-log`` can ask for; what could never fail is refused."""

from __future__ import annotations

from dataclasses import dataclass, field

from radixlint.errors import ConfigError
from radixlint.result.gate import RateKind, Scope

_NOTHING = "nothing is to be checked"


@dataclass(frozen=True, slots=True)
class BreakFilter:
    """Which breaks count: from so many lost tokens and such a share of all tokens (0..1) on, by ``causes`` (empty: any)."""

    min_lost_tokens: int = 1
    min_lost_rate: float = 0.0
    causes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GateOptions:
    """The checks, each None or empty where it is not asked for.

    ``min_hit_rate`` is 0..1. ``baselines`` are files of earlier reports; the rate may fall by ``tolerance`` (0..1) below
    the median of theirs. ``rate`` is None for the reported one where every request reports it, else the engine's. Fewer
    than ``min_requests`` say nothing. ``will_write`` asks for what a later run is compared with.
    """

    min_hit_rate: float | None = None
    max_breaks: int | None = None
    max_uncached_tokens: int | None = None
    baselines: tuple[str, ...] = ()
    tolerance: float = 0.01
    rate: RateKind | None = None
    scope: Scope = field(default_factory=Scope)
    counted_breaks: BreakFilter = BreakFilter()
    min_requests: int = 2
    will_write: bool = False
    is_lenient: bool = False


def refuse_what_cannot_fail(options: GateOptions) -> None:
    """Make sure that there is a check, and that its limits are in range.

    Raises:
        ConfigError: no check is asked for, or a limit is out of range.
    """
    asked = (options.min_hit_rate, options.max_breaks, options.max_uncached_tokens)
    if all(one is None for one in asked) and not options.baselines and not options.will_write:
        raise ConfigError(
            _NOTHING,
            hint="give --min-hit-rate, --max-breaks, --max-uncached-tokens or --baseline; --write-baseline makes one",
        )
    if options.min_hit_rate is not None and not 0 < options.min_hit_rate <= 1:
        raise ConfigError(
            f"{options.min_hit_rate:g} is no rate that could be missed", where="--min-hit-rate", hint="write 0.8 or 80%"
        )
    if not 0 <= options.tolerance < 1:
        raise ConfigError(f"{options.tolerance:g} is not from 0 up to 1", where="--tolerance", hint="write 0.01 or 1%")
    if not 0 <= options.counted_breaks.min_lost_rate < 1:
        raise ConfigError(
            f"{options.counted_breaks.min_lost_rate:g} is not from 0 up to 1", where="--min-lost-rate", hint="write 0.05 or 5%"
        )
