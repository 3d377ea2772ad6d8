"""Explicit cache marks as the APIs write them: that there is one, and the time to live it asks for."""

from __future__ import annotations

import re
from typing import Final

from radixlint.logs._compact_json import dump_compact

CACHE_POINT: Final = "cachePoint"
MARK_FIELDS: Final = ("cache_control", "prompt_cache_breakpoint", CACHE_POINT)
_TTL: Final = re.compile(r"([0-9]{1,6})([smhd])\Z")
_UNIT_S: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def mark_in(holder: dict[str, object]) -> dict[str, object] | None:
    """Return the mark that a block, tool or body carries, None without one."""
    return next((mark for name in MARK_FIELDS if isinstance(mark := holder.get(name), dict)), None)


def mark_ttl_s(mark: dict[str, object]) -> float | None:
    """Return the time to live that ``mark`` asks for, in seconds; None for the provider's default.

    >>> mark_ttl_s({"type": "ephemeral", "ttl": "1h"}), mark_ttl_s({"type": "ephemeral"})
    (3600.0, None)
    """
    ttl = mark.get("ttl")
    found = _TTL.match(ttl) if isinstance(ttl, str) else None
    return float(int(found[1]) * _UNIT_S[found[2]]) if found else None


def without_marks(holder: dict[str, object]) -> str:
    """Return ``holder`` as compact JSON without its marks: they are no part of the prompt, and move from turn to turn."""
    return dump_compact({name: value for name, value in holder.items() if name not in MARK_FIELDS})
