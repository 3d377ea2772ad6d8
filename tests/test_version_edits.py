"""What differs between two versions of a message, told from the keys of their lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.explain.version_edits import EditKind, MessageEdit, message_edit
from radixlint.pieces import Item, Piece, PieceKind

LINES = st.lists(st.sampled_from("abcdefgh"), max_size=9).map("".join)


def item(lines: str) -> Item:
    """Return a message of one-letter lines."""
    return Item(0, "system", lines, tuple(Piece(ord(x), PieceKind.LINE, i, i + 1, 1) for i, x in enumerate(lines)), len(lines))


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ("abc", "axc", MessageEdit(EditKind.VALUE, 1, 2, 2, True)),
        ("abc", "ac", MessageEdit(EditKind.INSERTION, 1, 2, 1, True)),
        ("ac", "abc", MessageEdit(EditKind.REMOVAL, 1, 1, 2, True)),
        ("abcd", "acbd", MessageEdit(EditKind.ORDER, 1, 3, 3, True)),
        ("bcda", "abcd", MessageEdit(EditKind.ORDER, 0, 4, 4, False)),
        ("abce", "axe", MessageEdit(EditKind.BLOCK, 1, 3, 2, True)),
        ("a", "b", MessageEdit(EditKind.VALUE, 0, 1, 1, False)),
        ("abcfdg", "axcydz", MessageEdit(EditKind.VALUE, 1, 2, 2, True)),
        ("ab", "ab", None),
    ],
)
def test_each_kind_of_edit_is_told(mine: str, theirs: str, expected: MessageEdit | None) -> None:
    """A value in place, lines more or fewer, another order, a block for a block; the first difference counts."""
    assert message_edit(item(mine), item(theirs)) == expected


@given(LINES, LINES)
def test_an_edit_names_what_differs_and_nothing_before_it(mine: str, theirs: str) -> None:
    """All in front of the edit is equal, the first replaced lines differ, and a realigned rest starts with an equal line."""
    edit = message_edit(item(mine), item(theirs))
    if edit is None:
        assert mine == theirs
        return
    assert mine[: edit.start] == theirs[: edit.start]
    assert mine[edit.start : edit.start + 1] != theirs[edit.start : edit.start + 1]
    assert mine[edit.start : edit.end] != theirs[edit.start : edit.their_end]
    if edit.realigned:
        assert mine[edit.end : edit.end + 1] == theirs[edit.their_end : edit.their_end + 1] != ""
    if edit.kind is EditKind.ORDER:
        assert sorted(mine) == sorted(theirs)
