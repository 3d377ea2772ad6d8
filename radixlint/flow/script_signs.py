"""Tell in microseconds that a file of TypeScript or JavaScript has nothing to do with prompts."""

from __future__ import annotations

import re
from typing import Final

from radixlint.flow.python_signs import has_prompt_words

_LITERAL: Final = re.compile(
    r"//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?"
    r'|"(?:[^"\\\n]++|\\.)*+"?'
    r"|'(?:[^'\\\n]++|\\.)*+'?"
    r"|`(?:[^`\\]++|\\.)*+`?",
    re.DOTALL,
)
# What is told to people at work, or is the style or the markup of a page.
_TOLD: Final = re.compile(
    r"throw |error\(|console\.|log|warn|className|class=|css|assert|describe\(|it\(|import |from ", re.IGNORECASE
)
_BUNDLE: Final = 50_000
_BUNDLE_LINE: Final = 300
_LEAST_SPACES: Final = 3
_LEAST_PROSE: Final = 160
_MOST_AHEAD: Final = 200


def may_hold_prompts(code: str) -> bool:
    """Whether ``code`` has a trace of a prompt: a word that goes with them, or 160 code points of sentences in literals.

    Code that was packed for browsers has none: nobody can mend it there.
    """
    return not _is_bundle(code) and (has_prompt_words(code) or _has_prose(code))


def _is_bundle(code: str) -> bool:
    """Whether ``code`` was made by a program that packs others: much of it on few lines."""
    return len(code) >= _BUNDLE and len(code) > _BUNDLE_LINE * (code.count("\n") + 1)


def _has_prose(code: str) -> bool:
    prose = 0
    for match in _LITERAL.finditer(code):
        start, end = match.span()
        if code[start] == "/" or code.count(" ", start, end) < _LEAST_SPACES:
            continue
        ahead = code[max(0, start - _MOST_AHEAD) : start]
        if not _TOLD.search(ahead, ahead.rfind("\n") + 1):
            prose += end - start
            if prose >= _LEAST_PROSE:
                return True
    return False
