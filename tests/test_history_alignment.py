"""Equal messages of two histories are found in their order, however long these are."""

from __future__ import annotations

import itertools
import time

import pytest

from radixlint.explain.history_alignment import aligned
from radixlint.explain.history_edits import history_edit
from tests.edited_requests import Talk


@pytest.mark.parametrize("seed", range(20))
def test_pairs_are_equal_and_rise(seed: int) -> None:
    """Whatever is cut, shuffled or repeated, pairs are of equal items, and rise in both."""
    talk = Talk(seed)
    old = [*talk.turns(5), *[talk.maker.message("user", "ok")] * 3]
    talk.draw.shuffle(old)
    new = [item for item in old if talk.draw.random() < 0.8]
    new[3:3] = [talk.question(), old[0]]
    pairs = aligned(old, new).pairs

    assert pairs
    assert all(old[a].number == new[b].number for a, b in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in itertools.pairwise(pairs))


@pytest.mark.parametrize("seed", range(20))
def test_item_that_changed_its_place_is_moved(seed: int) -> None:
    """An item that stands elsewhere, the rest as before, is the one that moved."""
    talk = Talk(seed)
    old = talk.turns(5)
    at = talk.draw.randrange(len(old) - 4)
    new = [*old[:at], *old[at + 1 : at + 4], old[at], *old[at + 4 :]]
    found = aligned(old, new)

    assert found.moved == {at + 3}
    assert len(found.pairs) == len(old) - 1


def test_short_repeated_texts_are_no_anchor() -> None:
    """A text of a word or two stands in many conversations, so it aligns nothing by itself."""
    talk = Talk(1)
    short = talk.maker.message("user", "continue")

    assert aligned([talk.question(), short], [talk.answer(), short]).pairs == ()


def test_long_histories_are_not_compared_by_pairs() -> None:
    """A history of over 20,000 messages, 600 million pairs, takes less than five seconds."""
    talk = Talk(1)
    theirs = [talk.system, *talk.turns(8000)]
    start = time.perf_counter()
    found = history_edit([theirs[0], *theirs[3:], talk.question()], theirs, 1)

    assert found is not None
    assert found.gone == 2
    assert time.perf_counter() - start < 5
