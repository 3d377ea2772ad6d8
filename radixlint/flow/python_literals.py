"""String literals as they are written: which stretch of the source stands for which characters of the value, and where the
replacement fields of an f-string are. The parser does not tell, or tells it wrong before Python 3.12.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from typing import Final

import msgspec

_OPENING: Final = re.compile(r"([A-Za-z]{0,2})(\"\"\"|'''|\"|')")
_BETWEEN: Final = re.compile(r"(?:[ \t\f\n]++|\\\n|#[^\n]*+)*+")
_OCTAL_OR_SHORT: Final = r"(?P<octal>[0-7]{1,3})|x(?P<x>[0-9a-fA-F]{2})|(?P<short>[\nabfnrtv\\'\"])"
_ESCAPE: Final = rf"\\(?:{_OCTAL_OR_SHORT}|u(?P<u>[0-9a-fA-F]{{4}})|U(?P<U>[0-9a-fA-F]{{8}})|N\{{(?P<name>[^}}]+)\}})"
_DOUBLED: Final = r"(?P<brace>\{\{|\}\})"
_SHORT: Final = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\n": ""}
_ESCAPES: Final = re.compile(_ESCAPE)
_ESCAPES_OF_BYTES: Final = re.compile(rf"\\(?:{_OCTAL_OR_SHORT})")
_ESCAPES_AND_BRACES: Final = re.compile(f"{_ESCAPE}|{_DOUBLED}")
_BRACES: Final = re.compile(_DOUBLED)
_CLOSED: Final = {
    quote: re.compile(rf"(?:[^\\{quote[0]}]++|\\.{'' if len(quote) == 1 else f'|{quote[0]}(?!{quote[1:]})'})*+{quote}", re.DOTALL)
    for quote in ("'", '"', "'''", '"""')
}
# What decides where the expression of a field ends; operators with an equals sign and comments do not.
_MARK: Final = re.compile(r"#[^\n]*+|[=!<>]=|['\"()\[\]{}!:=]")
# Behind the ``=`` of a field that prints its own source.
_AFTER_DEBUG: Final = re.compile(r"(?:[ \t\f\n]++|#[^\n]*+)*+(?=[!:}])")
_PREFIX: Final = re.compile(r"[A-Za-z]{1,2}$")
_CONVERSION: Final = re.compile(r"!\s*(\w+)\s*")
_BRACE: Final = re.compile(r"[{}]")
# The fixed characters of an f-string up to the next brace or quote.
_RUN: Final = re.compile(r"(?:[^\\{}'\"]++|\\N\{[^}'\"\n]*\}|\\[^{}]|\\(?=[{}]))*+", re.DOTALL)
_RAW_RUN: Final = re.compile(r"(?:[^\\{}'\"]++|\\[^{}]|\\(?=[{}]))*+", re.DOTALL)


class Stretch(msgspec.Struct, frozen=True):
    """Fixed characters: ``text`` is the value; ``rows`` the offset in the source of each, then of their end.

    None for ``rows`` says that they stand in the source from ``start`` as they are.
    """

    text: str
    start: int
    rows: list[int] | None = None

    @property
    def end(self) -> int:
        """The offset behind the last of them."""
        return self.start + len(self.text) if self.rows is None else self.rows[-1]


class Slot(msgspec.Struct, frozen=True):
    """A replacement field: ``start`` and ``end`` enclose the braces, ``code`` the expression, ``shown`` the text of ``{x=}``."""

    start: int
    end: int
    code: tuple[int, int]
    shown: tuple[int, int] | None = None
    conversion: str = ""
    format: str = ""


