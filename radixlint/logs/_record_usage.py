"""What the server reported: token counts in the forms that OpenAI-like servers write, cached included in prompt."""

from __future__ import annotations

from typing import Final

from radixlint.logs._tally import Tally
from radixlint.traffic import Usage

WRONG_TYPE: Final = "Usage values that are no token count were dropped"
INCONSISTENT: Final = "Usage with more cached than prompt tokens is inconsistent, its cached tokens are unknown"

# More than any log holds; beyond it a number is not a token count.
_MAX_TOKENS: Final = 1 << 40
_PROMPT: Final = ("prompt_tokens", "input_tokens")
_OUTPUT: Final = ("completion_tokens", "output_tokens")
_DETAILS: Final = ("prompt_tokens_details", "input_tokens_details")
_CACHED: Final = ("cached_tokens", "prompt_cache_hit_tokens")
# Counted beside ``input_tokens``, not in it, by the servers that write these names.
_EXCLUSIVE: Final = ("cache_read_input_tokens", "cache_creation_input_tokens")


def read_usage(value: object, tally: Tally) -> Usage | None:
    """Return the counts in ``value``, None if there is none; what is missing stays None, never 0.

    Wrong types are dropped and counted. Cached tokens above the prompt tokens are inconsistent and become unknown.
    """
    if not isinstance(value, dict):
        if value is not None:
            tally.note(WRONG_TYPE)
        return None
    prompt = _count(value, _PROMPT, tally)
    cached = _cached(value, tally)
    if "prompt_tokens" not in value and any(name in value for name in _EXCLUSIVE):
        read, written = (_count(value, (name,), tally) for name in _EXCLUSIVE)
        cached = read
        prompt = None if prompt is None else prompt + (read or 0) + (written or 0)
    if prompt is not None and cached is not None and cached > prompt:
        tally.note(INCONSISTENT)
        cached = None
    usage = Usage(prompt_tokens=prompt, cached_tokens=cached, output_tokens=_count(value, _OUTPUT, tally))
    return None if usage == Usage() else usage


def _cached(usage: dict[str, object], tally: Tally) -> int | None:
    for name in _DETAILS:
        details = usage.get(name)
        if isinstance(details, dict) and (found := _count(details, _CACHED, tally)) is not None:
            return found
    return _count(usage, _CACHED, tally)


def _count(source: dict[str, object], names: tuple[str, ...], tally: Tally) -> int | None:
    for name in names:
        value = source.get(name)
        if value is None:
            continue
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _MAX_TOKENS and value == int(value):
            return int(value)
        tally.note(WRONG_TYPE)
    return None
