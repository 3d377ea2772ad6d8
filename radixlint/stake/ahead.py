"""What stands ahead of a place: the fixed head of a prompt, which requests can share, and the first value that ends it."""

from __future__ import annotations

from radixlint.prompt import ControlKind, Lifetime, Prompt, Segment
from radixlint.stake import CountTokens


def head_end(prompt: Prompt) -> int:
    """Return the index of the first segment that differs between requests, the number of segments if none does."""
    for index, segment in enumerate(prompt.segments):
        if lives_for(segment) < Lifetime.DAY:
            return index
    return len(prompt.segments)


def lives_for(segment: Segment) -> Lifetime:
    """Return how long a segment stays in the prompt as it is: its own lifetime, or the shorter one of what encloses it."""
    return min((segment.lifetime, *(control.lifetime for control in segment.controls)))


def fixed_tokens(prompt: Prompt, end: int, count: CountTokens) -> int:
    """Return the literal tokens ahead of segment ``end`` that are sent whatever the request."""
    return sum(count(s.text) for s in prompt.segments[:end] if s.is_literal and not _is_optional(s))


def _is_optional(segment: Segment) -> bool:
    return any(control.kind is ControlKind.CONDITION and control.branch for control in segment.controls)
