"""What a caller of ``compare`` can ask for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from radixlint.api.analyze_options import LogOptions, PolicyOptions
from radixlint.config import Settings
from radixlint.result.measurement import Show


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """How to compare; None for what the log or a default decides.

    ``split_at`` is a date, a time or seconds since the epoch, as text: requests from then on are the later part.
    ``requests`` are the ids of two requests, the earlier first. ``cold_requests`` is how many first requests of each part
    do not count, None for the first of each application. ``tolerance_rate`` is how far the hit rate may fall.
    ``settings`` and ``start`` (the current folder) are for templates.
    """

    policy: PolicyOptions = field(default_factory=PolicyOptions)
    log: LogOptions = field(default_factory=LogOptions)
    tokenizer: str | None = None
    layout: str | None = None
    chat_template: str | None = None
    show: Show = Show.SHARED
    split_at: str | None = None
    requests: tuple[str, ...] = ()
    cold_requests: int | None = None
    tolerance_rate: float = 0.01
    settings: Settings = field(default_factory=Settings)
    start: Path = field(default_factory=Path)
