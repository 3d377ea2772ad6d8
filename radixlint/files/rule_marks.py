"""Marks in prompts that try rules: ``ruleid: CODE`` in a comment says that the next line has a finding, ``ok: CODE`` that not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from radixlint.files.comment_starts import ENCLOSED, TO_LINE_END

_WORDS: Final = r"(?P<verb>(?:todo)?(?:ruleid|ok)):[ \t]*(?P<codes>[A-Za-z][\w-]*(?:[ \t]*,[ \t]*[A-Za-z][\w-]*)*)"
_ENCLOSED: Final = re.compile(ENCLOSED + _WORDS)
_TO_LINE_END: Final = re.compile(TO_LINE_END + _WORDS, re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RuleMark:
    """One code of one mark: the ``line`` it speaks of, from 1, and ``written_at``, its own.

    ``is_finding`` says that a finding must stand there; ``is_todo`` that it does not hold yet, and is no fault.
    """

    code: str
    line: int
    written_at: int
    is_finding: bool
    is_todo: bool


def read_marks(text: str) -> tuple[RuleMark, ...]:
    """Return the marks of a file in order; each speaks of the next line that is neither blank nor a mark."""
    if "ruleid:" not in text and "ok:" not in text:
        return ()
    lines = text.split("\n")
    marks: list[RuleMark] = []
    for index, line in enumerate(lines):
        match = _mark(line)
        if match is None:
            continue
        below = next((i for i in range(index + 1, len(lines)) if lines[i].strip() and _mark(lines[i]) is None), len(lines))
        verb = match["verb"]
        marks += (
            RuleMark(code.strip(), below + 1, index + 1, verb.endswith("ruleid"), verb.startswith("todo"))
            for code in match["codes"].split(",")
        )
    return tuple(marks)


def _mark(line: str) -> re.Match[str] | None:
    """Return the mark of a line that holds nothing ahead of it."""
    return _ENCLOSED.match(line.strip()) or _TO_LINE_END.match(line.strip())
