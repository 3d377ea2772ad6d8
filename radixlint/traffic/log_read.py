"""What came of reading logs: requests, an engine's own statistics, and what was skipped or altered."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from radixlint.traffic.request import Request

BAD_RECORDS_LIMIT: Final = 0.05
"""Share of unreadable records above which a run fails unless told to be lenient."""


class EngineStats(Struct, frozen=True):
    """What an engine's own statistics lines say, over one log.

    ``lines`` counts them. ``new_tokens`` and ``cached_tokens`` are sums over the lines, None where lines do not count
    tokens (vLLM); ``computed_tokens`` is then an estimate: printed prompt throughput (computed tokens only) times the
    interval. ``window_hit_rate`` is the last printed rate, 0..1, over the ``window_requests`` most recent requests.
    ``kv_tokens`` and ``block_tokens`` are what the start-up lines name.
    """

    engine: str
    lines: int
    new_tokens: int | None = None
    cached_tokens: int | None = None
    computed_tokens: int | None = None
    window_hit_rate: float | None = None
    window_requests: int | None = None
    peak_kv_usage_rate: float | None = None
    kv_tokens: int | None = None
    block_tokens: int | None = None


class LogRead(Struct, frozen=True):
    """What came of reading logs.

    ``records`` counts lines or documents, in an engine's log the requests it tells of, ``skipped`` bad ones by reason,
    ``notes`` are full sentences about what is missing or was altered, ``alterations`` those of them that tell what was
    passed over, skipped, dropped or altered in reading,
    ``requests`` the good records ordered by time where given, else as read; one record may hold several requests, and
    several records one. ``read`` counts the records that were understood, also those that only add to another (an answer,
    a repeated row); None stands for the number of requests. ``engine`` is the engine whose log this is, if it is one's.
    ``is_sampled`` says that a part of the log was asked for, and requests were left out.
    """

    format: str
    records: int
    requests: tuple[Request, ...]
    skipped: dict[str, int]
    notes: tuple[str, ...] = ()
    alterations: tuple[str, ...] = ()
    read: int | None = None
    stats: tuple[EngineStats, ...] = ()
    engine: str | None = None
    is_sampled: bool = False

    @property
    def records_read(self) -> int:
        """How many records were understood."""
        return len(self.requests) if self.read is None else self.read


def has_too_many_bad_records(records: int, read: int) -> bool:
    """Whether more than 5 % of ``records`` could not be read."""
    return records - read > BAD_RECORDS_LIMIT * records
