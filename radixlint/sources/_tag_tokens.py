"""Cut what stands inside a tag into tokens: strings, numbers, paths and signs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from radixlint.late_pattern import late_pattern

_TOKEN = late_pattern(
    r"""(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)"""
    r"""|(?P<number>-?\d+(?:\.\d+)?(?![\w.]))"""
    r"""|(?P<path>(?:[\w$@.]|\[[^\]\n]*\])(?:[\w$@./?-]|\[[^\]\n]*\])*)"""
    r"""|(?P<sign>:=|==|!=|<>|<=|>=|&&|\|\||\S)""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its kind (``string number path sign``), its text as written, and its offset in the tag's content."""

    kind: str
    text: str
    at: int

    @property
    def inner(self) -> str:
        """A string's text without its quotes."""
        return self.text[1:-1]


def tokens_of(content: str) -> list[Token]:
    """Return the tokens of ``content``; never fails."""
    return [Token(match.lastgroup or "sign", match.group(), match.start()) for match in _TOKEN.finditer(content)]
