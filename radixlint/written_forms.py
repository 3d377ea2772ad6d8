"""The forms in which the same words are written: quotes, dashes, blanks, line ends, Unicode forms."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

BYTE_ORDER_MARK: Final = "\ufeff"
QUOTES: Final = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a\u0060\u00b4\u02bc", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"')
)
"""Every quote and accent that stands for one, to the plain one."""
DASHES: Final = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))
"""Every hyphen, dash and minus, to the plain one."""
_ODD_BLANKS: Final = str.maketrans(
    dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f", " ")
)
# As an accent of code, a grave one is no quote.
_TYPOGRAPHIC: Final = {sign: plain for sign, plain in (QUOTES | DASHES | _ODD_BLANKS).items() if sign != ord("`")}
_ESCAPE: Final = re.compile(r"\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}")
_TAB: Final = "    "


def is_typographic(text: str) -> bool:
    """Whether a text holds quotes, dashes or blanks that have a plain counterpart."""
    return not text.isascii() and text.translate(_TYPOGRAPHIC) != text


def plain_text(text: str) -> str:
    r"""Return ``text`` in Unicode form NFC, with plain quotes, dashes, blanks and line ends, and no blanks at these.

    Tabs, blank lines and escapes stay as they are.

    >>> plain_text("\u201cIt\u2019s\u00a0so\u201d \r\n")
    '"It\'s so"\n'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.removeprefix(BYTE_ORDER_MARK)).translate(_TYPOGRAPHIC)
    return "\n".join(line.rstrip(" \t") for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))


def bare_text(text: str) -> str:
    r"""Return ``text`` in plain signs, with single blanks, without tabs and blank lines, with escapes in small letters.

    >>> bare_text("a\t b\n\n\tc%2F")
    'a b\n    c%2f'
    """
    lines = (line_form(line) for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return with_small_escapes("\n".join(filter(None, lines)))


def with_small_escapes(text: str) -> str:
    """Return ``text`` with the hexadecimal digits of escapes in small letters."""
    return _ESCAPE.sub(lambda found: found[0].lower(), text)


def line_form(line: str) -> str:
    r"""Return a line as it reads whatever form it is written in; lines of the same words have one form, indented alike.

    >>> line_form("\u201cIt\u2019s\u00a0so\u201d \r"), line_form("\tx  =  1")
    ('"It\'s so"', '    x = 1')
    """
    if line.isascii():
        line = line.rstrip()
        if "  " not in line and "\t" not in line:
            return line
    else:
        # Compatibility forms come behind the quotes: they take an acute accent apart.
        line = line.removeprefix(BYTE_ORDER_MARK).translate(_TYPOGRAPHIC)
        line = unicodedata.normalize("NFKC", line)
    words = line.split()
    if not words:
        return ""
    indent = line[: len(line) - len(line.lstrip())].replace("\t", _TAB)
    return " " * len(indent) + " ".join(words)
