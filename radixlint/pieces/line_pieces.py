"""Texts as pieces: a line each, and what each piece is known by."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
from hashlib import blake2b
from itertools import accumulate
from typing import Final

from msgspec import Struct

from radixlint.pieces.item import PieceKind
from radixlint.written_forms import line_form

LONGEST_PIECE_CHARACTERS: Final = 2_000
_SENTENCE_END: Final = re.compile(r"[.!?;][\"'\u2019\u201d\u00bb)\]]{0,8}\s+|[\u3002\uff01\uff1f\uff1b]")
# A copy is made in half the time that a new one takes.
_STATES: Final = {kind: blake2b(digest_size=8, person=kind.value.encode()) for kind in PieceKind}
_MEMO_CHARACTERS: Final = 1 << 20
_ENTRY_CHARACTERS: Final = 100


class Cut(Struct, frozen=True, gc=False):
    """The pieces of one text: the key of each, and its length in characters; joined they are the text.

    ``is_odd``: some of it may be written in another form than its keys are made of.
    """

    keys: list[int]
    lengths: list[int]
    is_odd: bool = False


def piece_key(kind: PieceKind, text: str) -> int:
    """Return the 64-bit hash by which a piece is known, equal in every process.

    >>> piece_key(PieceKind.LINE, "Be kind.") == piece_key(PieceKind.CALL, "Be kind.")
    False
    """
    state = _STATES[kind].copy()
    state.update(text.encode("utf-8", "surrogatepass"))
    return int.from_bytes(state.digest(), "little")


def heads_of(keys: Iterable[int]) -> array[int]:
    """Return a hash of all keys in front of each of ``keys``, and of all of them: one more than there are keys.

    Known from one process only.
    """
    return array("q", accumulate(keys, lambda head, key: hash((head, key)), initial=0))


def cut_line(line: str, longest_characters: int = LONGEST_PIECE_CHARACTERS) -> list[str]:
    r"""Return ``line`` in pieces: itself, or behind each sentence where it is too long, and at blanks where a sentence is.

    A line is too long over ``longest_characters``, a sentence over ``LONGEST_PIECE_CHARACTERS``.

    Every sentence of a long line is a piece of its own, so that a change in one leaves the others as they are.

    >>> cut_line("One. Two.\n")
    ['One. Two.\n']
    """
    if len(line) <= longest_characters:
        return [line]
    pieces, at = [], 0
    for end in [*(found.end() for found in _SENTENCE_END.finditer(line)), len(line)]:
        while end - at > LONGEST_PIECE_CHARACTERS:
            limit = at + LONGEST_PIECE_CHARACTERS
            blank = line.rfind(" ", at, limit)
            cut = blank + 1 if blank >= at else limit
            pieces.append(line[at:cut])
            at = cut
        if end > at:
            pieces.append(line[at:end])
            at = end
    return pieces


class LineKeys:
    """Cuts texts into lines; the key of a line that came lately is not computed again.

    Lines that differ only in the form in which they are written (``line_form``) have one key.
    """

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._odd: set[str] = set()
        self._room = _MEMO_CHARACTERS

    def cut(self, text: str, longest_characters: int = LONGEST_PIECE_CHARACTERS) -> Cut:
        """Return the lines of ``text``, line ends included, as pieces; at least one, if an empty one.

        Lines over ``longest_characters`` are cut behind each sentence.
        """
        lines = text.split("\n")
        last = lines.pop()
        lengths = list(map(len, lines))
        if len(last) > longest_characters or (lengths and max(lengths) >= longest_characters):
            pieces = _long(lines, last, longest_characters)
            forms = [_form(piece) for piece in pieces]
            return Cut([piece_key(PieceKind.LINE, form) for form in forms], list(map(len, pieces)), forms != pieces)
        keys = [self._known.get(line) or self._line_key(line) for line in lines]
        is_odd = bool(self._odd) and not self._odd.isdisjoint(lines)
        lengths = [length + 1 for length in lengths]
        if last or not lines:
            form = line_form(last)
            is_odd = is_odd or form != last
            keys.append(piece_key(PieceKind.LINE, form))
            lengths.append(len(last))
        return Cut(keys, lengths, is_odd)

    def _line_key(self, line: str) -> int:
        """Return the key of ``line`` and its line end; known lines are forgotten all at once."""
        self._room -= len(line) + _ENTRY_CHARACTERS
        if self._room < 0:
            self._known.clear()
            self._odd.clear()
            self._room = _MEMO_CHARACTERS
        form = line_form(line)
        if form != line:
            self._odd.add(line)
        key = self._known[line] = piece_key(PieceKind.LINE, form + "\n")
        return key


def _form(piece: str) -> str:
    """Return the form of a piece of a line, and the line end that it has."""
    return line_form(piece) + ("\n" if piece.endswith("\n") else "")


def _long(lines: list[str], last: str, longest_characters: int) -> list[str]:
    pieces = [piece for line in lines for piece in cut_line(line + "\n", longest_characters)]
    return [*pieces, *cut_line(last, longest_characters)] if last else pieces
