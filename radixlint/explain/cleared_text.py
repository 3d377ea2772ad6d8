"""The sentence that clears prompts of blame: what the log shows, what it does not tell, and what the provider says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.explain.vendor_words import cause_of_word, is_known_word
from radixlint.plural import counted
from radixlint.result.cause import Cause
from radixlint.traffic import Request

_SENTENCES: Final = {
    Cause.PARAMETER: "{requests} began like earlier ones but came with another {detail}",
    Cause.ROUTING: "{requests} began like earlier ones but went to another host than all of those",
    Cause.PARALLEL_START: "{requests} began before an earlier one with the same beginning can have ended and been cached",
    Cause.TTL: "{requests} began like earlier ones, but too long after the last of those ({detail})",
    Cause.BELOW_MINIMUM: "{requests} began like earlier ones, but with too little for this cache ({detail})",
    Cause.MARKER: "{requests} began like earlier ones, but without a cache mark nothing is written or read",
    Cause.ENGINE: "{requests} began like earlier ones at length, and no request of the log ever reported a cached token: "
    "caching looks off, or the engine cannot reuse",
    Cause.CAPACITY: "{requests} began like earlier ones, but too much was sent in between for this cache ({detail})",
    Cause.METERING: "{requests} reported counts that cannot be right: {detail}",
    Cause.UNKNOWN: "{requests} began like earlier ones and were yet reported as computed: the log does not show why",
}
_SYSTEM_ROLES: Final = ("system", "developer")
_MOST_WORDS: Final = 3


def sentence(
    cause: Cause,
    detail: str,
    requests: int,
    missing: Sequence[str] = (),
    words: Sequence[str] = (),
    agrees: bool | None = None,
    broken: int = 0,
) -> str:
    """Return what is to be said of ``requests`` requests with one cause, without a full stop.

    ``missing`` names what the log does not tell of them; ``words`` are the provider's reasons. ``broken`` of them have a break:
    only what stands in front of it is cleared.
    """
    count = counted(requests, "request")
    said = [_SENTENCES[cause].format(requests=count, detail=detail or "parameter")]
    if cause is not Cause.METERING:
        told = "the prompts were intact" if requests > 1 else "the prompt was intact"
        if missing:
            told += f" as far as the log shows (it does not tell {_listed(missing)})"
        elif cause is Cause.UNKNOWN:
            told += " as far as the log shows"
        said.append(told + _only_up_to(requests, broken))
    if words:
        says = f"the provider says {', '.join(words[:_MOST_WORDS])}"
        said.append(f"{says}, which does not fit" if agrees is False else says)
    return "; ".join(said)


def _only_up_to(requests: int, broken: int) -> str:
    if not broken:
        return ""
    if requests == 1:
        return ", only up to its break"
    return ", only up to their breaks" if broken == requests else f", {broken:,} of them only up to a break"


def missing_parts(requests: Sequence[Request], log: Sequence[Request]) -> tuple[str, ...]:
    """Return what the log does not tell of ``requests``, and what a cache or template would look at."""
    are_messages = all(one.messages for one in requests)
    told = {
        "tools": not are_messages or any(one.tools for one in log),
        "instructions": not are_messages or all(one.messages[0].role in _SYSTEM_ROLES for one in requests),
        "parameters": any(one.settings is not None and one.settings.parameters for one in log),
        "namespace": all(one.namespace for one in requests),
    }
    return tuple(name for name, is_told in told.items() if not is_told)


def miss_words(requests: Sequence[Request]) -> tuple[str, ...]:
    """Return the provider's words for why ``requests`` missed that say something, each once, in their order."""
    words = (None if one.settings is None else one.settings.miss_reason for one in requests)
    return tuple(
        dict.fromkeys(word for word in words if word is not None and cause_of_word(word) is not None and is_known_word(word))
    )


def duration(seconds: float) -> str:
    """Return a time for people.

    >>> duration(42), duration(612), duration(7200)
    ('42 s', '10.2 min', '2 h')
    """
    for size_s, unit in ((3600, "h"), (60, "min")):
        if seconds >= size_s:
            return f"{seconds / size_s:.1f}".removesuffix(".0") + f" {unit}"
    return f"{seconds:.0f} s"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
