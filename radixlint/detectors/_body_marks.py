"""The cache marks of a request body that its provider reads, and how long the prefix in front of one is."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from radixlint.late_pattern import late_pattern
from radixlint.prompt import CacheLimits, CacheMark, Confidence, Lifetime, Origin, Prompt, RequestFacts, Role, Segment
from radixlint.stake import CountTokens

# Values of a few words; of all others no source says how long they are.
_SHORT = frozenset((Origin.CLOCK, Origin.ID, Origin.COUNTER))
_TALK = frozenset((Role.USER, Role.ASSISTANT, Role.TOOL))
_TTL: Final = late_pattern(r"([0-9]{1,6})([smhd])")
_UNIT_S: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
DEFAULT_TTL: Final = "5m"


def limited(prompt: Prompt) -> tuple[RequestFacts, CacheLimits] | None:
    """Return the facts and limits of a body whose provider is known, None for any other prompt."""
    facts = prompt.request
    return None if facts is None or facts.limits is None or not prompt.segments else (facts, facts.limits)


def read_marks(facts: RequestFacts, limits: CacheLimits) -> list[CacheMark]:
    """Return the marks that the provider reads, in wire order."""
    return sorted((mark for mark in facts.marks if is_read(mark, facts, limits)), key=lambda mark: mark.segment)


def is_read(mark: CacheMark, facts: RequestFacts, limits: CacheLimits) -> bool:
    """Whether the provider reads a mark with this key, in a body of this form."""
    if facts.shape == "bedrock-converse":
        return mark.key == "cachePoint"
    return mark.key in limits.mark_keys and mark.key != "cachePoint"


def ttl_s(mark: CacheMark) -> int | None:
    """Return the time to live of a mark in seconds, None if it is no number, such as a placeholder."""
    found = _TTL.fullmatch(mark.ttl or DEFAULT_TTL)
    return int(found[1]) * _UNIT_S[found[2]] if found else None


def as_of(source: str) -> str:
    """Return of a limit's source only how sure it is, as a message has room for: when it was checked, or that it is assumed."""
    return "assumed" if source.startswith("assumed") else source.rpartition(", ")[2]


def markable(prompt: Prompt, first: int, last: int, limits: CacheLimits, count: CountTokens) -> tuple[int, int] | None:
    """Return the segments from ``first`` to ``last`` at which the prefix is long enough to be cached, by its fixed text alone."""
    tokens = 0
    for index, segment in enumerate(prompt.segments[: last + 1]):
        tokens += count(segment.text) if segment.is_literal else 0
        if tokens >= max(1, limits.min_tokens or 0):
            return (max(first, index), last) if first <= last else None
    return None


def talk_start(prompt: Prompt) -> int:
    """Return the index of the first segment of the conversation, the number of segments if there is none."""
    return next((i for i, segment in enumerate(prompt.segments) if segment.role in _TALK), len(prompt.segments))


def has_history(prompt: Prompt) -> bool:
    """Whether the body holds earlier turns, or a value that stands for them."""
    return any(segment.origin is Origin.HISTORY for segment in prompt.segments)


def known_tokens(segments: tuple[Segment, ...], count: CountTokens) -> int | None:
    """Return the tokens of ``segments``, None if one of them may be of any length: an image, a file, a long value."""
    total = 0
    for segment in segments:
        if (segment.is_literal and not segment.text) or (not segment.is_literal and segment.origin not in _SHORT):
            return None
        total += count(segment.text)
    return total


def plain(segment: Segment, confidence: Confidence = Confidence.HIGH, reason: str = "") -> Segment:
    """Return ``segment`` as the place of a fault that no value causes."""
    return replace(segment, lifetime=Lifetime.STATIC, origin=Origin.LITERAL, confidence=confidence, reason=reason)
