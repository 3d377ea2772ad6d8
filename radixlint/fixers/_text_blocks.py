"""Write a message's plain string as a list of one text block, which is the same to the API, so that it can carry a mark."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from radixlint.fixers._body_tree import BodyTree, Change, put_behind
from radixlint.fixers._pair_changes import content_end, is_block, key_start
from radixlint.fixers._written_values import Manner, Value, is_spread, line_indent, manner_at
from radixlint.late_pattern import late_pattern

if TYPE_CHECKING:
    from radixlint.sources._tree import Leaf, Table

_HEAD: Final = late_pattern(r"[|>][-]?[ \t]*(?:#[^\n]*)?\n")
_LINE: Final = late_pattern(r"^(?=[^\n]*\S)", re.MULTILINE)
_DEEPER: Final = "    "


def as_block(body: BodyTree, holder: Table, key: str, mark: Mapping[str, Value]) -> list[Change] | None:
    """Return what writes the string under ``key`` as a text block with ``mark``; None where its end cannot be told."""
    from radixlint.sources._tree import Leaf

    leaf, start = holder.get(key), key_start(body, holder, key)
    if not isinstance(leaf, Leaf) or start is None:
        return None
    manner = manner_at(body.text, holder, body.path.lower().endswith(".json"))
    if not is_block(body, holder):
        return _in_braces(body, holder, leaf, mark, manner)
    return _in_lines(body, leaf, start, mark, manner)


def _in_braces(body: BodyTree, holder: Table, leaf: Leaf, mark: Mapping[str, Value], manner: Manner) -> list[Change]:
    outer = line_indent(body.text, leaf.start)
    is_long = is_spread(body.text, holder)
    item, inner = outer + manner.step, outer + manner.step * 2
    breaks = (f"\n{item}", f"\n{inner}", f",\n{inner}", f"\n{outer}") if is_long else ("", "", manner.comma, "")
    first, second, comma, last = breaks
    head = f"[{first}{{{second}{manner.key('type')}{manner.written('text', '')}{comma}{manner.key('text')}"
    pairs = "".join(f"{comma}{manner.key(name)}{manner.written(value, inner)}" for name, value in mark.items())
    return [Change(leaf.start, leaf.start, head), put_behind(body.text, leaf.end, f"{pairs}{first}}}{last}]")]


def _in_lines(body: BodyTree, leaf: Leaf, start: int, mark: Mapping[str, Value], manner: Manner) -> list[Change] | None:
    """Return the changes of block YAML: the lines of a literal block move in, those of another string must be one."""
    text, end = body.text, content_end(body, leaf)
    if end is None or "\n" in text[start : leaf.start]:
        return None
    column = start - text.rfind("\n", 0, start) - 1
    item, inner = " " * column + "  ", " " * column + "    "
    head = Change(text.rindex(":", start, leaf.start) + 1, leaf.start, f"\n{item}- type: text\n{inner}text: ")
    pairs = "".join(f"\n{inner}{manner.lines(name, value, inner)}" for name, value in mark.items())
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    if text[leaf.start] not in "|>":
        is_one_line = "\n" not in text[leaf.start : leaf.end] and not text[end:last].strip()
        return [head, put_behind(text, last, pairs)] if is_one_line else None
    found = _HEAD.match(text, leaf.start)
    if found is None:
        return None
    lines = _LINE.finditer(text, found.end(), end)
    deeper = [Change(line.start(), line.start(), _DEEPER) for line in lines]
    return [head, *deeper, put_behind(text, last, pairs)]
