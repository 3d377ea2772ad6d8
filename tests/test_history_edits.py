"""What a request changed in its history is told by kind, and a healthy conversation has no change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from radixlint.explain.history_edits import HistoryEdit, history_edit
from radixlint.pieces import Item
from radixlint.result.cause import Cause, Confidence
from tests.edited_requests import Talk, first_apart

SEEDS = range(20)
Edit = Callable[[Talk, list[Item]], list[Item]]


def _edited(seed: int, edit: Edit, *, grows: bool = True) -> tuple[HistoryEdit | None, list[Item], list[Item]]:
    """Return the change between a request and the next, ``edit`` applied to what the next holds of it."""
    talk = Talk(seed)
    theirs = [talk.system, *talk.turns(6), talk.question()]
    mine = edit(talk, list(theirs))
    mine = talk.grown(mine) if grows else mine
    return history_edit(mine, theirs, first_apart(mine, theirs)), mine, theirs


def _place(talk: Talk, items: Sequence[Item], *roles: str, least: int = 0) -> int:
    """Return a place behind the first message, but not of the last turn, of an item of one of the roles with a text."""
    found = [at for at, item in enumerate(items[:-4]) if at > 1 and item.role in roles and len(item.text) >= least]
    return talk.draw.choice(found)


def _with(items: Sequence[Item], at: int, *new: Item, gone: int = 1) -> list[Item]:
    return [*items[:at], *new, *items[at + gone :]]


def _window(talk: Talk, items: list[Item]) -> list[Item]:
    return [items[0], *items[1 + talk.draw.choice((2, 6)) :]]


def _noted_window(talk: Talk, items: list[Item]) -> list[Item]:
    return [items[0], talk.maker.message("user", "[earlier messages left out]"), *items[7:]]


def _deletion(talk: Talk, items: list[Item]) -> list[Item]:
    at = _place(talk, items, "user")
    return _with(items, at, gone=talk.draw.choice((1, 2)))


def _cleared(talk: Talk, items: list[Item]) -> list[Item]:
    cleared = talk.maker.message("tool", talk.draw.choice(("[Old result cleared]", "", "<removed>", "result no longer shown")))
    return [cleared if item.role == "tool" else item for item in items]


def _removed_text(talk: Talk, items: list[Item]) -> list[Item]:
    at = _place(talk, items, "user", "assistant", least=20)
    return _with(items, at, talk.maker.message(items[at].role, "[removed]"))


def _edit_word(talk: Talk, items: list[Item]) -> list[Item]:
    at = _place(talk, items, "user", "assistant", least=20)
    words = items[at].text.split(" ")
    words[len(words) // 2] = "changed-word"
    return _with(items, at, talk.maker.message(items[at].role, " ".join(words)))


def _other_words(talk: Talk, items: list[Item]) -> list[Item]:
    at = _place(talk, items, "user", "assistant", least=20)
    return _with(items, at, talk.maker.message(items[at].role, talk.words(60)))


def _role(talk: Talk, items: list[Item]) -> list[Item]:
    at = _place(talk, items, "user")
    return _with(items, at, talk.maker.message("developer", items[at].text))


def _split(talk: Talk, items: list[Item]) -> list[Item]:
    at = _place(talk, items, "assistant", least=20)
    words = items[at].text.split(" ")
    half = len(words) // 2
    parts = [talk.maker.message("assistant", " ".join(part)) for part in (words[:half], words[half:])]
    return _with(items, at, *parts)


def _merged(talk: Talk, items: list[Item]) -> list[Item]:
    at = _place(talk, items, "user")
    whole = talk.maker.message("user", f"{items[at].text}\n\n{items[at + 1].text}{items[at + 2].text}")
    return _with(items, at, whole, gone=3)


def _compaction(talk: Talk, items: list[Item]) -> list[Item]:
    return _with(items, 1, talk.maker.message("user", "\n".join(talk.words(40) for _ in range(3))), gone=11)


def _inserted(talk: Talk, items: list[Item]) -> list[Item]:
    at = _place(talk, items, "user")
    return _with(items, at, talk.maker.message("system", talk.words(30)), gone=0)


def _inserted_lines(talk: Talk, items: list[Item]) -> list[Item]:
    at = _place(talk, items, "user")
    return _with(items, at, talk.maker.message("user", f"{talk.words(30)}\n\n{items[at].text}"))


KINDS: dict[str, tuple[Edit, Cause, str]] = {
    "window": (_window, Cause.HISTORY_REWRITTEN, "window-shift"),
    "noted window": (_noted_window, Cause.HISTORY_REWRITTEN, "window-shift"),
    "deletion": (_deletion, Cause.HISTORY_REWRITTEN, "deletion"),
    "cleared results": (_cleared, Cause.HISTORY_REWRITTEN, "placeholder"),
    "removed text": (_removed_text, Cause.HISTORY_REWRITTEN, "placeholder"),
    "edited word": (_edit_word, Cause.HISTORY_REWRITTEN, "edit"),
    "other words": (_other_words, Cause.HISTORY_REWRITTEN, "edit"),
    "role": (_role, Cause.HISTORY_REWRITTEN, "edit"),
    "split": (_split, Cause.HISTORY_REWRITTEN, "edit"),
    "merged": (_merged, Cause.HISTORY_REWRITTEN, "edit"),
    "compaction": (_compaction, Cause.HISTORY_REWRITTEN, "compaction"),
    "inserted message": (_inserted, Cause.BLOCK_MOVED, "insertion"),
    "inserted lines": (_inserted_lines, Cause.BLOCK_MOVED, "insertion"),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_told_at_the_first_item_that_differs(kind: str, seed: int) -> None:
    """A change of one kind gives its cause, its word and the place of the first item that differs."""
    edit, cause, detail = KINDS[kind]
    found, mine, theirs = _edited(seed, edit)

    assert found is not None
    assert (found.cause, found.detail) == (cause, detail)
    assert found.item == first_apart(mine, theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_window_counts_what_is_gone_and_kept(seed: int) -> None:
    """A window says how many of the oldest messages are gone, and how many equal ones follow."""
    found, mine, theirs = _edited(seed, _window)

    assert found is not None
    assert found.gone == len(theirs) + 2 - len(mine)
    assert found.kept == len(theirs) - 1 - found.gone
    assert found.confidence is Confidence.HIGH


@pytest.mark.parametrize("seed", SEEDS)
def test_little_evidence_lowers_the_confidence(seed: int) -> None:
    """A window that keeps one message is medium; a summary behind which nothing old stands is low, and no new topic."""
    talk = Talk(seed)
    theirs = [talk.system, *talk.turns(4), talk.question()]
    window = history_edit([talk.system, theirs[-1]], theirs, 1)
    summary = talk.maker.message("user", talk.words(60))
    compacted = history_edit([talk.system, summary, talk.question()], theirs, 1)
    topic = talk.maker.message("user", "Something entirely different, please: " + "unheard " * 40)

    assert window is not None
    assert compacted is not None
    assert (window.detail, window.confidence) == ("window-shift", Confidence.MEDIUM)
    assert (compacted.detail, compacted.confidence) == ("compaction", Confidence.LOW)
    assert history_edit([talk.system, topic], theirs, 1) is None


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("joint", ["\n\n", "\n", " "])
def test_block_of_the_newest_turn_that_was_not_kept_is_a_removal(seed: int, joint: str) -> None:
    """A block injected in front of the newest question, and gone once the question is old, is a block moved."""
    talk = Talk(seed)
    kept, question = [talk.system, *talk.turns(4)], talk.question()
    theirs = [*kept, talk.maker.message("user", f"{talk.words(30)}{joint}{question.text}")]
    mine = talk.grown([*kept, question])
    found = history_edit(mine, theirs, len(kept))

    assert found is not None
    assert (found.cause, found.detail, found.item) == (Cause.BLOCK_MOVED, "removal", len(kept))
    assert (found.gone, found.added, found.kept) == (1, 1, 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_message_of_the_newest_turn_that_was_not_kept_is_a_removal(seed: int) -> None:
    """A message that stood in front of the newest question alone is a block moved, too."""
    talk = Talk(seed)
    kept, question = [talk.system, *talk.turns(4)], talk.question()
    theirs = [*kept, talk.maker.message("system", talk.words(30)), question]
    found = history_edit(talk.grown([*kept, question]), theirs, len(kept))

    assert found is not None
    assert (found.cause, found.detail, found.gone) == (Cause.BLOCK_MOVED, "removal", 1)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("own", [True, False])
def test_block_that_follows_the_newest_turn_is_a_move(seed: int, own: bool) -> None:
    """An equal block that stands in the newest turn of each request, as a message or in one, is moved."""
    talk = Talk(seed)
    kept, block = [talk.system, *talk.turns(4)], talk.words(30)
    first, answer, second = talk.question(), talk.answer(), talk.question()
    if own:
        message = talk.maker.message("system", block)
        theirs, mine = [*kept, message, first], [*kept, first, answer, message, second]
    else:
        theirs = [*kept, talk.maker.message("user", f"{block}\n\n{first.text}")]
        mine = [*kept, first, answer, talk.maker.message("user", f"{block}\n\n{second.text}")]
    found = history_edit(mine, theirs, len(kept))

    assert found is not None
    assert (found.cause, found.detail) == (Cause.BLOCK_MOVED, "move")


def _branch(talk: Talk, items: list[Item]) -> list[Item]:
    at = _place(talk, items, "user")
    return [*items[:at], talk.question(), talk.answer(), talk.question()]


def _new_answer(talk: Talk, items: list[Item]) -> list[Item]:
    at = _place(talk, items, "assistant", least=20)
    return [*items[:at], talk.answer(), talk.question()]


def _new_answer_to_the_last(talk: Talk, items: list[Item]) -> list[Item]:
    return [*items[:-2], talk.answer(), items[-1], talk.answer(), talk.question()]


def _new_call(talk: Talk, items: list[Item]) -> list[Item]:
    at = next(at for at, item in enumerate(items) if item.role == "assistant" and not item.text)
    return [*items[:at], *talk.call(), talk.answer(), talk.question()]


def _asked_again(talk: Talk, items: list[Item]) -> list[Item]:
    return [*items[:-1], talk.maker.message("user", items[-1].text.rsplit(" ", 1)[0] + " today")]


CONTROLS: dict[str, Edit] = {
    "growth": lambda talk, items: talk.grown(items),
    "new branch": _branch,
    "new answer": _new_answer,
    "new answer in front of the same question": _new_answer_to_the_last,
    "new call": _new_call,
    "last question in other words": _asked_again,
    "shorter": lambda _, items: items[:7],
    "other instructions": lambda talk, items: [talk.maker.message("system", talk.words(90)), *items[1:]],
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", CONTROLS)
def test_new_content_is_no_change_of_history(kind: str, seed: int) -> None:
    """A history that grew, was answered anew or went on from its middle was not rewritten; its head is not looked at."""
    found, _, _ = _edited(seed, CONTROLS[kind], grows=False)

    assert found is None


@pytest.mark.parametrize("seed", SEEDS)
def test_phrases_hold_nothing_of_the_texts(seed: int) -> None:
    """No word of the messages is in what people are told."""
    for edit, _, _ in KINDS.values():
        found, mine, theirs = _edited(seed, edit)
        words = {word for item in (*mine, *theirs) for word in item.text.split()}

        assert found is not None
        assert not words & set(found.what.split()) - {"changed", "messages", "removed", "result", "left", "no"}
