"""The tokens behind each segment of a prompt in one pass: loops and conditions form a tree, of a condition one branch is sent."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from radixlint.prompt import ControlKind, Segment

_LEAF: Final = (-1, ControlKind.LOOP)


def weights_behind(segments: Sequence[Segment], weights: Sequence[int]) -> tuple[int, list[int]]:
    """Return the weight of all segments, and for each the weight of those behind it that are sent together with it.

    Args:
        segments: in wire order; the segments of one loop or branch are neighbours.
        weights: tokens of each segment, 0 for what does not count.

    Of a condition the heaviest branch counts; behind a segment in a branch the other branches count nothing.
    """
    behind = [0] * len(segments)
    total = _walk(segments, weights, behind, range(len(segments)), 0)
    return total, behind


def _walk(segments: Sequence[Segment], weights: Sequence[int], behind: list[int], indices: Sequence[int], depth: int) -> int:
    """Add to ``behind`` what follows within ``indices``, and return their weight."""
    groups = [(key, list(members)) for key, members in groupby(indices, key=lambda i: _enclosing(segments[i], depth))]
    after = 0
    for (node, kind), members in reversed(groups):
        own = 0
        if node < 0:
            for index in reversed(members):
                behind[index] += after + own
                own += weights[index]
        else:
            branches = _branches(segments, members, depth) if kind is ControlKind.CONDITION else [members]
            own = max(_walk(segments, weights, behind, branch, depth + 1) for branch in branches)
            for index in members:
                behind[index] += after
        after += own
    return after


def _enclosing(segment: Segment, depth: int) -> tuple[int, ControlKind]:
    return (segment.controls[depth].node, segment.controls[depth].kind) if depth < len(segment.controls) else _LEAF


def _branches(segments: Sequence[Segment], members: list[int], depth: int) -> list[list[int]]:
    branches: dict[int, list[int]] = {}
    for index in members:
        branches.setdefault(segments[index].controls[depth].branch, []).append(index)
    return list(branches.values())
