"""Lower a file of Python to a program; it is parsed, never compiled, imported or run."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from radixlint.flow.program import Module, Node
from radixlint.flow.python_expressions import Expressions
from radixlint.flow.python_places import Places
from radixlint.flow.python_statements import Statements
from radixlint.passage import Passage

_TOO_DEEP: Final = "too deeply nested, not checked"
_TEMPLATE: Final = re.compile(r"(?<![\w.])(?:[tT][rR]?|[rR][tT])(?=['\"])")
_READS_TEMPLATES: Final = sys.version_info >= (3, 14)


def lower_python(passage: Passage, path: str) -> Module:
    """Return the program in ``passage``, a whole file.

    Raises:
        SourceError: it does not parse, or nests too deeply.
    """
    return Module(path, passage, "python", lower_block(passage, 0, len(passage.text)))


def lower_block(passage: Passage, start: int, end: int) -> tuple[Node, ...]:
    """Return the statements in ``passage.text[start:end]``, such as a cell of a notebook; raises as ``lower_python``."""
    code = passage.text[start:end]
    with warnings.catch_warnings(), _told(passage, start, code):
        # A doubtful escape is for the linters of Python to report.
        warnings.simplefilter("ignore")
        tree = ast.parse(code)
        return Statements(Expressions(passage, Places(code, start))).body(tree.body)


def parses(code: str) -> bool:
    """Whether Python can parse ``code``."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return False
    return True


@contextmanager
def _told(passage: Passage, start: int, code: str) -> Iterator[None]:
    """Turn what the parser raises into an error that says where."""
    try:
        yield
    except SyntaxError as error:
        at = _offset(code, error.lineno, error.offset or 1) if error.lineno else max(0, code.find("\0"))
        raise passage.error(*_explained(error, code, min(len(code), at), start)) from None
    except (RecursionError, MemoryError):
        raise passage.error(_TOO_DEEP, start + _longest_line(code)) from None
    except ValueError as error:
        raise passage.error(f"not Python: {error}", start + max(0, code.find("\0"))) from None


def _offset(code: str, line: int, column: int) -> int:
    """Return the offset of a line and column from 1; the parser counts columns in code points here."""
    at = 0
    for _ in range(line - 1):
        found = code.find("\n", at)
        if found < 0:
            return len(code)
        at = found + 1
    return at + max(0, column - 1)


def _explained(error: SyntaxError, code: str, at: int, start: int) -> tuple[str, int, str | None]:
    """Return message, offset and hint of a fault at ``at`` of ``code``, which stands at ``start``.

    What only a newer Python reads is told apart from what no Python does.
    """
    message = (error.msg or "invalid syntax").rstrip(".")
    if message == "too many nested parentheses" or "too many statically nested" in message:
        return _TOO_DEEP, start + at, None
    first = code.rfind("\n", 0, at) + 1
    last = code.find("\n", at)
    template = None if _READS_TEMPLATES else _TEMPLATE.search(code, first, len(code) if last < 0 else last)
    if template is not None:
        hint = "run radixlint with Python 3.14 or newer"
        return "t-strings need Python 3.14 to be read", start + template.start(), hint
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"not Python {here}: {message}", start + at, None


def _longest_line(code: str) -> int:
    """Return the offset of the longest line, where what nests most is likely to stand."""
    start = longest = at = 0
    for line in code.split("\n"):
        if len(line) > longest:
            start, longest = at, len(line)
        at += len(line) + 1
    return start
