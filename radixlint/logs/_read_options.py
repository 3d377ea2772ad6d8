"""What of a log is read, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MAX_RECORD_BYTES: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read logs; None for no restriction.

    ``format`` is a name of ``format_names()``, None to tell the format from each record. ``maps`` are files that describe
    further formats. Requests before ``since_s`` and from ``until_s`` on (seconds since the epoch; ``since`` and ``until`` as
    times of day, UTC, where the log tells the day) are left out, those of other
    sessions and models than ``sessions`` and ``models`` (empty: any), and of the sessions (records where there are none) all
    but a share ``sample_rate``, 0..1, chosen by a hash, so the same ones every time. A record longer than
    ``max_record_bytes`` is skipped and counted; memory stays within a few times this.
    """

    format: str | None = None
    maps: tuple[str, ...] = ()
    since_s: float | None = None
    until_s: float | None = None
    since: str | None = None
    until: str | None = None
    sessions: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    sample_rate: float | None = None
    max_record_bytes: int = MAX_RECORD_BYTES
