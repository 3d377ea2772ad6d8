"""Where a node of ``ast`` stands in the text: its lines and columns in UTF-8 bytes become offsets in code points."""

from __future__ import annotations

import ast
from itertools import accumulate
from typing import Final

_WIDE: Final = ((0x10000, 4), (0x800, 3), (0x80, 2))


class Places:
    """Offsets of the nodes of one parse.

    ``code`` is what was parsed; its first code point stands at ``base`` of the text.
    """

    __slots__ = ("_columns", "_lines", "_starts")

    def __init__(self, code: str, base: int = 0) -> None:
        # A form feed or another separator of str.splitlines ends no line of Python.
        lines = code.split("\n")
        self._lines = None if code.isascii() else lines
        self._columns: dict[int, list[int]] = {}
        # Lines count from 1.
        self._starts = [base, *accumulate((len(line) + 1 for line in lines), initial=base)]

    def range(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.pattern) -> tuple[int, int]:
        """Return the half-open range of ``node``.

        Raises:
            IndexError: the parser gave a line or column that the code does not have.
        """
        first, last = node.lineno, node.end_lineno or node.lineno
        if self._lines is None:
            return self._starts[first] + node.col_offset, self._starts[last] + (node.end_col_offset or 0)
        return self.offset(first, node.col_offset), self.offset(last, node.end_col_offset or 0)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of byte ``column`` (from 0) of ``line`` (from 1); raises as ``range``."""
        if self._lines is None:
            return self._starts[line] + column
        columns = self._columns.get(line)
        if columns is None:
            text = self._lines[line - 1]
            columns = self._columns[line] = [] if text.isascii() else _columns(text)
        return self._starts[line] + (columns[column] if columns else column)


def _columns(line: str) -> list[int]:
    """Return the column in code points for each byte of the line, and for its end."""
    found: list[int] = []
    for index, character in enumerate(line):
        code = ord(character)
        found += [index] * next((size for least, size in _WIDE if code >= least), 1)
    found.append(len(line))
    return found
