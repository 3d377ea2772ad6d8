"""Show text from input literally inside Markdown."""

from __future__ import annotations

import re
from typing import Final

from radixlint.safe_text import safe_line

_MARKUP: Final = re.compile(r"([\\`*_\[\]<>|#~&!])")


def plain(text: str) -> str:
    r"""Return ``text`` as Markdown that shows it literally, on one line.

    >>> plain("<b>|y")
    '\\<b\\>\\|y'
    """
    return _MARKUP.sub(r"\\\1", safe_line(text))


def code(text: str) -> str:
    """Return ``text`` as a code span on one line, fenced by more backticks than it holds in a row.

    >>> code("a`b"), code("x")
    ('`` a`b ``', '`x`')
    """
    line = safe_line(text)
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    if not longest:
        return f"`{line}`"
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}"
