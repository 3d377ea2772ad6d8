"""What differs between the tools of two requests: their order, which there are, or one of them in itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from radixlint.explain.json_edits import JsonEdit, json_edit, read_json
from radixlint.pieces import Item
from radixlint.result.cause import Cause, Confidence

_ORDER: Final = "order"
_ADDED: Final = "added"
_REMOVED: Final = "removed"
_DESCRIPTION: Final = "description"
_SCHEMA: Final = "schema"
_WORDS: Final = {
    _ORDER: "tools in another order",
    _ADDED: "a tool is new",
    _REMOVED: "a tool is gone",
    _DESCRIPTION: "a tool's description changed",
    _SCHEMA: "a tool's schema changed",
}


class ToolEdit(Struct, frozen=True):
    """How the tools of a request differ from those of an earlier one; the first difference in wire order is its cause.

    Attributes:
        cause: tool order, tool set, key order or text form.
        detail: ``order``, ``added``, ``removed``, ``description``, ``schema``, or what a JSON edit says; of several the first
            in wire order, then the others, joined by ``-and-``.
        confidence: how sure the cause is.
        what: what changed, in a phrase for people.
        item: the index of the first tool that differs; the number of tools if one behind the last is gone.
        piece: which piece of it: a tool is one.
        place: ``tools[3].description``; names of fields only.
        added: how many tools are new.
        removed: how many are gone.
        changed: how many have an equal name and other bytes.
        moved: of the tools both have, how many stand elsewhere among them.
    """

    cause: Cause
    detail: str
    confidence: Confidence
    what: str
    item: int
    piece: int
    place: str
    added: int
    removed: int
    changed: int
    moved: int


def tool_edit(before: Sequence[Item], after: Sequence[Item]) -> ToolEdit | None:
    """Return how the tools of a later request differ from those of an earlier one, both in wire order; None if they are equal."""
    old, new = [item.number for item in before], [item.number for item in after]
    if old == new:
        return None
    at = _first_apart(old, new)
    pairs = _Pairs(before, after)
    cause, kind, path = pairs.at(at)
    words = [kind, *(word for word in pairs.words() if word != kind)]
    what = " and ".join(_WORDS.get(word, "a tool equal as JSON is written in another way") for word in words[:2])
    place = f"tools[{at}]{'.' if path else ''}{path}"
    return ToolEdit(
        cause=cause,
        detail="-and-".join(words),
        confidence=Confidence.HIGH,
        what=what,
        item=at,
        piece=0,
        place=place,
        added=pairs.added,
        removed=pairs.removed,
        changed=len(pairs.edits),
        moved=pairs.moved,
    )


class _Pairs:
    """Each tool of two requests with its like in the other: the equal one, else that of its name."""

    def __init__(self, before: Sequence[Item], after: Sequence[Item]) -> None:
        self._mates: dict[int, int] = {}  # from the place in before to the place in after
        free: defaultdict[object, list[int]] = defaultdict(list)
        for at in range(len(after) - 1, -1, -1):
            free[after[at].number].append(at)
        self._mate([item.number for item in before], free)
        taken = set(self._mates.values())
        names = [_name(item, at) if at not in self._mates else None for at, item in enumerate(before)]
        free = defaultdict(list)
        for at in range(len(after) - 1, -1, -1):
            if at not in taken:
                free[_name(after[at], at)].append(at)
        self._mate(names, free)
        self.edits: dict[int, JsonEdit | None] = {
            old: json_edit(before[old].text, after[new].text)
            for old, new in sorted(self._mates.items())
            if before[old].number != after[new].number
        }
        self._back = {new: old for old, new in self._mates.items()}
        self.added = len(after) - len(self._mates)
        self.removed = len(before) - len(self._mates)
        order = [self._mates[old] for old in sorted(self._mates)]
        self.moved = sum(a != b for a, b in zip(order, sorted(order), strict=True))

    def _mate(self, keys: Sequence[object], free: dict[object, list[int]]) -> None:
        for at, key in enumerate(keys):
            if key is not None and free.get(key):
                self._mates[at] = free[key].pop()

    def at(self, at: int) -> tuple[Cause, str, str]:
        """Return the cause, its word and the path in the tool, for the first place where the tools differ."""
        new, old = self._mates.get(at), self._back.get(at)
        if new == at:
            return _cause(self.edits[at])
        if new is not None and old is not None:
            return Cause.TOOL_ORDER, _ORDER, ""
        is_gone = new is None and at < len(self._mates) + self.removed
        return Cause.TOOL_SET, _REMOVED if is_gone else _ADDED, ""

    def words(self) -> list[str]:
        """Return all kinds of differences, each once."""
        kinds = [word for word, count in ((_ADDED, self.added), (_REMOVED, self.removed), (_ORDER, self.moved)) if count]
        return list(dict.fromkeys([*kinds, *(_cause(edit)[1] for edit in self.edits.values())]))


def _cause(edit: JsonEdit | None) -> tuple[Cause, str, str]:
    path = edit.path.removeprefix("function.") if edit is not None else ""
    if edit is not None and edit.cause is not None:
        return edit.cause, edit.detail, path
    return Cause.TOOL_SET, _DESCRIPTION if path == _DESCRIPTION else _SCHEMA, path


def _name(item: Item, at: int) -> object:
    """Return the name of a tool, its place for one that has none."""
    value = read_json(item.text)
    function = value.get("function") if isinstance(value, dict) else None
    for holder in (function, value):
        if isinstance(holder, dict) and isinstance(holder.get("name"), str):
            return holder["name"]
    return at


def _first_apart(old: Sequence[int], new: Sequence[int]) -> int:
    return next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
