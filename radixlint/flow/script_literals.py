"""What strings, templates and JSX text stand for, each character with its place in the file."""

from __future__ import annotations

import re
from typing import Final

from radixlint.passage import Passage

_SURROGATES: Final = r"u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
_ESCAPE: Final = re.compile(
    rf"\\(?:{_SURROGATES}|u\{{(?P<long>[0-9a-fA-F]{{1,6}})\}}|u(?P<u>[0-9a-fA-F]{{4}})|x(?P<x>[0-9a-fA-F]{{2}})"
    r"|(?P<octal>[0-3]?[0-7]{1,2})|(?P<goes_on>\r\n|[\n\r\u2028\u2029])|(?P<short>.))|\r\n?",
    re.DOTALL,
)
_LINE_END: Final = re.compile(r"\r\n?")
_SHORT: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
_BLANKS: Final = " \t\r"
_LAST: Final = 0x10FFFF


class _Builder:
    """Joins stretches of a passage and what replaces others."""

    def __init__(self, passage: Passage) -> None:
        self._passage = passage
        self._texts: list[str] = []
        self._rows: list[int] = []

    def verbatim(self, start: int, end: int) -> None:
        self._texts.append(self._passage.text[start:end])
        self._rows.extend(range(start, end))

    def put(self, text: str, at: int) -> None:
        self._texts.append(text)
        self._rows.extend([at] * len(text))

    def built(self, end: int) -> Passage:
        passage = self._passage
        rows = [*self._rows, end]
        table = rows if passage.table is None and not passage.base else [passage.offset(row) for row in rows]
        return Passage("".join(self._texts), passage.ground, 0, table)


def unescaped(passage: Passage, start: int, end: int, *, is_raw: bool = False) -> Passage:
    """Return the characters of a string or template between its quotes; of ``String.raw`` escapes stay as they are."""
    pattern = _LINE_END if is_raw else _ESCAPE
    text = passage.text
    if ("\\" not in text[start:end] or is_raw) and "\r" not in text[start:end]:
        return passage.part(start, end)
    made, at = _Builder(passage), start
    for match in pattern.finditer(text, start, end):
        made.verbatim(at, match.start())
        made.put("\n" if text[match.start()] == "\r" else _character(match), match.start())
        at = match.end()
    made.verbatim(at, end)
    return made.built(end)


def _character(match: re.Match[str]) -> str:
    if match["high"]:
        return chr(0x10000 + ((int(match["high"], 16) - 0xD800) << 10) + int(match["low"], 16) - 0xDC00)
    digits = match["long"] or match["u"] or match["x"]
    if digits:
        # A lone half of a pair is no character of a file.
        code = int(digits, 16)
        return chr(code) if code <= _LAST and not 0xD800 <= code < 0xE000 else "\N{REPLACEMENT CHARACTER}"
    if match["octal"]:
        return chr(int(match["octal"], 8))
    return "" if match["goes_on"] else _SHORT.get(match["short"], match["short"])


def attribute_text(passage: Passage, start: int, end: int) -> Passage:
    """Return the characters of a JSX attribute between its quotes, which has entities and no escapes."""
    if "&" not in passage.text[start:end]:
        return passage.part(start, end)
    made = _Builder(passage)
    _put_entities(made, passage, start, end)
    return made.built(end)


def child_text(passage: Passage, start: int, end: int) -> Passage:
    """Return the text between JSX tags as React keeps it: lines trimmed at breaks, blank ones left out, joined by a space."""
    raw = passage.text[start:end]
    if "\n" not in raw:
        return attribute_text(passage, start, end)
    made, at, breaks = _Builder(passage), start, raw.count("\n")
    is_first = True
    for number, line in enumerate(raw.split("\n")):
        first = at + (len(line) - len(line.lstrip(_BLANKS)) if number else 0)
        last = at + (len(line.rstrip(_BLANKS)) if number < breaks else len(line))
        if first < last:
            if not is_first:
                made.put(" ", at - 1)
            is_first = False
            _put_entities(made, passage, first, last)
        at += len(line) + 1
    return made.built(end)


def _put_entities(made: _Builder, passage: Passage, start: int, end: int) -> None:
    at = start
    for match in _ENTITY.finditer(passage.text, start, end):
        from html import unescape

        made.verbatim(at, match.start())
        made.put(unescape(match.group()), match.start())
        at = match.end()
    made.verbatim(at, end)
