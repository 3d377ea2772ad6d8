"""What stands at a place in many requests is read without cutting the texts that do not have the place."""

from __future__ import annotations

from collections import Counter

from radixlint.explain.place_values import length_of, lines_at, place_of
from radixlint.explain.version_edits import message_edit
from radixlint.layout import open_layout
from radixlint.pieces import Item, PieceBook
from radixlint.pieces.line_pieces import heads_of
from radixlint.traffic import Message, Request

LINES = 40


class CountedBook(PieceBook):
    """Counts how often an item is made."""

    made = 0

    def item(self, number: int) -> Item:
        """Return the item as the book does."""
        self.made += 1
        return super().item(number)


def book_of(texts: list[str]) -> CountedBook:
    requests = [Request(index=i, messages=(Message("system", text),)) for i, text in enumerate(texts)]
    return CountedBook(requests, open_layout("messages-only"), [len(text) // 4 for text in texts])


def test_only_texts_that_have_the_place_are_cut() -> None:
    """Of 30 texts two begin with the same ten lines: their lines are found, and no other text is cut for it."""
    shared = "".join(f"shared line {n}\n" for n in range(10))
    texts = [f"{shared}own {i}\nend\n" for i in range(2)] + ["".join(f"{i} {n}\n" for n in range(LINES)) for i in range(28)]
    book = book_of(texts)
    mine, other = book.items(1)[0], book.items(0)[0]
    edit = message_edit(mine, other)
    assert edit is not None
    place = place_of(0, 0, mine, edit)
    book.made = 0
    found = lines_at(place, Counter([length_of(edit)]), range(len(texts)), book)

    assert list(found.positions) == [0, 1]
    assert list(found.lines) == ["own 0\n", "own 1\n"]
    assert list(found.starts) == [len(shared)] * 2
    assert book.made == len(found.positions)


def test_heads_are_equal_where_all_in_front_is() -> None:
    """Two rows of keys have equal heads up to their first difference and none behind it, one more than there are keys."""
    one, other = heads_of([7, 8, 9, 10]), heads_of([7, 8, 5, 10])

    assert len(one) == 5
    assert [a == b for a, b in zip(one, other, strict=True)] == [True, True, True, False, False]
