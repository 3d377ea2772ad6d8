"""A request body as sent: its system text is fixed but for what was filled in, its conversation grows, its last turn is new."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from radixlint.lifetime.volatile_text import find_volatile
from radixlint.prompt import Confidence, Lifetime, Origin, Prompt, RequestFacts, Role, Segment
from radixlint.prompt.literal_cut import cut
from radixlint.stake.cached_resource import is_cached_resource

_LOOKS_LIKE: Final = {Origin.CLOCK: "a time", Origin.ID: "an id"}


def classify_request(prompt: Prompt) -> Prompt:
    """Return the prompt with lifetimes by role and turn, times and ids in its fixed text cut out as segments of their own."""
    users = [s.message for s in prompt.segments if s.role is Role.USER]
    first, last = (users[0], users[-1]) if users else (None, None)
    marked = _marked_end(prompt, last) if first == last else 0
    if is_cached_resource(prompt):
        marked = len(prompt.segments)
    ahead = _ahead_of_mark(prompt, last) if first == last and not marked else range(0)
    segments: list[Segment] = []
    ends: list[int] = []
    for index, segment in enumerate(prompt.segments):
        if index < marked:
            segments.extend(_pieces(segment))
        elif index in ahead:
            segments.extend(_doubted(piece) for piece in _pieces(segment))
        elif last is not None and segment.message >= last:
            segments.append(_as(segment, Lifetime.TURN, Origin.INPUT, "part of this call's own turn"))
        elif segment.role in (Role.ASSISTANT, Role.TOOL, Role.USER) or (first is not None and segment.message > first):
            segments.append(_as(segment, Lifetime.SESSION, Origin.HISTORY, "an earlier turn"))
        else:
            segments.extend(_pieces(segment))
        ends.append(len(segments) - 1)
    return replace(prompt, segments=tuple(segments), request=prompt.request and _moved(prompt.request, ends))


def _marked_end(prompt: Prompt, last: int | None) -> int:
    """Return the end of what a mark inside of the only turn sets apart from the rest of it, such as a document; 0 for nothing."""
    own = [i for i, s in enumerate(prompt.segments) if s.message == last and s.role is Role.USER]
    return max((i + 1 for i in own[:-1] if prompt.segments[i].is_breakpoint), default=0)


def _ahead_of_mark(prompt: Prompt, last: int | None) -> range:
    """Return the blocks of the only turn ahead of the marked one at its end, where that mark is the first of all.

    What is marked so may be a document for many requests, which a time ahead of it spoils, or the newest turn of a conversation.
    """
    marked = next((i for i, s in enumerate(prompt.segments) if s.is_breakpoint), None)
    if marked is None or prompt.segments[marked].message != last:
        return range(0)
    own = [i for i, s in enumerate(prompt.segments) if s.message == last and s.role is Role.USER]
    return range(own[0], marked) if own and marked == own[-1] else range(0)


def _doubted(piece: Segment) -> Segment:
    if piece.lifetime is not Lifetime.CALL:
        return _as(piece, Lifetime.TURN, Origin.INPUT, "part of this call's own turn")
    reason = f"{piece.reason}; if the conversation goes on, the next request reads the mark"
    return replace(piece, confidence=Confidence.LOW, reason=reason)


def _moved(facts: RequestFacts, ends: list[int]) -> RequestFacts:
    """Return ``facts`` with the marks behind the segments that their blocks end with now; ``ends`` is by old index."""
    return replace(facts, marks=tuple(replace(mark, segment=ends[mark.segment]) for mark in facts.marks))


def _as(segment: Segment, lifetime: Lifetime, origin: Origin, reason: str) -> Segment:
    return replace(segment, lifetime=lifetime, origin=origin, confidence=Confidence.HIGH, reason=reason)


def _pieces(segment: Segment) -> Iterator[Segment]:
    if segment.confidence is Confidence.LOW:
        # The source doubts that anything in this text was filled in.
        yield segment
        return
    at = 0
    for found in find_volatile(segment.text):
        if found.start > at:
            yield cut(segment, at, found.start)
        what = _LOOKS_LIKE.get(found.origin, "a counter of the talk")
        piece = cut(segment, found.start, found.end)
        yield replace(
            piece, lifetime=Lifetime.CALL, origin=found.origin, confidence=Confidence.MEDIUM, reason=f"it looks like {what}"
        )
        at = found.end
    if at < len(segment.text) or not at:
        yield cut(segment, at, len(segment.text)) if at else segment
