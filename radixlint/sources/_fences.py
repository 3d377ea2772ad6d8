"""Which lines of Markdown are fenced code."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.late_pattern import late_pattern

_FENCE = late_pattern(r"[ \t]{0,3}(`{3,}|~{3,})(.*)")


def fenced_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the indices, from 0, of lines in fences of code, these included; a fence without an end goes to the end."""
    inside: set[int] = set()
    fence = ""
    for index, line in enumerate(lines):
        mark = _FENCE.match(line)
        if fence:
            inside.add(index)
            fence = "" if mark and mark[1].startswith(fence) and not mark[2].strip() else fence
        elif mark:
            inside.add(index)
            fence = mark[1]
    return frozenset(inside)
