"""The cache mark that a block, a tool or a body carries: its key, its value, and where it stands in the text."""

from __future__ import annotations

from typing import Final

from radixlint.passage import Ground, Passage
from radixlint.sources._tree import Leaf, Table, Tree

POINT: Final = "cachePoint"
_KEYS: Final = ("cache_control", "prompt_cache_breakpoint", POINT)
_BLANK: Final = " \t\r\n"


def mark_of(holder: Tree, keys: tuple[str, ...] = _KEYS) -> tuple[str, Table | Leaf] | None:
    """Return the key and value of the mark of ``holder``, None if it has none; a placeholder stands for a mark."""
    if isinstance(holder, Table):
        for key in keys:
            found = holder.get(key)
            if isinstance(found, Table) or (isinstance(found, Leaf) and found.is_slot):
                return key, found
    return None


def mark_start(ground: Ground, holder: Tree, key: str, mark: Tree) -> int:
    """Return where the key of a mark starts, its quote included."""
    start = max(holder.start, ground.text.rfind(key, holder.start, mark.start))
    return start - (start > 0 and ground.text[start - 1] in "\"'")


def without_mark(ground: Ground, holder: Tree) -> tuple[int, int]:
    """Return the range of the mark of ``holder`` with the comma and blanks that go with it; empty if there is none.

    What is left reads as if the mark had never been there: it is no text to the model.
    """
    found = mark_of(holder)
    if found is None:
        return holder.end, holder.end
    text, end = ground.text, found[1].end
    start = mark_start(ground, holder, *found)
    before = len(text[holder.start : start].rstrip(_BLANK)) + holder.start
    if before > holder.start and text[before - 1] == ",":
        return before - 1, end
    if before > holder.start and text[before - 1] != "{":
        return before, end
    behind = _past_blanks(text, end, holder.end)
    return start, _past_blanks(text, behind + 1, holder.end) if text[behind : behind + 1] == "," else behind


def cut_out(passage: Passage, start: int, end: int) -> Passage:
    """Return a stretch of source text without the range ``start`` to ``end`` of the file."""
    first, last = passage.base, passage.base + len(passage.text)
    if end <= first or last <= start or start == end:
        return passage
    start, end = max(first, start), min(last, end)
    text = passage.text[: start - first] + passage.text[end - first :]
    return Passage(text, passage.ground, 0, [*range(first, start), *range(end, last + 1)])


def _past_blanks(text: str, at: int, end: int) -> int:
    while at < end and text[at] in _BLANK:
        at += 1
    return at
