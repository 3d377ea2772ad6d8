"""Reported counts that cannot be right: against each other, or against all that the log shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.explain.reuse_cases import clear_tokens, reported_ratio
from radixlint.traffic import CachePolicy, Match, Request, Usage

# At the start of a log the cache may be warm from what came before it.
_WARM_SHARE: Final = 0.05
_WARM_REQUESTS: Final = 10
# If many report more than the log holds, the log is a part of the traffic.
_MOST_EXCESSIVE_RATE: Final = 0.1


def contradictions(requests: Sequence[Request]) -> list[int]:
    """Return the positions of requests whose own counts contradict each other."""
    return [position for position, one in enumerate(requests) if one.usage is not None and _contradicts_itself(one.usage)]


def from_nowhere(
    requests: Sequence[Request], matches: Sequence[Match | None], partners: Sequence[int | None], policy: CachePolicy
) -> list[int]:
    """Return the positions of requests that report tokens as cached which stand in no other prompt of the log.

    Nothing is said of the start of the log, of conversations that began before it, and of a log that seems to be a part of
    the traffic: there the cache may know what the log does not.
    """
    start = max(_WARM_REQUESTS, int(len(requests) * _WARM_SHARE))
    excessive = [
        position
        for position in range(start, len(requests))
        if (match := matches[position]) is not None and _exceeds(requests[position], match, match.shareable_tokens, policy)
    ]
    if not excessive or len(excessive) > _MOST_EXCESSIVE_RATE * len(requests):
        return []
    shared = _shared_either_way(matches, partners)
    alone = [one for one in excessive if (match := matches[one]) and _exceeds(requests[one], match, shared[one], policy)]
    # What only a later prompt holds was sent before as well, by a request that is not in the log.
    return [one for one in alone if not _began_earlier(requests[one])] if len(alone) == len(excessive) else []


def _exceeds(request: Request, match: Match, shared_tokens: int, policy: CachePolicy) -> bool:
    cached = None if request.usage is None else request.usage.cached_tokens
    if cached is None:
        return False
    return cached > shared_tokens * reported_ratio(request, match) + clear_tokens(cached, policy)


def _contradicts_itself(usage: Usage) -> bool:
    counts = (usage.prompt_tokens, usage.cached_tokens, usage.written_tokens)
    if any(count is not None and count < 0 for count in counts):
        return True
    return usage.prompt_tokens is not None and (usage.cached_tokens or 0) + (usage.written_tokens or 0) > usage.prompt_tokens


def _shared_either_way(matches: Sequence[Match | None], partners: Sequence[int | None]) -> list[int]:
    """Return how many tokens each request shares at most with any other, earlier or later."""
    shared = [0 if match is None else match.shareable_tokens for match in matches]
    for match, partner in zip(matches, partners, strict=True):
        if match is not None and partner is not None:
            shared[partner] = max(shared[partner], match.shareable_tokens)
    return shared


def _began_earlier(request: Request) -> bool:
    """Whether the prompt goes on with a conversation: its earlier requests may be missing."""
    return any(message.role == "assistant" for message in request.messages)
