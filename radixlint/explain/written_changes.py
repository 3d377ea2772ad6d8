"""Whether the first change of a message is one of how it is written: form of text, or order and form of JSON in it."""

from __future__ import annotations

from bisect import bisect_left

from msgspec import Struct

from radixlint.explain.json_texts import written_json
from radixlint.explain.text_forms import is_text_form
from radixlint.explain.version_edits import MessageEdit
from radixlint.pieces import Item
from radixlint.result.cause import Cause, Confidence


class WrittenChange(Struct, frozen=True):
    """A change of form alone: see ``Verdict``."""

    cause: Cause
    what: str
    confidence: Confidence
    detail: str = ""
    end_piece: int = 0


def written_change(mine: Item, theirs: Item, piece: int, edit: MessageEdit | None) -> WrittenChange | None:
    """Return what changed where two versions of a message differ first, None if it is more than how it is written.

    ``piece`` is the first piece in which they differ, ``edit`` the first change of words.
    """
    own, other = mine.text, theirs.text
    found = written_json(other, own)
    if found is not None and found.edit.cause is not None:
        end = bisect_left([one.start for one in mine.pieces], found.end)
        return WrittenChange(found.edit.cause, found.edit.what, found.edit.confidence, found.edit.detail, end)
    if edit is None or piece < edit.start:
        # Pieces in front of the first change of words are as many in both.
        end, their_end = (len(mine.pieces), len(theirs.pieces)) if edit is None else (edit.start, edit.start)
    else:
        end, their_end = edit.end, edit.their_end
    form = is_text_form(_text(theirs, piece, their_end), _text(mine, piece, end))
    return None if form is None else WrittenChange(Cause.TEXT_FORM, f"the same words in another form: {form}", Confidence.HIGH)


def _text(item: Item, start: int, end: int) -> str:
    return "".join(item.piece_text(piece) for piece in item.pieces[start:end])
