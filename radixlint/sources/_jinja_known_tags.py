"""Tokens of a template whose tags are plain and mostly known: a tag's tokens depend on its text alone, and tags repeat.

Jinja's own lexer reads each new tag; where a template holds anything but plain tags and comments, it reads all of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from jinja2 import TemplateSyntaxError

from radixlint.recent import Recent

RawToken = tuple[int, str, str]
Lex = Callable[[str], Iterable[tuple[int, str, str]]]

_MOST_CHARACTERS: Final = 1_000_000
_OPENING: Final = re.compile(r"\{[{%#]")
# Without strings, braces and percent signs inside, nothing but the end of the tag can look like it.
_TAG: Final = re.compile(r"(?:\{\{|\{%)-?(?![-+])[^{}%'\"+]*?(?:-(?:\}\}|%\})\s*|\}\}|%\})")
_COMMENT: Final = re.compile(r"\{#(?![-+])(.*?)(?<![-+])#\}", re.DOTALL)
_RAW: Final = re.compile(r"\{%-?\s*raw\b")
_KNOWN: Final[Recent[str, tuple[RawToken, ...]]] = Recent(_MOST_CHARACTERS)


def known_tokens(text: str, lex: Lex) -> list[RawToken] | None:
    """Return the raw tokens of a template with usual delimiters, by offset; None if ``lex`` must read it as a whole.

    Args:
        text: the template, its line ends LF.
        lex: Jinja's lexer: raw tokens of a text.
    """
    tokens: list[RawToken] = []
    cursor = 0
    while (opening := _OPENING.search(text, cursor)) is not None:
        start = opening.start()
        match = (_COMMENT if text[start + 1] == "#" else _TAG).match(text, start)
        if match is None or _RAW.match(text, start):
            return None
        data = text[cursor:start]
        data = data.rstrip() if text.startswith("-", start + 2) else data
        if data:
            tokens.append((cursor, "data", data))
        if match.re is _COMMENT:
            end = match.end()
            tokens += ((start, "comment_begin", "{#"), (start + 2, "comment", match[1]), (end - 2, "comment_end", "#}"))
        else:
            found = _tag(match.group(), lex)
            if found is None:
                return None
            tokens.extend([(start + at, kind, value) for at, kind, value in found])
        cursor = match.end()
    if cursor < len(text):
        tokens.append((cursor, "data", text[cursor:]))
    return tokens


def _tag(text: str, lex: Lex) -> tuple[RawToken, ...] | None:
    """Return the tokens of one tag by offset in it, None if it is not one tag to the lexer."""
    known = _KNOWN.get(text)
    if known is not None:
        return known
    found: list[RawToken] = []
    at = 0
    try:
        for _, kind, value in lex(text):
            found.append((at, kind, value))
            at += len(value)
    except TemplateSyntaxError:
        return None
    is_tag = found[0][1].endswith("_begin") and found[-1][1].endswith("_end") and at == len(text)
    if not is_tag or any(kind in ("data", "raw_begin") for _, kind, _ in found):
        return None
    _KNOWN.keep(text, tuple(found), len(text))
    return tuple(found)
