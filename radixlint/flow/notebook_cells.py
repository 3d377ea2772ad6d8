"""The code of a notebook as one passage; commands of IPython in it are blanked out, so that what is left is Python."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from radixlint.errors import SourceError
from radixlint.flow.program import Module, Node
from radixlint.flow.python_lowering import lower_block, parses
from radixlint.flow.python_scan import comments_and_literals
from radixlint.passage import Ground, Passage

_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s"{}\[\],:]++', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)")
_SOURCE_KEYS: Final = ("source", "input")
# Magics of a cell whose lines below are Python.
_PYTHON_MAGIC: Final = re.compile(r"\s*%%(?:time|timeit|capture|prun|python3?|ipytest)\b")
_CELL_MAGIC: Final = re.compile(r"\s*%%\w")
_COMMAND: Final = re.compile(
    r"^[ \t]*+(?:[\w.,][\w., \t]*+=[ \t]*+)??"
    r"(?P<command>(?:%{1,2}(?=\w)|!(?!=)|\?{1,2}(?=\w))(?:\\\n|[^\n])*+|[\w.]++\?{1,2}[ \t]*+$)",
    re.MULTILINE,
)
_DRAWN: Final = re.compile(r"[^\n]")


@dataclass(frozen=True, slots=True)
class Notebook:
    """The code of all code cells, each followed by a line end, and the half-open range of each in ``passage.text``."""

    passage: Passage
    cells: tuple[tuple[int, int], ...]


def read_notebook(ground: Ground) -> Notebook | None:
    """Return the code of a notebook; None if the file is none, or one of another language.

    Raises:
        SourceError: it is no JSON.
    """
    try:
        document = json.loads(ground.text)
    except json.JSONDecodeError as error:
        line, column = ground.place(error.pos)
        raise SourceError(f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}", line=line, column=column) from None
    except (RecursionError, ValueError):
        raise SourceError("too deeply nested or too long a number, not checked") from None
    if not isinstance(document, dict) or not _is_python(document):
        return None
    pieces: list[str] = []
    table: list[int] = []
    cells: list[tuple[int, int]] = []
    length = 0
    for strings in _code_cells(ground.text):
        rows: list[int] = []
        text = "".join([_unescaped(ground.text, start + 1, end - 1, rows) for start, end in strings])
        cells.append((length, length + len(text)))
        pieces += (_without_commands(text), "\n")
        table += rows
        table.append(strings[-1][1] - 1)
        length += len(text) + 1
    table.append(table[-1] if table else 0)
    return Notebook(Passage("".join(pieces), ground, 0, table), tuple(cells))


def lower_notebook(notebook: Notebook, path: str) -> tuple[Module, tuple[SourceError, ...]]:
    """Return the program of all cells that parse, in order, and where the others do not."""
    body: list[Node] = []
    faults: list[SourceError] = []
    for start, end in notebook.cells:
        try:
            body += lower_block(notebook.passage, start, end)
        except SourceError as error:
            faults.append(error)
    return Module(path, notebook.passage, "python", tuple(body)), tuple(faults)


def _is_python(document: dict[str, Any]) -> bool:
    found = document.get("metadata")
    metadata = found if isinstance(found, dict) else {}
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        of_part = metadata.get(part)
        language = of_part.get(key) if isinstance(of_part, dict) else None
        if isinstance(language, str):
            return "python" in language.lower()
    return True


@dataclass(slots=True)
class _Level:
    """An open object or list: of an object the last key, whether it is a code cell, and the strings of its source."""

    is_object: bool
    key: str = ""
    is_code: bool = False
    strings: list[tuple[int, int]] = field(default_factory=list)


def _code_cells(text: str) -> Iterator[list[tuple[int, int]]]:
    """Yield for each code cell the ranges of the strings of its source, quotes included; ``text`` is valid JSON."""
    levels = [_Level(is_object=False)]
    is_key = False
    for found in _TOKEN.finditer(text):
        mark, level = found[0], levels[-1]
        if mark in "{[":
            levels.append(_Level(is_object=mark == "{"))
            is_key = mark == "{"
        elif mark in "}]":
            levels.pop()
            if level.is_code and level.strings:
                yield level.strings
        elif mark in ",:":
            is_key = mark == "," and level.is_object
        elif mark[0] == '"':
            _take(mark, found.span(), levels, is_key)


def _take(mark: str, place: tuple[int, int], levels: list[_Level], is_key: bool) -> None:
    level = levels[-1]
    if level.is_object and is_key:
        level.key = mark[1:-1]
    elif level.is_object and level.key == "cell_type":
        level.is_code = mark == '"code"'
    else:
        cell = level if level.is_object else levels[-2] if len(levels) > 1 else level
        if cell.is_object and cell.key in _SOURCE_KEYS:
            cell.strings.append(place)


def _unescaped(text: str, start: int, end: int, rows: list[int]) -> str:
    """Return the value of a JSON string; the offset of each of its code points is added to ``rows``."""
    pieces: list[str] = []
    at = start
    for found in _ESCAPE.finditer(text, start, end):
        rows += range(at, found.start())
        rows.append(found.start())
        pieces += (text[at : found.start()], _character(found[0]))
        at = found.end()
    rows += range(at, end)
    pieces.append(text[at:end])
    return "".join(pieces)


def _character(escape: str) -> str:
    # A carriage return would be another line end to the parser, and half a surrogate pair is no character.
    character = json.loads(f'"{escape}"')
    return " " if character == "\r" else "\ufffd" if "\ud800" <= character < "\ue000" else str(character)


def _without_commands(code: str) -> str:
    """Return ``code`` with an unknown value in the place of each command of IPython, every code point at its place."""
    if not any(mark in code for mark in "%!?"):
        return code
    if _CELL_MAGIC.match(code):
        end = code.find("\n") if _PYTHON_MAGIC.match(code) else len(code)
        end = len(code) if end < 0 else end
        return _blank(code[:end]) + _without_commands(code[end:])
    literals = [place for place in comments_and_literals(code) if "\n" in code[slice(*place)]]
    python = _COMMAND.sub(lambda found: _replaced(found, literals), code)
    # A line may start with an operator.
    return code if python == code or parses(code) else python


def _replaced(found: re.Match[str], literals: list[tuple[int, int]]) -> str:
    start = found.start("command")
    before = bisect_left(literals, (start, start)) - 1
    if before >= 0 and start < literals[before][1]:
        return found[0]
    return found.string[found.start() : start] + "_" + _blank(found["command"][1:])


def _blank(text: str) -> str:
    return _DRAWN.sub(" ", text)
