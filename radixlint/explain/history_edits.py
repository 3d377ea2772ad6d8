"""What became of the history of a conversation between two of its requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from radixlint.explain.history_alignment import Alignment, aligned
from radixlint.explain.message_changes import (
    EDIT,
    INSERTION,
    PLACEHOLDER,
    REMOVAL,
    MessageChange,
    are_joined,
    first_apart,
    is_stand_in,
    message_change,
)
from radixlint.pieces import TOOL_ROLE, Item
from radixlint.result.cause import Cause, Confidence

_HEAD_ROLES: Final = (TOOL_ROLE, "system", "developer")
_WINDOW_SHIFT: Final = "window-shift"
_DELETION: Final = "deletion"
COMPACTION: Final = "compaction"
_MOVE: Final = "move"
_MANY: Final = 3
_LEAST_KEPT_RATE: Final = 0.3
_SUMMARY_CHARACTERS: Final = 200
_SUMMARY_WORD: Final = 5
_TELLING_CHARACTERS: Final = 12
_FORMS: Final = (Cause.KEY_ORDER, Cause.TEXT_FORM)


class HistoryEdit(Struct, frozen=True):
    """How the history of a request differs from what an earlier one of its conversation held.

    Attributes:
        cause: history rewritten, block moved, key order or text form.
        detail: ``window-shift``, ``deletion``, ``placeholder``, ``edit``, ``compaction``, ``insertion``, ``removal``, ``move``,
            ``key-order``, or a form.
        confidence: how sure the cause is.
        what: what changed, in a phrase for people.
        item: the index of the first item of the later request that differs.
        piece: the first piece of it that differs.
        place: where in the message, as ``tool_calls[0].function.arguments``; empty for the whole.
        gone: how many items of the earlier request are not there any more, or not as they were, at this place.
        added: how many stand there instead.
        kept: how many equal items follow in both.
    """

    cause: Cause
    detail: str
    confidence: Confidence
    what: str
    item: int
    piece: int
    place: str
    gone: int
    added: int
    kept: int


def history_edit(mine: Sequence[Item], theirs: Sequence[Item], at: int) -> HistoryEdit | None:
    """Return what a request changed in the history that an earlier one of its conversation held.

    ``mine`` are all items of the later request, ``theirs`` of the earlier one; the first ``at`` are equal. None if nothing
    old changed (the history grew, was answered anew or went on from its middle), or the change is one of tools or of the
    instructions at the head. Time grows as the number of items.
    """
    if at >= min(len(mine), len(theirs)) or TOOL_ROLE in (mine[at].role, theirs[at].role):
        return None
    return _Histories(mine, theirs, at).edit()


class _Histories:
    """What follows ``at`` in two requests, and which of it is equal."""

    def __init__(self, mine: Sequence[Item], theirs: Sequence[Item], at: int) -> None:
        self._at = at
        self._old, self._new = theirs[at:], mine[at:]
        self._alignment: Alignment = aligned(self._old, self._new)
        pairs = self._alignment.pairs
        self._kept = len(pairs)
        self._gone, self._added = pairs[0] if pairs else (len(self._old), len(self._new))
        self._is_head = all(item.role in _HEAD_ROLES for item in theirs[:at])
        roles = [item.role for item in self._old]
        # A question stays the newest while calls of tools follow it.
        self._is_newest = "user" not in roles[1:] or "assistant" not in roles

    def edit(self) -> HistoryEdit | None:
        """Return the first change."""
        if self._is_head and self._old[0].role == self._new[0].role and self._new[0].role in _HEAD_ROLES:
            change = message_change(self._old[0], self._new[0], is_kept=False)
            return self._changed(change) if change is not None and change.cause in _FORMS else None
        if not self._kept:
            return self._unaligned()
        if self._moved():
            sure = Confidence.HIGH if self._is_aligned() else Confidence.MEDIUM
            return self._result(Cause.BLOCK_MOVED, _MOVE, sure, "an equal message stands at another place")
        if not self._is_aligned():
            return None
        if not self._added:
            return self._cut(self._gone)
        if not self._gone:
            return self._result(Cause.BLOCK_MOVED, INSERTION, self._sure(), "messages were put in front of old ones")
        return self._replaced()

    def _moved(self) -> bool:
        """Whether a message at the break stands elsewhere in the other request, and not in the order of the rest."""
        moved = {self._new[place].number for place in self._alignment.moved}
        return any(item.number in moved for item in (*self._old[: self._gone], *self._new[: self._added]))

    def _is_aligned(self) -> bool:
        """Whether enough of what follows is equal that this is no chance meeting of two branches."""
        rest = min(len(self._old) - self._gone, len(self._new) - self._added)
        return self._kept >= rest * _LEAST_KEPT_RATE

    def _sure(self) -> Confidence:
        return Confidence.HIGH if self._kept > 1 else Confidence.MEDIUM

    def _cut(self, gone: int, what: str = "") -> HistoryEdit:
        """Return that ``gone`` messages were taken out."""
        if not what and not any(item.role == "assistant" for item in self._old):
            told = "messages that the newest turn held are gone"
            return self._result(Cause.BLOCK_MOVED, REMOVAL, self._sure(), told, gone)
        if self._is_head:
            shift = "the oldest messages are gone and the rest moved up"
            return self._result(Cause.HISTORY_REWRITTEN, _WINDOW_SHIFT, self._sure(), shift + what, gone)
        return self._result(Cause.HISTORY_REWRITTEN, _DELETION, self._sure(), "messages in the middle are gone" + what, gone)

    def _replaced(self) -> HistoryEdit | None:
        old, new = self._old[: self._gone], self._new[: self._added]
        change = message_change(old[0], new[0], is_kept=True)
        if change is not None and change.cause in _FORMS:
            return self._changed(change)
        if self._is_parted(old, new):
            return self._result(Cause.HISTORY_REWRITTEN, EDIT, Confidence.HIGH, "messages were merged or parted")
        if len(new) == 1 < len(old) and message_change(old[-1], new[0], is_kept=False) is not None:
            return self._cut(len(old) - 1, ", the first of the rest changed")
        if len(old) - len(new) >= _MANY - 1 and len(new) < _MANY:
            if is_stand_in(new[0].text):
                return self._cut(len(old), ", a note stands for them")
            return self._result(Cause.HISTORY_REWRITTEN, COMPACTION, self._sure(), "many messages gave way to a new one")
        if change is not None:
            return self._changed(change)
        # One answer of other words in front of one old question may as well be the answer given anew.
        if self._kept == 1 and new[0].role == "assistant":
            return None
        return self._result(Cause.HISTORY_REWRITTEN, EDIT, Confidence.MEDIUM, "other messages stand where old ones did")

    @staticmethod
    def _is_parted(old: Sequence[Item], new: Sequence[Item]) -> bool:
        """Whether one message was parted, or several were merged."""
        return (len(new) == 1 < len(old) and are_joined(new[0], old)) or (len(old) == 1 < len(new) and are_joined(old[0], new))

    def _unaligned(self) -> HistoryEdit | None:
        """Return the change where nothing behind the break is equal: only the newest turn of theirs, or all, was changed."""
        old, new = self._old, self._new
        change = message_change(old[0], new[0], is_kept=False)
        follows = len(old) == 1 or (len(new) > 1 and message_change(old[1], new[1], is_kept=False) is not None)
        if change is not None and follows:
            # The last message of a request sent again in other words is a new question.
            self._gone = self._added = 1
            return self._changed(change) if len(new) > 1 or change.is_sure else None
        for count in range(2, min(len(old), len(new), _MANY) + 1):
            if self._is_parted(old[:1], new[:count]) or self._is_parted(old[:count], new[:1]):
                return self._result(Cause.HISTORY_REWRITTEN, EDIT, Confidence.HIGH, "messages were merged or parted")
        if self._is_head and len(old) > _MANY and len(new) < _MANY and _sums_up(new[0], old):
            what = "many messages gave way to a new one"
            return self._result(Cause.HISTORY_REWRITTEN, COMPACTION, Confidence.LOW, what)
        return None

    def _changed(self, change: MessageChange) -> HistoryEdit:
        cause, detail, what = change.cause, change.detail, change.what
        if detail in (REMOVAL, INSERTION) and self._stands_elsewhere():
            detail, what = _MOVE, "a block of a message stands in another one now"
        elif detail == REMOVAL and not self._is_newest:
            cause, detail, what = Cause.HISTORY_REWRITTEN, EDIT, "lines are gone from an old message"
        sure = Confidence.HIGH if change.is_sure else Confidence.MEDIUM
        return self._result(cause, detail, sure, what, place=change.place)

    def _stands_elsewhere(self) -> bool:
        """Whether a line that the first message lost, or won, stands in a later message of the other request."""
        old, new = _lines(self._old[:1]), _lines(self._new[:1])
        lost, won = old - new, new - old
        return bool((lost and lost & _lines(self._new[1:])) or (won and won & _lines(self._old[1:])))

    def _result(
        self, cause: Cause, detail: str, confidence: Confidence, what: str, gone: int | None = None, place: str = ""
    ) -> HistoryEdit:
        is_change = place or (detail in (EDIT, PLACEHOLDER, REMOVAL, INSERTION) and self._gone and self._added)
        return HistoryEdit(
            cause=cause,
            detail=detail,
            confidence=confidence,
            what=what,
            item=self._at,
            piece=first_apart(self._old[0], self._new[0]) if is_change else 0,
            place=place,
            gone=self._gone if gone is None else gone,
            added=self._added,
            kept=self._kept,
        )


def _lines(items: Sequence[Item]) -> set[str]:
    """Return the lines of items that are long enough to tell something."""
    lines = (line.strip() for item in items for line in item.text.split("\n"))
    return {line for line in lines if len(line) >= _TELLING_CHARACTERS}


def _sums_up(new: Item, old: Sequence[Item]) -> bool:
    """Whether a message is long, yet shorter than those it may stand for, and mostly of their words."""
    text = new.text
    if not _SUMMARY_CHARACTERS <= len(text) <= sum(len(item.text) for item in old):
        return False
    words = {word for word in text.lower().split() if len(word) >= _SUMMARY_WORD}
    known = {word for item in old for word in item.text.lower().split()}
    return bool(words) and len(words & known) * 2 >= len(words)
