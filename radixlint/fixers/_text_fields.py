"""The text around a place in a file, as lines that can be moved: a text file, a YAML block, or a string with escaped breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from radixlint.fixers._tag_depth import depths_at
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Span

_YAML: Final = (".yaml", ".yml")
_BLOCK_HEAD: Final = late_pattern(r"(?:^|[:\-\s])\s*\|[+-]?\s*(?:#.*)?$")
_STRING: Final = late_pattern(r'(?<![\w\'"])"((?:[^"\\]|\\.)*)"(?=\s*(?:[,\]}:]|#|$))')
_ESCAPE: Final = late_pattern(r"\\(.)")

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """One line of a text: its source without the field's indentation, and its half-open range, indentation included."""

    text: str
    start: Place
    end: Place


@dataclass(frozen=True)
class TextField:
    """A text by its lines; ``indent`` is the blank that starts each of them, ``is_quoted`` tells a string with escapes."""

    path: str
    pieces: Sequence[Piece]
    indent: str = ""
    is_quoted: bool = False

    def index_at(self, place: Place) -> int:
        """Return the number of the line that holds ``place``."""
        return next(i for i, piece in enumerate(self.pieces) if piece.start <= place <= piece.end)

    @cached_property
    def depths(self) -> Sequence[int]:
        """How many blocks are open at the start of each line, and behind the last."""
        text = "\n".join(piece.text for piece in self.pieces)
        starts, at = [], 0
        for piece in self.pieces:
            starts.append(at)
            at += len(piece.text) + 1
        return depths_at(text, [*starts, at])

    def text(self, index: int) -> str | None:
        """Return a line, None beyond the ends."""
        return self.pieces[index].text if 0 <= index < len(self.pieces) else None

    def without(self, first: int, last: int) -> Span | None:
        """Return what to take out so that lines ``first`` to ``last`` are gone; None if nothing would be left."""
        if last + 1 < len(self.pieces):
            return Span(self.path, *self.pieces[first].start, *self.pieces[last + 1].start)
        return Span(self.path, *self.pieces[first - 1].end, *self.pieces[last].end) if first else None

    def behind(self, index: int) -> Span:
        """Return the empty place at the end of a line."""
        return Span(self.path, *self.pieces[index].end, *self.pieces[index].end)

    def written(self, lines: Sequence[str], origin: TextField) -> str | None:
        """Return ``lines`` of the field ``origin`` as they are written behind a line of this one, None if they cannot be."""
        if self.is_quoted and origin.is_quoted:
            return "".join(f"\\n{line}" for line in lines)
        if self.is_quoted:
            return "".join("\\n" + line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
        if origin.is_quoted and any("\\" in line for line in lines):
            return None
        return "".join(f"\n{self.indent}{line}" if line.strip() else "\n" for line in lines)


def field_at(path: str, lines: Sequence[str], place: Place) -> TextField | None:
    """Return the text that holds ``place``, None if it is written in a way in which lines cannot be told."""
    name = path.lower()
    if name.endswith(".json"):
        return _quoted(path, lines, place)
    if not name.endswith(_YAML):
        return TextField(path, [_piece(lines, number, "") for number in range(1, len(_without_last(lines)) + 1)])
    return _block(path, lines, place[0]) or _quoted(path, lines, place)


def _without_last(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines without the empty one behind the last line end."""
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def _piece(lines: Sequence[str], number: int, indent: str) -> Piece:
    line = lines[number - 1]
    return Piece(line.removeprefix(indent), (number, 1), (number, len(line) + 1))


def _block(path: str, lines: Sequence[str], number: int) -> TextField | None:
    """Return the literal block of YAML that holds a line: below a head of less indentation, up to a line of less."""
    least, head = _indent(lines[number - 1]), number - 1
    while head >= 1:
        line = lines[head - 1]
        if line.strip() and _indent(line) < least:
            if _BLOCK_HEAD.search(line):
                break
            least = _indent(line)
        head -= 1
    if head < 1 or not lines[number - 1].strip():
        return None
    first = next(n for n in range(head + 1, number + 1) if lines[n - 1].strip())
    indent = lines[first - 1][: _indent(lines[first - 1])]
    last = first
    for n in range(first, len(lines) + 1):
        if lines[n - 1].strip():
            if not lines[n - 1].startswith(indent):
                break
            last = n
    if last < number:
        return None
    return TextField(path, [_piece(lines, n, indent) for n in range(first, last + 1)], indent)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _quoted(path: str, lines: Sequence[str], place: Place) -> TextField | None:
    """Return the double-quoted string on one line that holds a place."""
    number, column = place
    line = lines[number - 1]
    found = next((m for m in _STRING.finditer(line) if m.start(1) < column <= m.end(1) + 1), None)
    if found is None:
        return None
    pieces, at = [], found.start(1)
    for escape in _ESCAPE.finditer(line, *found.span(1)):
        if escape[1] == "n":
            pieces.append(Piece(line[at : escape.start()], (number, at + 1), (number, escape.start() + 1)))
            at = escape.end()
    pieces.append(Piece(line[at : found.end(1)], (number, at + 1), (number, found.end(1) + 1)))
    return TextField(path, pieces, is_quoted=True)