class UnreadLiteral(Exception):  # noqa: N818 - it is a state of reading, not a fault of the user's
    """The source at ``at`` is no string literal that is understood."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


def read_literals(source: str, start: int, end: int) -> Iterator[Stretch | Slot]:
    """Yield what the literals in ``source[start:end]``, written side by side, are made of.

    Raises:
        UnreadLiteral: there is no literal there.
    """
    at = start
    while at < end:
        opening = _OPENING.match(source, at)
        if opening is None:
            raise UnreadLiteral(at)
        prefix, quote = opening[1].lower(), opening[2]
        is_raw = "r" in prefix
        if "f" in prefix or "t" in prefix:
            pieces, at = _formatted(source, opening.end(), quote, is_raw=is_raw)
            yield from pieces
        else:
            at = _closed(source, opening.end(), quote)
            escapes = _ESCAPES_OF_BYTES if "b" in prefix else _ESCAPES
            yield _stretch(source, opening.end(), at - len(quote), None if is_raw else escapes)
        between = _BETWEEN.match(source, at)
        at = between.end() if between else at


def _closed(source: str, at: int, quote: str) -> int:
    """Return the offset behind the closing quote of a literal that is no f-string."""
    found = _CLOSED[quote].match(source, at)
    if found is None:
        raise UnreadLiteral(at)
    return found.end()


def _stretch(source: str, start: int, end: int, escapes: re.Pattern[str] | None) -> Stretch:
    """Return the fixed characters between ``start`` and ``end``, in which ``escapes`` stand for others."""
    found = escapes.search(source, start, end) if escapes is not None else None
    if found is None or escapes is None:
        return Stretch(source[start:end], start)
    pieces: list[str] = []
    rows: list[int] = []
    at = start
    while found is not None:
        value = _unescaped(found)
        pieces += (source[at : found.start()], value)
        rows += range(at, found.start() + len(value))
        at = found.end()
        found = escapes.search(source, at, end)
    pieces.append(source[at:end])
    rows += range(at, end + 1)
    return Stretch("".join(pieces), start, rows)


def _unescaped(found: re.Match[str]) -> str:
    """Return the character that an escape stands for, nothing for a line that goes on."""
    kind = found.lastgroup or ""
    written = found[kind]
    if kind == "brace":
        return written[0]
    if kind == "short":
        return _SHORT.get(written, written)
    if kind == "name":
        try:
            return unicodedata.lookup(written)
        except KeyError:  # the reader's Unicode is older than the code's
            return "\ufffd"
    code = int(written, 8 if kind == "octal" else 16)
    # Half a surrogate pair is no character: nothing could encode it later.
    return "\ufffd" if 0xD800 <= code < 0xE000 or code > sys.maxunicode else chr(code)


def _formatted(source: str, at: int, quote: str, *, is_raw: bool) -> tuple[list[Stretch | Slot], int]:
    """Return what an f-string or t-string is made of, and the offset behind it; ``at`` is behind its opening quote."""
    escapes, run = (_BRACES, _RAW_RUN) if is_raw else (_ESCAPES_AND_BRACES, _RUN)
    pieces: list[Stretch | Slot] = []
    first = at
    while True:
        found = run.match(source, at)
        at = found.end() if found else at
        mark = source[at : at + 1]
        is_end = source.startswith(quote, at)
        is_slot = mark == "{" and source[at + 1 : at + 2] != "{"
        if (is_end or is_slot) and at > first:
            pieces.append(_stretch(source, first, at, escapes))
        if is_end:
            return pieces, at + len(quote)
        if is_slot:
            slot = read_slot(source, at)
            pieces.append(slot)
            at = first = slot.end
        elif mark:
            at += 2 if mark in "{}" else 1
        else:
            raise UnreadLiteral(at)


def read_slot(source: str, start: int) -> Slot:
    """Return the replacement field whose opening brace stands at ``start``.

    Raises:
        UnreadLiteral: it has no end.
    """
    at, depth = start + 1, 0
    while (found := _MARK.search(source, at)) is not None:
        at, mark = found.end(), found[0]
        if mark in "'\"":
            at = _past_literal(source, found.start())
        elif mark in "([{":
            depth += 1
        elif depth and mark in ")]}":
            depth -= 1
        elif not depth and mark in "}!:":
            return _ended(source, start, found.start(), None)
        elif not depth and mark == "=" and (after := _AFTER_DEBUG.match(source, at)) is not None:
            return _ended(source, start, found.start(), after.end())
    raise UnreadLiteral(start)


def _past_literal(source: str, at: int) -> int:
    """Return the offset behind the literal whose quote stands at ``at``, in an expression."""
    prefix = _PREFIX.search(source, max(0, at - 2), at)
    opening = _OPENING.match(source, at)
    if opening is None:
        raise UnreadLiteral(at)
    letters = prefix[0].lower() if prefix else ""
    if "f" in letters or "t" in letters:
        return _formatted(source, opening.end(), opening[2], is_raw="r" in letters)[1]
    return _closed(source, opening.end(), opening[2])


def _ended(source: str, start: int, code_end: int, shown_end: int | None) -> Slot:
    """Return the field whose expression ends at ``code_end``; behind it stand conversion and format."""
    at = code_end if shown_end is None else shown_end
    found = _CONVERSION.match(source, at)
    conversion = found[1] if found else "r" if shown_end is not None and source[at] == "}" else ""
    at = found.end() if found else at
    first = at + 1 if source[at] == ":" else at
    at = first
    while (brace := _BRACE.search(source, at)) is not None:
        if brace[0] == "}":
            shown = None if shown_end is None else (start + 1, shown_end)
            return Slot(start, brace.end(), (start + 1, code_end), shown, conversion, source[first : brace.start()])
        at = read_slot(source, brace.start()).end
    raise UnreadLiteral(at)
