"""Langfuse's token counts: ``usageDetails`` as its server stores them, and the old ``usage``.

Langfuse prices every key on its own, so its server and its integrations take the details out of ``input``: 100 prompt tokens
of which 80 were cached are stored as ``input`` 20 and ``input_cached_tokens`` 80. So the prompt is the sum of ``input`` and
all keys of the families ``input_*`` (``input_cached_tokens``, ``input_cache_read``, ``input_audio_tokens``, ...) and
``cache_*_input_tokens`` (Anthropic's names). An integration of one's own may leave them in: that is told by ``total``, if it
is given and is just ``input`` and the output. Names of an API itself (``prompt_tokens``) count as that API counts.
Source: langfuse/langfuse, packages/shared/src/server/ingestion/types.ts; langfuse-python, langchain/CallbackHandler.py.
"""

from __future__ import annotations

from typing import Final

from radixlint.logs._record_usage import count_usage, read_usage
from radixlint.logs._tally import Tally
from radixlint.traffic import Usage

_READ: Final = (
    *("input_cached_tokens", "input_cache_read", "cache_read_input_tokens", "input_cache_read_tokens"),
    *("input_cache_read_input_tokens", "input_cached", "cached_tokens", "cache_read"),
)
_WRITTEN: Final = (
    *("cache_creation_input_tokens", "input_cache_creation", "input_cache_creation_input_tokens", "input_cache_write_tokens"),
    *("input_cache_creation_tokens", "cache_creation"),
)
_WRITTEN_SHORT: Final = (
    "input_cache_creation_5m",
    "cache_creation_5m_input_tokens",
    "input_cache_creation_ephemeral_5m_input_tokens",
)
_WRITTEN_LONG: Final = (
    "input_cache_creation_1h",
    "cache_creation_1h_input_tokens",
    "input_cache_creation_ephemeral_1h_input_tokens",
)
_OLD: Final = (("promptTokens", "input"), ("completionTokens", "output"), ("totalTokens", "total"))
_TOKENS: Final = ("TOKENS", None)


def langfuse_usage(details: object, old: object, tally: Tally) -> Usage | None:
    """Return the counts in ``details`` (``usageDetails``), else in ``old`` (``usage``); None if there are none.

    Langfuse writes 0 for what it does not know, so a prompt of 0 tokens is unknown.
    """
    found = _of_details(details, tally) if isinstance(details, dict) else None
    if found is None and isinstance(old, dict) and old.get("unit") in _TOKENS:
        plain = dict(old)
        for name, plain_name in _OLD:
            plain[plain_name] = plain.get(plain_name) or plain.get(name)
        found = _of_details({name: plain[name] for name in ("input", "output", "total")}, tally)
        found = found or read_usage(old, tally)
    return found if found is not None and found.prompt_tokens != 0 else None


def _of_details(details: dict[str, object], tally: Tally) -> Usage | None:
    counts = {name: value for name, value in details.items() if isinstance(value, int) and not isinstance(value, bool)}
    if "input" not in counts:
        return read_usage(details, tally)
    cached = _first(counts, _READ)
    written, short, long = (_first(counts, names) for names in (_WRITTEN, _WRITTEN_SHORT, _WRITTEN_LONG))
    if written is None and (short is not None or long is not None):
        written = (short or 0) + (long or 0)
    others = sum(value for name, value in counts.items() if name.startswith("input_") and name not in _ALL_CACHE)
    output = sum(value for name, value in counts.items() if name == "output" or name.startswith("output_"))
    apart = others + (cached or 0) + (written or 0)
    is_inside = apart > 0 and counts.get("total") == counts["input"] + counts.get("output", 0)
    return count_usage(
        tally,
        prompt=counts["input"] + (0 if is_inside else apart),
        cached=cached,
        output=(counts.get("output") if is_inside else output) if "output" in counts else None,
        written=written,
        written_long=long,
        is_inclusive=True,
    )


_ALL_CACHE: Final = frozenset((*_READ, *_WRITTEN, *_WRITTEN_SHORT, *_WRITTEN_LONG))


def _first(counts: dict[str, int], names: tuple[str, ...]) -> int | None:
    return next((counts[name] for name in names if name in counts), None)
