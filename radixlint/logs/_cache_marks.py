"""What requests ask of the cache, as the APIs write it: marks, modes and times to live."""

from __future__ import annotations

import re
from typing import Final

from radixlint.logs._compact_json import dump_compact
from radixlint.logs._record_json import Record, decode_value
from radixlint.traffic import CacheAsk

CACHE_POINT: Final = "cachePoint"
MARK_FIELDS: Final = ("cache_control", "prompt_cache_breakpoint", CACHE_POINT)
_TTL: Final = re.compile(r"([0-9]{1,6})([smhd])\Z")
_UNIT_S: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_OPTIONS: Final = "prompt_cache_options"
_RETENTION: Final = "prompt_cache_retention"
# In memory is five to ten minutes idle, an hour at most (OpenAI prompt caching guide).
_RETENTIONS_S: Final = {"in_memory": 600.0, "in-memory": 600.0, "24h": 86400.0}


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


def cache_ask(body: Record) -> CacheAsk | None:
    """Return what an OpenAI body as a whole asks of the cache, None for nothing that differs from the default."""
    if _OPTIONS not in body and _RETENTION not in body:
        return None
    given, kept = (decode_value(body[name]) if name in body else None for name in (_OPTIONS, _RETENTION))
    options = given if isinstance(given, dict) else {}
    ask = CacheAsk(
        is_explicit=options.get("mode") == "explicit",
        ttl_s=mark_ttl_s(options),
        retention_s=_RETENTIONS_S.get(kept) if isinstance(kept, str) else None,
    )
    return None if ask == CacheAsk() else ask


def without_marks(holder: dict[str, object]) -> str:
    """Return ``holder`` as compact JSON without its marks: they are no part of the prompt, and move from turn to turn."""
    return dump_compact({name: value for name, value in holder.items() if name not in MARK_FIELDS})
