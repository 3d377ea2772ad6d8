"""An expression of a program where it stands in its file: its text, what stands around it, and how to write beside it."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from typing import Final

from radixlint.fixers._source_lines import SourceLines
from radixlint.prompt import Prompt, Span
from radixlint.result.finding import Edit

_NOTEBOOK: Final = ".ipynb"
# No quote within a JSON string is without a backslash.
_NEXT_STRING: Final = re.compile(r'"\s*,\s*"')
_CHARACTER: Final = re.compile(
    r'(?:"\s*,\s*")?' + r"(?:\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\?.)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class CodePlace:
    """``text`` is the expression as Python reads it, ``before`` and ``after`` the rest of its lines, ``tree`` what it says.

    ``raw`` is the expression as it stands in the file; a notebook writes code in JSON strings, most often one a line.
    """

    span: Span
    text: str
    raw: str
    before: str
    after: str
    tree: ast.expr
    is_escaped: bool

    def insertion(self, text: str, *, at_end: bool = False, back: int = 0) -> Edit:
        """Return the edit that writes ``text`` ahead of the expression, or ``back`` code points ahead of its end."""
        count = len(self.text) - back if at_end else 0
        ahead = self.raw[: _raw_length(self.raw, count) if self.is_escaped else count]
        is_first = "\n" not in ahead
        line = self.span.line + ahead.count("\n")
        column = self.span.column + len(ahead) if is_first else len(ahead) - ahead.rindex("\n")
        return Edit(Span(self.span.path, line, column, line, column), self.written(text))

    def written(self, text: str) -> str:
        """Return ``text`` as it stands in the file."""
        return json.dumps(text, ensure_ascii=False)[1:-1] if self.is_escaped else text


def _raw_length(raw: str, count: int) -> int:
    r"""Return how many code points of JSON strings, one behind the other, write the first ``count`` characters.

    >>> _raw_length(r'a\"b\u00e9c', 4)
    10
    >>> _raw_length('a\\n",\n "bc', 3)
    9
    """
    ends = [found.end() for found in _CHARACTER.finditer(raw)]
    return ends[count - 1] if count else 0


def code_place(prompt: Prompt, span: Span) -> CodePlace | None:
    """Return what stands at ``span``; None if it is of another file or language, or no expression by itself."""
    lines = SourceLines(prompt)
    if span.path != prompt.path or not lines.lines or prompt.dialect != "python":
        return None
    is_escaped = prompt.path.lower().endswith(_NOTEBOOK)
    raw = lines.text(span)
    before = lines.lines[span.line - 1][: span.column - 1]
    after = lines.lines[span.end_line - 1][span.end_column - 1 :]
    try:
        text = json.loads(f'"{_NEXT_STRING.sub("", raw)}"') if is_escaped else raw
        tree = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return CodePlace(span, text, raw, before, after, tree, is_escaped)
