"""How a message of an older request was changed before it was sent again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from radixlint.explain.json_edits import json_edit, read_json
from radixlint.explain.json_texts import written_texts
from radixlint.explain.text_forms import is_text_form
from radixlint.pieces import Item
from radixlint.result.cause import Cause
from radixlint.traffic import Message, ToolCall

EDIT: Final = "edit"
REMOVAL: Final = "removal"
INSERTION: Final = "insertion"
PLACEHOLDER: Final = "placeholder"
_MOST_STAND_IN: Final = 160
_TELLING_CHARACTERS: Final = 12
_NEAR_RATE: Final = 0.5
_BRACKETED: Final = re.compile(r"[\[<({*].*[\])>}*]", re.DOTALL)
_OPAQUE: Final = re.compile(r"<\w+ sha256:[0-9a-f]+>")


class MessageChange(Struct, frozen=True):
    """What became of a message.

    Attributes:
        cause: history rewritten, block moved, key order or text form.
        detail: ``edit``, ``placeholder``, ``removal``, ``insertion``, ``key-order``, or a form.
        what: what changed, in a phrase for people.
        place: where in the message, as ``tool_calls[0].function.arguments``; empty for its text.
        is_sure: whether the change itself is the evidence.
    """

    cause: Cause
    detail: str
    what: str
    place: str = ""
    is_sure: bool = False


def message_change(old: Item, new: Item, *, is_kept: bool) -> MessageChange | None:
    """Return how a message was changed; None for another message.

    ``is_kept`` says that the messages behind it stand as before, so that a short text in its place may be a stand-in.
    """
    before, after = old.source, new.source
    if not isinstance(before, Message) or not isinstance(after, Message):
        return None
    if before.text == after.text:
        if before.role != after.role:
            return _edit("the role of a message changed", "role", is_sure=True)
        change = _call_change(before.tool_calls, after.tool_calls) or _field_change(before, after)
        # A short text is no sign that it is the same message: most calls have none.
        is_same = is_kept or len(before.text) >= _TELLING_CHARACTERS or change.detail != EDIT
        return change if is_same else None
    if before.role != after.role:
        return _edit("the role and the text of a message changed", "role") if _is_near(before.text, after.text) else None
    return _form_change(before.text, after.text) or _text_change(before, after, is_kept=is_kept)


def first_apart(old: Item, new: Item) -> int:
    """Return the first piece of ``new`` that differs, in value or in how it is written, at most its last."""
    pairs = zip(old.pieces, new.pieces, strict=False)
    apart = (at for at, (a, b) in enumerate(pairs) if a.key != b.key or old.piece_text(a) != new.piece_text(b))
    at = next(apart, min(len(old.pieces), len(new.pieces)))
    return max(0, min(at, len(new.pieces) - 1))


def are_joined(whole: Item, parts: Sequence[Item]) -> bool:
    """Whether a message holds the text of several others, one behind another."""
    text = "".join(whole.text.split())
    return bool(text) and text == "".join("".join(part.text.split()) for part in parts)


def is_stand_in(text: str) -> bool:
    """Whether a text is empty or a short note in brackets, as is put where something was taken out."""
    text = text.strip()
    if not text or len(text) > _MOST_STAND_IN:
        return not text
    return _BRACKETED.fullmatch(text) is not None and read_json(text) is None


def _edit(what: str, place: str = "", *, is_sure: bool = False) -> MessageChange:
    return MessageChange(Cause.HISTORY_REWRITTEN, EDIT, what, place, is_sure)


def _form_change(before: str, after: str) -> MessageChange | None:
    edit = json_edit(before, after) or written_texts(before, after)
    if edit is not None and edit.cause is not None:
        return MessageChange(edit.cause, edit.detail, edit.what, f"content{'.' if edit.path else ''}{edit.path}", True)
    form = is_text_form(before, after) if before.strip() and after.strip() else None
    if form is None:
        return None
    return MessageChange(Cause.TEXT_FORM, "-".join(form.split()), f"the same words in another form ({form})", "content", True)


def _call_change(before: Sequence[ToolCall], after: Sequence[ToolCall]) -> MessageChange | None:
    if len(before) != len(after):
        return _edit("tool calls of a message were added or dropped", "tool_calls", is_sure=True)
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        if old.name != new.name:
            return _edit("a tool call names another tool", f"tool_calls[{at}].function.name")
        if old.arguments != new.arguments:
            place = f"tool_calls[{at}].function.arguments"
            edit = json_edit(old.arguments, new.arguments)
            if edit is not None and edit.cause is not None:
                return MessageChange(edit.cause, edit.detail, edit.what, place, True)
            return _edit("the arguments of a tool call changed", place)
    return None


def _field_change(before: Message, after: Message) -> MessageChange:
    edit = json_edit(before.extra, after.extra)
    if edit is not None and edit.cause is not None:
        return MessageChange(edit.cause, edit.detail, edit.what, "fields", True)
    if before.extra != after.extra:
        return _edit("a field beside the text of a message changed", "fields")
    if before.parts != after.parts:
        return _edit("the text of a message is parted in other content blocks", "content")
    return _edit("the ids of tool calls changed", "tool_calls")


def _text_change(before: Message, after: Message, *, is_kept: bool) -> MessageChange | None:
    old, new = _lines(before.text), _lines(after.text)
    front = _common(old, new)
    behind = _common(old[front:][::-1], new[front:][::-1])
    gone, come = old[front : len(old) - behind], new[front : len(new) - behind]
    if gone and _is_put_for(gone, "\n".join(come), is_whole=not front and not behind):
        return MessageChange(Cause.HISTORY_REWRITTEN, PLACEHOLDER, "content of a message gave way to a stand-in", is_sure=True)
    if (new and not come) or _is_end(after.text, before.text, before.role):
        return MessageChange(Cause.BLOCK_MOVED, REMOVAL, "a block is gone from a message", is_sure=not come)
    if (old and not gone) or _is_end(before.text, after.text, before.role):
        return MessageChange(Cause.BLOCK_MOVED, INSERTION, "a block was put into a message", is_sure=not gone)
    if _is_near(before.text, after.text):
        return _edit("the text of a message changed in place")
    short = len(after.text) <= _MOST_STAND_IN and len(after.text) * 4 <= len(before.text)
    if short and (before.role == "tool" or (is_kept and before.role != "assistant")):
        return MessageChange(Cause.HISTORY_REWRITTEN, PLACEHOLDER, "a short text stands where a message was")
    return None


def _is_put_for(gone: Sequence[str], come: str, *, is_whole: bool) -> bool:
    """Whether ``come`` is a stand-in for the lines ``gone``; of no line left, only where all was taken or it was no text."""
    if not come:
        return is_whole or all(_OPAQUE.fullmatch(line) for line in gone)
    is_other = not any(is_stand_in(line) for line in gone) or any(_OPAQUE.fullmatch(line) for line in gone)
    return is_other and is_stand_in(come) and not _OPAQUE.fullmatch(come)


def _is_end(part: str, whole: str, role: str) -> bool:
    """Whether a text is another without what stands in front of it or behind it; a tool's result cut short is none."""
    part, whole = part.strip(), whole.strip()
    return bool(part) and (whole.endswith(part) or (role != "tool" and whole.startswith(part)))


def _is_near(before: str, after: str) -> bool:
    """Whether at least half of the longer text stands in both: at the ends, or as whole lines."""
    longer = max(len(before), len(after))
    front = _common(before, after)
    behind = _common(before[front:][::-1], after[front:][::-1])
    if front + behind >= longer * _NEAR_RATE:
        return True
    lines = set(_lines(before))
    return sum(len(line) + 1 for line in _lines(after) if line in lines) >= longer * _NEAR_RATE


def _lines(text: str) -> list[str]:
    return [line for line in map(str.strip, text.split("\n")) if line]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
