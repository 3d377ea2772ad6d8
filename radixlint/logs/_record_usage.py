"""What the server reported: token counts under the names of all APIs, to counts with cached and written inside prompt."""

from __future__ import annotations

import functools
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
    """What one family of APIs calls its counts; ``more_output`` is output that ``output`` leaves out."""

    prompt: Names
    output: Names
    cached: Names
    written: Names = ()
    is_inclusive: bool = True
    more_output: Names = ()

    @property
    def all_names(self) -> Names:
        """All names of the family."""
        return (*self.prompt, *self.output, *self.cached, *self.written, *self.more_output)


_SHORT: Final = ("ephemeral_5m_input_tokens", "ttl_30m_tokens", "ttl_5m_tokens")
_LONG: Final = ("ephemeral_1h_input_tokens", "ttl_12h_tokens", "ttl_1h_tokens")
_HIT_AND_MISS: Final = ("prompt_cache_hit_tokens", "prompt_cache_miss_tokens")
_EXCLUSIVE_NAMES: Final = ("cache_read_input_tokens", "cache_creation_input_tokens", "cache_creation")
_INCLUSIVE_NAMES: Final = ("prompt_tokens", "input_tokens_details", "input_token_details")
_CACHED: Final = ("cached_tokens", "prompt_cache_hit_tokens", "cached_prompt_text_tokens", "total_cached_tokens", "cache_read")
_WRITTEN: Final = ("cache_write_tokens", "created_cache_tokens", "cache_creation_tokens")
# Objects in the usage that hold some of its counts.
_DETAILS: Final = frozenset(
    (
        *("prompt_tokens_details", "input_tokens_details", "input_token_details", "tokens", "cacheDetails"),
        *("cache_creation", "cache_write_tokens_details", "cache_creation_token_details"),
    )
)
_MOST_NESTED: Final = 2
_MAX_KEYS: Final = 256

_USUAL: Final = _Names(
    prompt=("prompt_tokens", "input_tokens", "total_input_tokens"),
    output=("completion_tokens", "output_tokens", "total_output_tokens"),
    cached=(*_CACHED, "cache_read_input_tokens"),
    written=(*_WRITTEN, "cache_creation_input_tokens"),
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
        more_output=("thoughtsTokenCount", "thoughts_token_count"),
    ),
    _Names(prompt=("native_tokens_prompt",), output=("native_tokens_completion",), cached=("native_tokens_cached",)),
)
USAGE_NAMES: Final = frozenset(name for family in _FAMILIES for name in family.all_names)
"""Names that say by themselves that an object holds usage."""
_COUNTS: Final = USAGE_NAMES | {*_USUAL.all_names, *_SHORT, *_LONG, *_HIT_AND_MISS}
_NOTHING: Final = Usage()


def read_usage(value: object, tally: Tally, *, is_inclusive: bool | None = None) -> Usage | None:
    """Return the counts in ``value``, None if there is none; what is missing stays None, never 0.

    Whether the prompt tokens include the cached ones is told by the names; where names of both kinds are present,
    ``is_inclusive`` tells it (the API of the record), and without it they do. Wrong types are dropped and counted.
    """
    if not isinstance(value, dict):
        if value is not None:
            tally.note(WRONG_TYPE)
        return None
    counts = _counts(value, tally)
    # Usage has a few shapes; an object with more keys than any is not remembered.
    find_plan = _plan if len(value) + len(counts) <= _MAX_KEYS else _plan.__wrapped__
    plan = find_plan(tuple(value), tuple(counts), is_inclusive)
    prompt, cached, output, written, written_long = [None if name is None else counts[name] for name in plan.names]
    if written is None and plan.parts_of_written:
        written = sum(counts[name] for name in plan.parts_of_written)
    if prompt is None and plan.parts_of_prompt:
        prompt = sum(counts[name] for name in plan.parts_of_prompt)
    if plan.more_output is not None:
        output = (output or 0) + counts[plan.more_output]
    return _usage(tally, prompt, cached, output, written, written_long, plan.is_inclusive)


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
    return _usage(
        tally,
        prompt=_count(prompt, tally),
        cached=_count(cached, tally),
        output=_count(output, tally),
        written=_count(written, tally),
        written_long=_count(written_long, tally),
        is_inclusive=is_inclusive,
    )


def _usage(
    tally: Tally,
    prompt: int | None,
    cached: int | None,
    output: int | None,
    written: int | None,
    written_long: int | None,
    is_inclusive: bool,
) -> Usage | None:
    if not is_inclusive and prompt is not None:
        prompt += (cached or 0) + (written or 0)
    if prompt is not None and cached is not None and cached > prompt:
        tally.note(INCONSISTENT)
        cached = None
    if prompt is not None and written is not None and written > prompt:
        tally.note(_MORE_WRITTEN)
        written = written_long = None
    usage = Usage(prompt, cached, output, written, written_long)
    return None if usage == _NOTHING else usage


class _Plan(Struct, frozen=True):
    """Which names of a usage object say what: prompt, cached, output, written, written for longer; and how they count."""

    names: tuple[str | None, ...]
    is_inclusive: bool
    parts_of_prompt: Names
    parts_of_written: Names
    more_output: str | None


@functools.lru_cache(maxsize=1024)
def _plan(own: Names, all_: Names, told: bool | None) -> _Plan:
    """Return the plan for an object with the keys ``own`` that has counts, nested ones included, under the names ``all_``."""
    family = next((one for one in _FAMILIES if any(name in all_ for name in one.all_names)), _USUAL)
    wanted = (family.prompt, family.cached, family.output, family.written, _LONG)
    return _Plan(
        names=tuple(next((name for name in names if name in all_), None) for names in wanted),
        is_inclusive=_includes(own, told) if family is _USUAL else family.is_inclusive,
        parts_of_prompt=_HIT_AND_MISS if all(name in all_ for name in _HIT_AND_MISS) else (),
        parts_of_written=tuple(name for name in (*_SHORT, *_LONG) if name in all_),
        more_output=next((name for name in family.more_output if name in all_), None),
    )


def _includes(own: Names, told: bool | None) -> bool:
    says_no = any(name in own for name in _EXCLUSIVE_NAMES)
    says_yes = any(name in own for name in _INCLUSIVE_NAMES)
    if says_no and says_yes:
        return told is not False
    return not says_no


def _counts(usage: dict[str, object], tally: Tally, depth: int = 0) -> dict[str, int]:
    """Return the counts of ``usage`` by name; those in its details go before those beside them."""
    counts: dict[str, int] = {}
    details: list[dict[str, object]] = []
    for name, value in usage.items():
        if type(value) is int and 0 <= value < _MAX_TOKENS:
            counts[name] = value
        elif value is None or isinstance(value, dict | list):
            if name in _DETAILS and depth < _MOST_NESTED:
                details += _details(value)
            elif value is not None and name in _COUNTS:
                tally.note(WRONG_TYPE)
        elif name in _COUNTS and (count := _count(value, tally)) is not None:
            counts[name] = count
    for one in details:
        counts |= _counts(one, tally, depth + 1)
    return counts


def _details(value: object) -> list[dict[str, object]]:
    if isinstance(value, dict):
        return [value]
    listed = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    return [{f"ttl_{one['ttl']}_tokens": one.get("inputTokens") for one in listed if isinstance(one.get("ttl"), str)}]


def _count(value: object, tally: Tally) -> int | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _MAX_TOKENS and value == int(value):
        return int(value)
    tally.note(WRONG_TYPE)
    return None
