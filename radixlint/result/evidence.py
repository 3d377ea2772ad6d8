"""The evidence class that stands beside every number shown."""

from __future__ import annotations

from enum import StrEnum


class Evidence(StrEnum):
    """How a number came about, strongest first."""

    MEASURED = "measured"
    """The engine's or provider's own counter."""
    SIMULATED = "simulated"
    """Our cache model over real requests."""
    STATIC = "static"
    """Read from source alone."""
    ASSUMED = "assumed"
    """A default or a table value nobody checked for this case."""
