"""Lifetimes that the user's settings give to variables: exact name, then dotted prefix, then last part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from radixlint.lifetime.name_table import Nature
from radixlint.prompt import Confidence, Lifetime, Origin

_ORIGINS: Final = {
    Lifetime.CALL: Origin.UNKNOWN,
    Lifetime.TURN: Origin.INPUT,
    Lifetime.SESSION: Origin.SESSION,
    Lifetime.USER: Origin.USER,
    Lifetime.TENANT: Origin.TENANT,
    Lifetime.DAY: Origin.CLOCK,
    Lifetime.RELEASE: Origin.RELEASE,
    Lifetime.STATIC: Origin.RELEASE,
}
# What these are stays true whatever their lifetime: a clock of a day is a clock, retrieved text of a session is retrieved.
_KEPT: Final = frozenset({Origin.CLOCK, Origin.ID, Origin.RANDOM, Origin.COUNTER, Origin.HISTORY, Origin.RETRIEVAL, Origin.TOOLS})


def configured(name: str, variables: Mapping[str, Lifetime], by_table: Nature) -> Nature | None:
    """Return what the settings say about ``name``, None if nothing; ``by_table`` is what its words say."""
    key = _key(name, variables)
    if key is None:
        return None
    lifetime = variables[key]
    origin = (
        by_table.origin if by_table.origin in _KEPT and lifetime not in (Lifetime.USER, Lifetime.TENANT) else _ORIGINS[lifetime]
    )
    # Who takes the trouble to name a fixed value of no usual name means a text.
    is_long = by_table.is_long or (by_table.origin is Origin.UNKNOWN and lifetime >= Lifetime.RELEASE)
    return Nature(origin, lifetime, Confidence.HIGH, f"the settings say that `{key}` lives for a {lifetime.label}", is_long)


def _key(name: str, variables: Mapping[str, Lifetime]) -> str | None:
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        prefix = ".".join(parts[:length])
        if prefix in variables:
            return prefix
    return parts[-1] if parts[-1] in variables else None
