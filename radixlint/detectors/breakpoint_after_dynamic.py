"""A cache mark ends a prefix that holds a value which differs on every call, so what it writes is never read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.detectors._body_marks import has_history, markable, read_marks, talk_start
from radixlint.plural import counted
from radixlint.prompt import CacheLimits, CacheMark, Confidence, Lifetime, Origin, Prompt, Segment
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.cause_place import is_told_for_tools, place_of
from radixlint.stake.value_words import mark_words, value_name

_RANK: Final = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: nothing; a mark behind such a value is a fault whatever its size."""


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the first such value of each block."""
    facts = prompt.request
    if facts is None or facts.limits is None:
        return
    marks = read_marks(facts, facts.limits)
    told: set[int] = set()
    for index, segment in enumerate(prompt.segments[: marks[-1].segment + 1] if marks else ()):
        if segment.message in told or not _varies(segment, prompt.is_rendered):
            continue
        ahead = [mark for mark in marks if mark.segment < index]
        lost = [mark for mark in marks if mark.segment >= index and not (mark.is_automatic and ahead and not has_history(prompt))]
        if not lost or (index >= talk_start(prompt) and _moves_on(prompt, index, ahead, lost)):
            continue
        # Ahead of a value behind the first one nothing is stable as a whole.
        place = markable(prompt, ahead[-1].segment + 1 if ahead else 0, index - 1, facts.limits, count) if not told else None
        told.add(segment.message)
        start = ahead[-1].segment + 1 if ahead else 0
        held = prompt.segments[start : lost[-1].segment + 1]
        tokens = sum(count(s.text) for s in held if s.is_literal and s.lifetime > segment.lifetime)
        fields = {"value": value_name(segment), "differs": mark_words(segment), **_loss(len(lost), tokens)}
        related = tuple(Related(mark.span, "this mark ends a prefix that holds the value") for mark in lost)
        cause = place_of(segment) if is_told_for_tools(segment) else None
        if prompt.is_rendered and _is_long_by_itself(prompt, lost[0], facts.limits, count):
            segment = replace(segment, confidence=max(segment.confidence, Confidence.MEDIUM, key=_RANK.index))
        yield Hit(index, segment, place_of(segment), tokens, fields, related, cause=cause, markable=place)


def _is_long_by_itself(prompt: Prompt, mark: CacheMark, limits: CacheLimits, count: CountTokens) -> bool:
    """Whether the marked block of a turn is long enough to be cached without what stands ahead: a document, no question."""
    return count(prompt.segments[mark.segment].text) >= max(1, limits.min_tokens or 0)


def _loss(marks: int, tokens: int) -> dict[str, str]:
    """Return the words for what the marks behind the value cost."""
    marked = "the cache mark" if marks == 1 else f"{marks} cache marks"
    loss = f"the {counted(tokens, 'token')} of fixed text marked with it are computed and written again each time, and never read"
    if not tokens:
        loss = (
            f"no fixed text is lost, but {'the mark is' if marks == 1 else 'the marks are'} wasted: what it writes is never read"
        )
    return {"marks": marked, "tokens": f"{tokens:,}", "loss": loss}


def _varies(segment: Segment, is_rendered: bool) -> bool:
    """Whether a segment differs between calls; what stands in the history does so no more."""
    if is_rendered:
        return segment.lifetime is Lifetime.CALL
    is_value = not segment.is_literal or bool(segment.controls)
    return is_value and segment.lifetime <= Lifetime.TURN and segment.origin is not Origin.HISTORY


def _moves_on(prompt: Prompt, index: int, ahead: list[CacheMark], lost: list[CacheMark]) -> bool:
    """Whether a value in the conversation stays there in later requests, so that a mark behind it is read by them.

    A mark of the newest turn moves on with each turn. Where no turn can follow, one on retrieved text may be meant for
    several questions on it.
    """
    segment = prompt.segments[index]
    is_asked_about = segment.origin is Origin.RETRIEVAL and segment.confidence is not Confidence.HIGH
    is_own = any(prompt.segments[mark.segment].message == segment.message for mark in lost)
    return bool(ahead) or has_history(prompt) or (is_asked_about and is_own) or all(mark.is_automatic for mark in lost)
