r"""Where text may be cut so that the parts' tokens, joined, are the tokens of the whole.

Split patterns look ahead at most one character and never behind, so two neighbouring characters can force a border
whatever surrounds them. What was tried and is not certain: punctuation before a letter or a newline, white space before
anything but a newline before text, a lower before an upper case letter, a letter before an apostrophe, inside a number.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from radixlint.late_pattern import late_pattern

# Letters, and punctuation that is no apostrophe, in every version of Unicode that an engine may carry.
_LETTERS: Final = r"A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u0410-\u044f\uac00-\ud7a3\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5"
_MARKS: Final = r"!-&(-/:-@\[-`{-~\u3001\u3002\u300c-\u300f\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f"
_PUNCTUATION: Final = r"!-/:-@\[-`{-~"
# Python's idea of white space holds every engine's, so its non-space is everyone's; a blank must be one for everyone.
_BEFORE_BLANK: Final = r"(?<=\S)(?=[ \t\u3000])"
_AFTER_TEXT: Final = rf"(?<=[{_LETTERS}0-9])(?=[\r\n])"
_WITHIN_TEXT: Final = (
    rf"(?<=[{_LETTERS}0-9])(?=[{_MARKS}])|(?<=[{_LETTERS}])(?=[0-9])|(?<=[0-9])(?=[{_LETTERS}])"
    rf"|(?<=[{_PUNCTUATION}])(?=[0-9])"
)
_SEARCH_CHARACTERS: Final = 4096


class Cuts(Struct, frozen=True):
    """The certain cuts of a family of split patterns: each a place with a character on either side."""

    pattern: re.Pattern[str]

    def is_cut(self, text: str, at: int) -> bool:
        """Whether ``text`` may be cut in front of character ``at``; False at either end."""
        return 0 < at < len(text) and self.pattern.match(text, at) is not None

    def next_cut(self, text: str, start: int) -> int:
        """Return the first certain cut behind character ``start``, or the length of ``text``."""
        found = self.pattern.search(text, start + 1)
        return found.start() if found else len(text)

    def last_cut(self, text: str, low: int, high: int) -> int:
        """Return the last certain cut in ``low < cut <= high``, or ``low``; gives up after some thousand characters."""
        match = self.pattern.match
        for at in range(high, max(low, high - _SEARCH_CHARACTERS), -1):
            if at < len(text) and match(text, at):
                return at
        return low


def _cuts(*rules: str) -> Cuts:
    return Cuts(late_pattern("|".join(rules)))


_AFTER_LINE: Final = r"(?<=\n)(?=\S)"
# In the newer patterns a run of punctuation also swallows slashes behind its newlines.
_AFTER_LINE_NO_SLASH: Final = r"(?<=\n)(?=[^\s/])"

PLAIN_CUTS: Final = _cuts(_BEFORE_BLANK, _AFTER_LINE, _AFTER_TEXT, _WITHIN_TEXT)
"""cl100k_base, Llama 3, Qwen, DeepSeek."""

SLASH_CUTS: Final = _cuts(_BEFORE_BLANK, _AFTER_LINE_NO_SLASH, _AFTER_TEXT, _WITHIN_TEXT)
"""o200k_base, Llama 4, Tekken; certain for the others too."""

EVERY_CUT: Final = _cuts("")
"""Tokens that never span two characters."""

_OUTSIDE_SPECIALS: Final = {
    PLAIN_CUTS: _cuts(_BEFORE_BLANK, _AFTER_LINE, _AFTER_TEXT),
    SLASH_CUTS: _cuts(_BEFORE_BLANK, _AFTER_LINE_NO_SLASH, _AFTER_TEXT),
}


def cuts_beside_blanks(cuts: Cuts) -> Cuts | None:
    """Return those of ``cuts`` that have white space on a side, so that none is inside a word or a special token."""
    return _OUTSIDE_SPECIALS.get(cuts)


def is_certain_cut(before: str, after: str) -> bool:
    r"""Whether ``encode(before) + encode(after) == encode(before + after)`` for certain, for every vocabulary with cuts.

    The two characters at the border decide. False does not mean that the tokens differ.

    >>> is_certain_cut("one\n", "<two>"), is_certain_cut("one\n", "/two"), is_certain_cut("one", " two")
    (True, False, True)
    """
    return SLASH_CUTS.is_cut(before[-1:] + after[:1], 1)
