"""An expression of a program where it stands in its file: its text, what stands around it, and how to write beside it."""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass

from radixlint.fixers._source_lines import SourceLines
from radixlint.prompt import Prompt, Span
from radixlint.result.finding import Edit

_NOTEBOOK = ".ipynb"


@dataclass(frozen=True, slots=True)
class CodePlace:
    """``text`` is the expression as Python reads it, ``before`` and ``after`` the rest of its lines, ``tree`` what it says.

    In a notebook code is written in JSON strings, a line each; an expression of several lines is None there.
    """

    span: Span
    text: str
    before: str
    after: str
    tree: ast.expr
    is_escaped: bool

    def insertion(self, text: str, *, at_end: bool = False, back: int = 0) -> Edit:
        """Return the edit that writes ``text`` ahead of the expression, or ``back`` code points ahead of its end."""
        line, column = (self.span.end_line, self.span.end_column - back) if at_end else (self.span.line, self.span.column)
        return Edit(Span(self.span.path, line, column, line, column), self.written(text))

    def written(self, text: str) -> str:
        """Return ``text`` as it stands in the file."""
        return json.dumps(text, ensure_ascii=False)[1:-1] if self.is_escaped else text


def code_place(prompt: Prompt, span: Span) -> CodePlace | None:
    """Return what stands at ``span``; None if it is of another file or language, or no expression by itself."""
    lines = SourceLines(prompt)
    if span.path != prompt.path or not lines.lines or prompt.dialect != "python":
        return None
    is_escaped = prompt.path.lower().endswith(_NOTEBOOK)
    if is_escaped and span.line != span.end_line:
        return None
    raw = lines.text(span)
    before = lines.lines[span.line - 1][: span.column - 1]
    after = lines.lines[span.end_line - 1][span.end_column - 1 :]
    try:
        text = json.loads(f'"{raw}"') if is_escaped else raw
        tree = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return CodePlace(span, text, before, after, tree, is_escaped)
