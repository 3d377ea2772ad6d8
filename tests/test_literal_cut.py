"""A part of a literal ends where its last code point ends in the file, however long that is written."""

from __future__ import annotations

from radixlint.prompt import Segment, Span
from radixlint.prompt.literal_cut import cut

# As a JSON string that begins at column 1: "a\nb" and on another line "c".
ESCAPED = Segment("a\nbc", Span("a.json", 1, 2, 2, 3), offsets=((1, 2), (1, 3), (1, 5), (2, 2)), is_breakpoint=True)


def _ends(segment: Segment) -> tuple[int, int]:
    return segment.span.end_line, segment.span.end_column


def test_an_escape_is_taken_whole() -> None:
    """The part behind which the next begins on the same line ends there, two columns on for a backslash and a letter."""
    assert _ends(cut(ESCAPED, 0, 2)) == (1, 5)
    assert _ends(cut(ESCAPED, 1, 2)) == (1, 5)


def test_a_part_ends_on_its_own_line() -> None:
    """Where the text goes on in another line, the part ends behind its last code point; the last part ends with the literal."""
    assert _ends(cut(ESCAPED, 2, 3)) == (1, 6)
    assert _ends(cut(ESCAPED, 3, 4)) == (2, 3)


def test_only_the_last_part_keeps_the_mark() -> None:
    """A cache mark stands at the end of the literal."""
    assert [cut(ESCAPED, 0, 2).is_breakpoint, cut(ESCAPED, 2, 4).is_breakpoint] == [False, True]


def test_plain_text_is_counted() -> None:
    """Without escapes lines and columns follow from the text."""
    plain = Segment("ab\ncd", Span("a.j2", 3, 5, 4, 3))

    assert cut(plain, 1, 4).span == Span("a.j2", 3, 6, 4, 2)
