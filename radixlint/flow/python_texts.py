"""Literals of Python as texts that know where each of their characters stands in the file."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from radixlint.flow.program import Display, Joined, Member, Name, Node, Printed, Text
from radixlint.flow.python_literals import Slot, Stretch, UnreadLiteral, read_literals
from radixlint.flow.python_places import Places
from radixlint.passage import Passage

if TYPE_CHECKING:
    from radixlint.flow.python_expressions import Expressions

_QUOTES: Final = ("'", '"')
_DOTTED: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
_KEYWORDS: Final = frozenset(("True", "False", "None"))


def fixed_text(passage: Passage, start: int, end: int, value: str | bytes) -> Text:
    """Return the text of the literals in ``start:end`` whose value is ``value``; of bytes each stands for a character.

    Raises:
        SourceError: they are not understood.
    """
    source, at = passage.text, start
    while source[at] not in _QUOTES:
        at += 1
    # Nearly all literals are one, without escapes.
    width = 3 if source.startswith(source[at] * 3, at) and end - at > 2 else 1
    if end - width >= at + width and source[at + width : end - width] == value:
        return Text(start, end, passage.part(at + width, end - width))
    try:
        pieces = list(read_literals(source, start, end))
    except UnreadLiteral as error:
        raise passage.error("this literal is not understood", error.at) from None
    return Text(start, end, _passage(passage, pieces, start))


def formatted_text(around: Expressions, start: int, end: int, values: Sequence[ast.expr]) -> Node:
    """Return the f-string or t-string in ``start:end``, whose fields print ``values``.

    Raises:
        SourceError: it is not understood.
    """
    passage = around.passage
    try:
        pieces = list(read_literals(passage.text, start, end))
        fields = iter(values)
        parts: list[Node] = []
        for piece in pieces:
            if isinstance(piece, Slot):
                if piece.shown:
                    parts.append(Text(*piece.shown, passage.part(*piece.shown)))
                value = _field(around, piece, next(fields))
                parts.append(Printed(piece.start, piece.end, value, piece.format, piece.conversion))
            elif piece.text:
                parts.append(Text(piece.start, piece.end, _passage(passage, [piece], start)))
    except (UnreadLiteral, StopIteration):
        raise passage.error("this literal is not understood", start) from None
    if values:
        return Joined(start, end, tuple(parts))
    return Text(start, end, _passage(passage, pieces, start))


def _field(around: Expressions, slot: Slot, value: ast.expr) -> Node:
    """Return what a field prints.

    Before Python 3.12 the parser often puts it at another place. Where it is not at its own, it is read anew.
    """
    first, last = slot.code
    code = around.text[first:last]
    start, end = first + len(code) - len(code.lstrip()), first + len(code.rstrip())
    if _DOTTED.fullmatch(around.text, start, end) and code.strip() not in _KEYWORDS:
        return _member(around.text, start, end)
    try:
        if around.places.range(value) == (start, end):
            return around.lower(value)
    except IndexError:
        pass
    # Parentheses, so that it may go on over lines as in a field; a comment in it ends with its line.
    wrapped = f"({code}\n)"
    tree = ast.parse(wrapped, mode="eval")
    found = type(around)(around.passage, Places(wrapped, first - 1)).lower(tree.body)
    # A tuple would have them for its own.
    return Display(start, end, found.kind, found.items) if isinstance(found, Display) and found.start < first else found


def _member(text: str, start: int, end: int) -> Node:
    first, *others = text[start:end].split(".")
    at = start + len(first)
    node: Node = Name(start, at, first)
    for name in others:
        at += len(name) + 1
        node = Member(start, at, node, name)
    return node


def _passage(passage: Passage, pieces: Sequence[Stretch | Slot], start: int) -> Passage:
    """Return the fixed text among ``pieces``, joined; ``start`` is where it stands if there is none."""
    stretches = [piece for piece in pieces if isinstance(piece, Stretch)]
    if len(stretches) == 1 and stretches[0].rows is None:
        return passage.part(stretches[0].start, stretches[0].end)
    rows: list[int] = []
    for piece in stretches:
        rows += range(piece.start, piece.end) if piece.rows is None else piece.rows[:-1]
    rows.append(stretches[-1].end if stretches else start)
    table = rows if passage.table is None and not passage.base else [passage.offset(row) for row in rows]
    return Passage("".join([piece.text for piece in stretches]), passage.ground, 0, table)
