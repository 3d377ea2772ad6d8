"""Changed messages: equal ones are one object, so that a replay encodes each once."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, structs

from radixlint.traffic import CacheMark, Message


class Span(Struct, frozen=True, gc=False):
    """A run of text in a request: ``message`` by position, ``start`` and ``end`` in code points of its text."""

    message: int
    start: int
    end: int


class Edit(NamedTuple):
    """A changed message; the content blocks ``first`` to ``last`` of the old one are its one block ``first``."""

    message: Message
    first: int = 0
    last: int = 0


class Taken(NamedTuple):
    """What a span holds, and the message without it."""

    value: str
    rest: Edit


class MessageEdits:
    """Changes messages; the same change to the same message, or one that comes to the same, gives the same object."""

    def __init__(self) -> None:
        self._edits: dict[tuple[int, int, int, str], tuple[Message, Edit]] = {}
        self._shared: dict[Message, Message] = {}

    def spliced(self, message: Message, start: int, end: int, text: str) -> Edit:
        """Return ``message`` with ``text`` in place of what stands from ``start`` to ``end``; itself if nothing changes."""
        key = (id(message), start, end, text)
        known = self._edits.get(key)
        if known is None:
            # With the message whose identity is the key, so that no other takes it.
            known = self._edits[key] = message, self._spliced(message, start, end, text)
        return known[1]

    def shared(self, message: Message) -> Message:
        """Return the changed message equal to ``message`` that was met first."""
        return self._shared.setdefault(message, message)

    def taken(self, message: Message, start: int, end: int) -> Taken:
        """Take the span out; where it was whole lines, their line end goes too and is no part of the value."""
        text = message.text
        if start < end and text[end - 1] == "\n":
            end -= 1
        value = text[start:end]
        if value and (start == 0 or text[start - 1] == "\n"):
            if text[end : end + 1] == "\n":
                end += 1
            elif end == len(text) and start:
                start -= 1
        return Taken(value, self.spliced(message, start, end, ""))

    def with_end(self, message: Message, text: str, gap: str = "\n") -> Message:
        """Return ``message`` with ``text`` behind its own, ``gap`` between them."""
        at = len(message.text)
        return self.spliced(message, at, at, f"{gap}{text}" if at else text).message

    def with_start(self, message: Message, text: str, gap: str = "\n") -> Message:
        """Return ``message`` with ``text`` in front of its own, ``gap`` between them."""
        return self.spliced(message, 0, 0, f"{text}{gap}" if message.text else text).message

    def _spliced(self, message: Message, start: int, end: int, text: str) -> Edit:
        whole, parts = message.text, message.parts
        if whole[start:end] == text:
            return Edit(message)
        changed = f"{whole[:start]}{text}{whole[end:]}"
        if not parts:
            return Edit(self.shared(structs.replace(message, kept=changed)))
        (first, before), (last, behind) = _part_at(parts, start), _part_at(parts, end)
        parts = (*parts[:first], f"{parts[first][:before]}{text}{parts[last][behind:]}", *parts[last + 1 :])
        return Edit(self.shared(structs.replace(message, kept=changed, parts=parts if len(parts) > 1 else ())), first, last)


def marks_after(marks: tuple[CacheMark, ...], place: int, edit: Edit) -> tuple[CacheMark, ...]:
    """Return ``marks`` where the message at ``place`` became that of ``edit``: behind the blocks they stood behind."""
    gone = edit.last - edit.first
    if not gone or not marks:
        return marks
    return tuple(
        structs.replace(mark, part=max(edit.first, mark.part - gone))
        if mark.message == place and mark.part > edit.first
        else mark
        for mark in marks
    )


def marks_without(marks: tuple[CacheMark, ...], place: int) -> tuple[CacheMark, ...]:
    """Return ``marks`` where the message at ``place`` is left out: its own go with it, those behind it move up."""
    return tuple(
        structs.replace(mark, message=mark.message - 1) if mark.message is not None and mark.message > place else mark
        for mark in marks
        if mark.message != place
    )


def _part_at(parts: tuple[str, ...], at: int) -> tuple[int, int]:
    """Return the part that holds the place ``at`` of the joined text, and the place in it."""
    for number, part in enumerate(parts):
        if at <= len(part):
            return number, at
        at -= len(part) + 1
    return len(parts) - 1, len(parts[-1])
