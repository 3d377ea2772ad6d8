"""What a provider's file says that a single request can break: the minimum, the number of marks, the look-back."""

from __future__ import annotations

from typing import Final

from radixlint.prompt import CacheLimits
from radixlint.providers._provider_file import figures_of, title_of

# How each API writes a mark; all others cache by themselves or read none.
_MARK_KEYS: Final = {
    "anthropic": ("cache_control",),
    "bedrock": ("cachePoint", "cache_control"),
    "openai-breakpoint": ("prompt_cache_breakpoint",),
}
_LONGEST_FIRST: Final = frozenset(("anthropic", "bedrock"))


def limits_of(name: str, model: str | None = None) -> CacheLimits:
    """Return the limits of provider ``name`` for ``model``, for the models it has most of if None.

    Raises:
        DataError: the provider is unknown.
    """
    found = figures_of(name, model)

    def number(key: str) -> tuple[int | None, str]:
        figure = found.get(key)
        if figure is None or not figure.value:
            return None, ""
        # What a source says beside the number, such as a conflict, is for those who look it up.
        source = figure.source.split(";")[0].split(": ")[0]
        return int(figure.value), f"{source}, checked {figure.checked:%Y-%m-%d}"

    mark = found.get("implicit_mark")
    object_min_tokens, object_source = number("object_min_tokens")
    return CacheLimits(
        title_of(name),
        *number("min_tokens"),
        *number("max_marks"),
        *number("look_back_blocks"),
        mark_keys=_MARK_KEYS.get(name, ()),
        is_explicit_only=name in _MARK_KEYS and mark is not None and mark.value == "none",
        is_longest_first=name in _LONGEST_FIRST,
        object_min_tokens=object_min_tokens,
        object_min_tokens_source=object_source,
    )
