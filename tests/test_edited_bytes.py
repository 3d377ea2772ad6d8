"""Edits on the bytes of a file: what they do not name stays, byte for byte."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.files.edited_bytes import EditableText, do_overlap
from radixlint.prompt import Span
from radixlint.result.finding import Edit

WORDS = st.text(alphabet="aé🙂\u2028\x0b\x85 {}\t", max_size=6)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
LINES = st.lists(st.tuples(WORDS, ENDS), min_size=1, max_size=8).filter(lambda lines: not _do_ends_join(lines))


def _do_ends_join(lines: list[tuple[str, str]]) -> bool:
    """Whether a CR and the LF of an empty line behind it are one line end."""
    return any(one[1] == "\r" and other == ("", "\n") for one, other in pairwise(lines))


def edit(line: int, column: int, end_line: int, end_column: int, text: str, line_end: str | None = None) -> Edit:
    """Return an edit of a file of any name."""
    return Edit(Span("a.j2", line, column, end_line, end_column), text, line_end)


@given(LINES, WORDS, st.booleans(), st.data())
def test_all_bytes_outside_of_an_edit_stay(lines: list[tuple[str, str]], last: str, has_mark: bool, data: st.DataObject) -> None:
    """Replacing a stretch of one line leaves every other byte: mark, line ends of all kinds, letters of any length."""
    number = data.draw(st.integers(0, len(lines) - 1))
    start = data.draw(st.integers(0, len(lines[number][0])))
    end = data.draw(st.integers(start, len(lines[number][0])))
    written = data.draw(WORDS)
    text, line_end = lines[number]
    head = ("\ufeff" if has_mark else "") + "".join(map("".join, lines[:number])) + text[:start]
    tail = text[end:] + line_end + "".join(map("".join, lines[number + 1 :])) + last

    found = EditableText((head + text[start:end] + tail).encode())

    assert found.edited([edit(number + 1, start + 1, number + 1, end + 1, written)]) == (head + written + tail).encode()


@given(LINES, WORDS, st.data())
def test_a_removed_line_leaves_the_others(lines: list[tuple[str, str]], last: str, data: st.DataObject) -> None:
    """Taking out a whole line takes its own line end, and nothing else."""
    number = data.draw(st.integers(0, len(lines) - 1))
    kept = "".join(map("".join, lines[:number] + lines[number + 1 :])) + last
    whole = "".join(map("".join, lines)) + last

    assert EditableText(whole.encode()).edited([edit(number + 1, 1, number + 2, 1, "")]) == kept.encode()


def test_inserted_lines_take_the_line_end_of_their_place() -> None:
    """In a file of mixed line ends, what is written has the end of the line where it is written."""
    text = EditableText(b"a\r\nb\nc")

    assert text.edited([edit(1, 2, 1, 2, "\nx")]) == b"a\r\nx\r\nb\nc"
    assert text.edited([edit(2, 2, 2, 2, "\nx")]) == b"a\r\nb\nx\nc"
    assert text.edited([edit(3, 2, 3, 2, "\nx"), edit(3, 2, 3, 2, "\ny")]) == b"a\r\nb\nc\nx\ny"


def test_an_edit_of_line_ends_writes_them() -> None:
    """With a line end of its own an edit writes that, and over the whole file it takes the mark away."""
    text = EditableText("\ufeffa\r\nb\n".encode())

    assert text.edited([edit(1, 1, 3, 1, "a\nb\n", "\n")]) == b"a\nb\n"
    assert text.edited([edit(1, 2, 3, 1, "\nb\n", "\r\n")]) == "\ufeffa\r\nb\r\n".encode()


@pytest.mark.parametrize("place", [(0, 1, 1, 1), (1, 5, 1, 5), (4, 1, 4, 1), (2, 2, 1, 1)])
def test_a_place_outside_of_the_text_is_refused(place: tuple[int, int, int, int]) -> None:
    """An edit of a place that is not there changes nothing."""
    with pytest.raises(ValueError, match="line"):
        EditableText(b"ab\ncd\n").edited([edit(*place, "x")])


def test_overlap() -> None:
    """Two edits that touch the same text overlap; two insertions at one place, and neighbours, do not."""
    cut = edit(1, 2, 2, 1, "")

    assert do_overlap([cut], [edit(1, 3, 1, 4, "x")])
    assert not do_overlap([cut], [edit(2, 1, 2, 2, "x"), edit(1, 1, 1, 2, "y")])
    assert not do_overlap([edit(1, 1, 1, 1, "x")], [edit(1, 1, 1, 1, "y")])
    with pytest.raises(ValueError, match="overlap"):
        EditableText(b"abcd\n").edited([edit(1, 1, 1, 3, "x"), edit(1, 2, 1, 4, "y")])
