"""Apply edits to the bytes of a file; every byte outside of them stays: line ends of all kinds, byte-order mark, encoding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from radixlint.files.source_encoding import UTF_8
from radixlint.prompt import Span
from radixlint.result.finding import Edit

_MARK: Final = "\ufeff"
_LINE_END: Final = re.compile(r"\r\n|\r|\n")

Range = tuple[int, int]


class EditableText:
    """A file as it is on disk, with the places of its lines as radixlint counts them.

    Args:
        data: the bytes of the file.
        encoding: how they are read and written.

    Raises:
        UnicodeDecodeError: they are not of that encoding.
    """

    def __init__(self, data: bytes, encoding: str = UTF_8) -> None:
        text = data.decode(encoding)
        self._encoding = encoding
        self._mark = _MARK if text.startswith(_MARK) else ""
        self._text = text.removeprefix(_MARK)
        self._starts = [0]
        self._ends: list[str] = []
        for found in _LINE_END.finditer(self._text):
            self._starts.append(found.end())
            self._ends.append(found.group())

    def edited(self, edits: Iterable[Edit]) -> bytes:
        """Return the bytes with ``edits`` applied; insertions at one place keep their order.

        Raises:
            ValueError: two edits overlap, one stands outside of the text, or the encoding has no such letters.
        """
        placed = sorted(((self._range(edit.span), edit) for edit in edits), key=lambda item: item[0])
        parts: list[str] = []
        mark, at = self._mark, 0
        for (start, end), edit in placed:
            if start < at:
                raise ValueError(f"edits overlap at line {edit.span.line}")
            line_end = edit.line_end or self._line_end_near(edit.span.line)
            parts += (self._text[at:start], edit.text.replace("\n", line_end))
            at = end
            if edit.line_end is not None and (start, end) == (0, len(self._text)):
                mark = ""
        return (mark + "".join(parts) + self._text[at:]).encode(self._encoding)

    def _range(self, span: Span) -> Range:
        start, end = self._offset(span.line, span.column), self._offset(span.end_line, span.end_column)
        if start > end:
            raise ValueError(f"an edit at line {span.line} ends ahead of its start")
        return start, end

    def _offset(self, line: int, column: int) -> int:
        if not 1 <= line <= len(self._starts):
            raise ValueError(f"there is no line {line}")
        start = self._starts[line - 1]
        end = self._starts[line] - len(self._ends[line - 1]) if line < len(self._starts) else len(self._text)
        if not 0 <= column - 1 <= end - start:
            raise ValueError(f"line {line} has no column {column}")
        return start + column - 1

    def _line_end_near(self, line: int) -> str:
        """Return the line end of ``line``; the last line, which has none, takes that of the line ahead of it."""
        return self._ends[min(line, len(self._ends)) - 1] if self._ends else "\n"


def do_overlap(one: Sequence[Edit], others: Iterable[Edit]) -> bool:
    """Whether an edit of ``one`` touches what an edit of ``others`` replaces; two insertions at one place do not."""
    return any(_do_touch(_ends(a.span), _ends(b.span)) for a in one for b in others)


def _ends(span: Span) -> tuple[tuple[int, int], tuple[int, int]]:
    return (span.line, span.column), (span.end_line, span.end_column)


def _do_touch(a: tuple[tuple[int, int], tuple[int, int]], b: tuple[tuple[int, int], tuple[int, int]]) -> bool:
    if a[0] == a[1] and b[0] == b[1]:
        return False
    return a[0] < b[1] and b[0] < a[1]
