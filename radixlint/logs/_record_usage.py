"""What the server reported: token counts under the names of all APIs, to counts with cached and written inside prompt."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from radixlint.logs._tally import Tally
from radixlint.traffic import Usage

WRONG_TYPE: Final = "Usage values that are no token count were dropped"
INCONSISTENT: Final = "Usage with more cached than prompt tokens is inconsistent, its cached tokens are unknown"
_MORE_WRITTEN: Final = "Usage with more written than prompt tokens is inconsistent, its written tokens are unknown"

# More than any log holds; beyond it a number is not a token count.
_MAX_TOKENS: Final = 1 << 40
Names = tuple[str, ...]


class _Names(Struct, frozen=True):
    """What one family of APIs calls its counts; ``details`` are objects in the usage that hold some of them."""

    prompt: Names
    output: Names
    cached: Names
    written: Names = ()
    details: Names = ()
    is_inclusive: bool = True


_TTL_SPLITS: Final = ("cache_creation", "cache_write_tokens_details", "cache_creation_token_details")
_SHORT: Final = ("ephemeral_5m_input_tokens", "ttl_30m_tokens")
_LONG: Final = ("ephemeral_1h_input_tokens", "ttl_12h_tokens")
_EXCLUSIVE_NAMES: Final = ("cache_read_input_tokens", "cache_creation_input_tokens", "cache_creation")
_INCLUSIVE_NAMES: Final = ("prompt_tokens", "input_tokens_details", "input_token_details")
_CACHED: Final = ("cached_tokens", "prompt_cache_hit_tokens", "cached_prompt_text_tokens", "total_cached_tokens", "cache_read")
_WRITTEN: Final = ("cache_write_tokens", "created_cache_tokens", "cache_creation_tokens")

_USUAL: Final = _Names(
    prompt=("prompt_tokens", "input_tokens", "total_input_tokens"),
    output=("completion_tokens", "output_tokens", "total_output_tokens"),
    cached=(*_CACHED, "cache_read_input_tokens"),
    written=(*_WRITTEN, "cache_creation_input_tokens"),
    details=("prompt_tokens_details", "input_tokens_details", "input_token_details", "tokens"),
)
_FAMILIES: Final = (
    _Names(
        prompt=("inputTokens", "inputTokenCount"),
        output=("outputTokens", "outputTokenCount"),
        cached=("cacheReadInputTokens", "cacheReadInputTokenCount", "cacheReadTokens"),
        written=("cacheWriteInputTokens", "cacheWriteInputTokenCount", "cacheWriteTokens"),
        is_inclusive=False,
    ),
    _Names(
        prompt=("promptTokenCount", "prompt_token_count"),
        output=("candidatesTokenCount", "candidates_token_count"),
        cached=("cachedContentTokenCount", "cached_content_token_count"),
    ),
    _Names(prompt=("native_tokens_prompt",), output=("native_tokens_completion",), cached=("native_tokens_cached",)),
)
USAGE_NAMES: Final = frozenset(name for family in _FAMILIES for name in (*family.prompt, *family.cached, *family.output))
"""Names that say by themselves that an object holds usage."""


def read_usage(value: object, tally: Tally, *, is_inclusive: bool | None = None) -> Usage | None:
    """Return the counts in ``value``, None if there is none; what is missing stays None, never 0.

    Whether the prompt tokens include the cached ones is told by the names; where names of both kinds are present,
    ``is_inclusive`` tells it (the API of the record), and without it they do. Wrong types are dropped and counted.
    """
    if not isinstance(value, dict):
        if value is not None:
            tally.note(WRONG_TYPE)
        return None
    names = next((family for family in _FAMILIES if any(name in value for name in (*family.prompt, *family.cached))), _USUAL)
    sources = [*(found for name in names.details if isinstance(found := value.get(name), dict)), value]
    short, long = _split(sources, tally)
    prompt, cached, output, written = (
        _first(sources, wanted, tally) for wanted in (names.prompt, names.cached, names.output, names.written)
    )
    if written is None and (short is not None or long is not None):
        written = (short or 0) + (long or 0)
    if prompt is None:
        prompt = _hit_and_miss(value, tally)
    includes = _includes(value, is_inclusive) if names is _USUAL else names.is_inclusive
    return count_usage(
        tally, prompt=prompt, cached=cached, output=output, written=written, written_long=long, is_inclusive=includes
    )


def count_usage(
    tally: Tally,
    *,
    prompt: object,
    cached: object,
    output: object = None,
    written: object = None,
    written_long: object = None,
    is_inclusive: bool,
) -> Usage | None:
    """Return counts given one by one, None if none is known.

    With ``is_inclusive`` unset, ``prompt`` is what was neither read from the cache nor written to it, and both are added.
    Cached or written tokens above the prompt tokens are inconsistent and become unknown.
    """
    prompt, cached, output, written, written_long = (_count(x, tally) for x in (prompt, cached, output, written, written_long))
    if not is_inclusive and prompt is not None:
        prompt += (cached or 0) + (written or 0)
    if prompt is not None and cached is not None and cached > prompt:
        tally.note(INCONSISTENT)
        cached = None
    if prompt is not None and written is not None and written > prompt:
        tally.note(_MORE_WRITTEN)
        written = written_long = None
    usage = Usage(prompt, cached, output, written, written_long)
    return None if usage == Usage() else usage


def _includes(usage: dict[str, object], told: bool | None) -> bool:
    says_no = any(name in usage for name in _EXCLUSIVE_NAMES)
    says_yes = any(name in usage for name in _INCLUSIVE_NAMES)
    if says_no and says_yes:
        return told is not False
    return not says_no


def _split(sources: list[dict[str, object]], tally: Tally) -> tuple[int | None, int | None]:
    """Return the tokens written for the shorter and for the longer time to live."""
    splits = [found for source in sources for name in _TTL_SPLITS if isinstance(found := source.get(name), dict)]
    listed = [found for source in sources if isinstance(one := source.get("cacheDetails"), list) for found in one]
    by_ttl: dict[str, object] = {str(one.get("ttl")): one.get("inputTokens") for one in listed if isinstance(one, dict)}
    short, long = (_first([*splits, by_ttl], names, tally) for names in ((*_SHORT, "5m"), (*_LONG, "1h")))
    return short, long


def _hit_and_miss(usage: dict[str, object], tally: Tally) -> int | None:
    hit, miss = (_first([usage], (f"prompt_cache_{word}_tokens",), tally) for word in ("hit", "miss"))
    return None if hit is None or miss is None else hit + miss


def _first(sources: list[dict[str, object]], names: Names, tally: Tally) -> int | None:
    for source in sources:
        for name in names:
            if name in source and (found := _count(source[name], tally)) is not None:
                return found
    return None


def _count(value: object, tally: Tally) -> int | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _MAX_TOKENS and value == int(value):
        return int(value)
    tally.note(WRONG_TYPE)
    return None
