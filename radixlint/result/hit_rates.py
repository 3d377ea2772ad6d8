"""Three hit rates of the same requests: what could be, what an engine would, and what it said."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HitRates:
    """Matched tokens / prompt tokens, 0..1; None where unknown or where there is no token to divide by."""

    shareable: float | None
    engine: float | None
    reported: float | None
