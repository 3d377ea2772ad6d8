"""What stays and what changes of a line: the fixed text in front and behind, and the value between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from radixlint.explain.clock_values import clocks_in
from radixlint.explain.laid_out_texts import common_length, value_end, value_start

_NEAR: Final = 64
_LONGEST_CLOCK_VALUE: Final = 400


class Skeleton(Struct, frozen=True):
    """The text in front of a value that changes, and the text behind it; both may be empty."""

    head: str
    tail: str


def skeleton(before: str, after: str) -> Skeleton:
    """Return what two versions of a line, or of neighbouring lines, have in common around what changed.

    The value is taken whole: from a border to a border, and a time or date from its start to its end even where only its
    last digit changed. It reaches from the first change to the last. Equal lines are all head.

    >>> skeleton("Now: 2026-03-03 08:14 (UTC)", "Now: 2026-03-03 08:15 (UTC)")
    Skeleton(head='Now: ', tail='')
    >>> skeleton("pid 4711, 3 jobs", "pid 4712, 5 jobs")
    Skeleton(head='pid ', tail=' jobs')
    """
    if before == after:
        return Skeleton(before, "")
    front = common_length(before, after)
    back = min(common_length(before[::-1], after[::-1]), len(before) - front, len(after) - front)
    head = value_start(before, front)
    tail = min(len(line) - _tail_start((before, after), line, back) for line in (before, after))
    spans = [_widened(line, head, len(line) - tail) for line in (before, after)]
    head = min(start for start, _ in spans)
    tail = min(len(line) - end for line, (_, end) in zip((before, after), spans, strict=True))
    return Skeleton(before[:head], before[len(before) - tail :])


def merged(skeletons: Iterable[Skeleton]) -> Skeleton:
    """Return what all ``skeletons`` (at least one) have in common: the head and tail that fit every line they fit.

    >>> merged([Skeleton("Mode: fast, ", " left"), Skeleton("Mode: ", " left")])
    Skeleton(head='Mode: ', tail=' left')
    """
    rest = iter(skeletons)
    found = next(rest)
    for other in rest:
        head, tail = found.head, found.tail
        if not other.head.startswith(head):
            head = head[: value_start(head, common_length(head, other.head))]
            head = head if other.head.startswith(head) else ""
        if not other.tail.endswith(tail):
            back = common_length(tail[::-1], other.tail[::-1])
            tail = tail[_tail_start((tail, other.tail), tail, back) :]
        found = Skeleton(head, tail)
    return found


def value(line: str, around: Skeleton) -> tuple[int, int] | None:
    """Return where the value stands in ``line`` (half-open, code points; may be empty), None if the line does not fit.

    >>> value("pid 9, 1 jobs", Skeleton("pid ", " jobs")), value("no pid", Skeleton("pid ", " jobs"))
    ((4, 8), None)
    """
    end = len(line) - len(around.tail)
    if end < len(around.head) or not line.startswith(around.head) or not line.endswith(around.tail):
        return None
    return len(around.head), end


def _tail_start(lines: tuple[str, str], line: str, back: int) -> int:
    """Return where the last ``back`` code points of ``line`` start, behind the value that the change may have cut."""
    starts = [len(each) - back for each in lines]
    # Where a border stands right in front in both, nothing was cut.
    if all(start == 0 or value_end(each, start - 1) == start - 1 for each, start in zip(lines, starts, strict=True)):
        return len(line) - back
    return value_end(line, len(line) - back)


def _widened(line: str, start: int, end: int) -> tuple[int, int]:
    """Return the range widened to whole times and dates that it cuts."""
    if end - start > _LONGEST_CLOCK_VALUE:
        return start, end
    cut = [clock for clock in clocks_in(line, max(0, start - _NEAR), end + _NEAR) if clock.start < end and clock.end > start]
    return min([start, *(clock.start for clock in cut)]), max([end, *(clock.end for clock in cut)])
