"""Runs of blanks too long for a backtracking split pattern, set apart so that the tokens stay what the pattern means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_BLANK: Final = r"[ \t\x0b\x0c\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
_LONG_RUN: Final = re.compile(rf"(?<!{_BLANK}){_BLANK}{{100000,}}+(?![\r\n])")


def around_long_blanks(text: str, *, is_last_apart: bool) -> Iterator[tuple[str, bool]]:
    """Yield the parts of ``text`` and whether each is one piece of the split pattern.

    In front of text, all of a run but its last blank is one piece: the last one belongs to what follows. A run that
    ends the text is a piece if ``is_last_apart``; else the pattern takes it together with newlines in front of it,
    without stepping back.
    """
    start = 0
    for run in _LONG_RUN.finditer(text):
        is_last = run.end() == len(text)
        if is_last and not is_last_apart:
            break
        end = run.end() if is_last else run.end() - 1
        yield text[start : run.start()], False
        yield text[run.start() : end], True
        start = end
    yield text[start:], False
