"""How far a cache mark of the newest turn stands behind the place where the request before ended, in content blocks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from radixlint.detectors._body_marks import talk_start
from radixlint.late_pattern import late_pattern
from radixlint.prompt import CacheMark, Prompt, Role, Segment

_CALL: Final = late_pattern(r"tool_?use|tool_?call|toolUse|function|functionCall")
_CALL_CHARS: Final = 200


class NewBlocks(Struct, frozen=True):
    """What stands between the end of the request before and the first ``mark`` behind it.

    ``end`` is the index of that request's last segment. ``blocks`` are counted one by one, of ``fewest`` each run of calls or
    of their results is one: which of the two a provider counts, its pages tell differently.
    """

    mark: CacheMark
    end: int
    blocks: int
    fewest: int


def new_blocks(prompt: Prompt, marks: Sequence[CacheMark]) -> NewBlocks | None:
    """Return what is new up to the mark of the newest turn; None if the turn has no mark, or none came before it.

    A program that marks the end of the newest message marked the end of the request before as well, and nothing behind it.
    """
    segments, start, last = prompt.segments, talk_start(prompt), marks[-1].segment
    if any(s.message > segments[last].message for s in segments[last + 1 :]):
        return None
    end, side = last, segments[last].role is Role.ASSISTANT
    for is_same in (True, False):
        while end >= start and ((segments[end].role is Role.ASSISTANT) is side) is is_same:
            end -= 1
    if end < start:
        return None
    mark = next(mark for mark in marks if mark.segment >= end)
    added = segments[end : mark.segment + 1]
    is_first = [not _continues(one, other) for one, other in pairwise(added)]
    blocks = [segment for segment, starts in zip(added[1:], is_first, strict=True) if starts]
    runs = sum(not _is_one_run(one, other) for one, other in pairwise(blocks))
    return NewBlocks(mark, end, len(blocks), runs + bool(blocks))


def _continues(one: Segment, other: Segment) -> bool:
    """Whether a segment is a later piece of the same text: a time in it was cut out."""
    here, there = one.span, other.span
    return one.message == other.message and (here.end_line, here.end_column) == (there.line, there.column)


def _is_one_run(one: Segment, other: Segment) -> bool:
    if one.message != other.message or one.role is not other.role:
        return False
    return one.role is Role.TOOL or (_is_call(one) and _is_call(other))


def _is_call(segment: Segment) -> bool:
    return segment.role is Role.ASSISTANT and bool(_CALL.search(segment.text[:_CALL_CHARS]))
