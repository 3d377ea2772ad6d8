"""Take a key with its value out of a mapping of JSON or YAML, or put one at its end; commas, braces and lines stay right."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from radixlint.fixers._body_tree import BodyTree, Change, put_behind
from radixlint.fixers._written_values import Manner, Value, is_spread, line_indent
from radixlint.late_pattern import late_pattern

if TYPE_CHECKING:
    from radixlint.sources._tree import Leaf, Table, Tree

_COMMA: Final = late_pattern(r"\s*,\s*")
_BLANKS: Final = late_pattern(r"\s*")
_HEADER: Final = late_pattern(r"[|>](?P<how>[-+0-9]*)[ \t]*(?:#[^\n]*)?\n")


def is_block(body: BodyTree, tree: Tree) -> bool:
    """Whether a mapping or list is written without braces."""
    return body.text[tree.start : tree.start + 1] not in ("{", "[")


def key_start(body: BodyTree, table: Table, key: str) -> int | None:
    """Return where a key starts, quotes included; None if it is not written plainly ahead of its value."""
    value = table.get(key)
    if value is None:
        return None
    name = re.escape(key)
    form = re.compile(rf"""(?:"{name}"|'{name}'|(?<![\w"'?]){name})[ \t]*:\s*\Z""")
    found = form.search(body.text, max(table.start, value.start - len(key) - 300), value.start)
    return found.start() if found else None


def without_pair(body: BodyTree, table: Table, key: str) -> Change | None:
    """Return what takes ``key`` out of ``table``; None if it stands there alone, or if a comment stands in the way."""
    start, value = key_start(body, table, key), table.get(key)
    if start is None or value is None or len(table.pairs) < 2:
        return None
    if is_block(body, table):
        return _without_lines(body, table, start, content_end(body, value))
    ahead = len(body.text[table.start : start].rstrip()) + table.start
    if body.text[ahead - 1] == ",":
        return Change(ahead - 1, value.end, "")
    found = _COMMA.match(body.text, value.end)
    return Change(start, found.end(), "") if found and ahead == table.start + 1 else None


def _without_lines(body: BodyTree, table: Table, start: int, end: int | None) -> Change | None:
    text = body.text
    if end is None or _rest_of_line(text, end).strip():
        return None
    first, last = text.rfind("\n", 0, start) + 1, _line_end(text, end)
    if not text[first:start].strip():
        return Change(first, last + 1, "") if last < len(text) else Change(max(first - 1, 0), last, "")
    found = _BLANKS.match(text, last)
    behind = found.end() if found else last
    is_next = behind < table.end and text[behind : behind + 1] != "#"
    return Change(start, behind, "") if is_next else None


def with_pair(body: BodyTree, table: Table, key: str, value: Value, manner: Manner) -> Change | None:
    """Return what puts ``key`` behind the last one of ``table``; None if the end of that one cannot be told."""
    text = body.text
    ends = [content_end(body, held) for _, held in table.pairs]
    if not ends or None in ends:
        return None
    end = max(end for end in ends if end is not None)
    if is_block(body, table):
        rest = _rest_of_line(text, end)
        if rest.strip() and not rest.lstrip().startswith("#"):
            return None
        indent = " " * (table.start - text.rfind("\n", 0, table.start) - 1)
        written = manner.lines(key, value, indent) if manner.is_block else f"{key}: {manner.written(value, indent)}"
        return put_behind(text, _line_end(text, end), f"\n{indent}{written}")
    if text[end : table.end - 1].strip():
        return None
    indent = line_indent(text, table.pairs[-1][1].start)
    gap = f",\n{indent}" if is_spread(text, table) else manner.comma
    return put_behind(text, end, f"{gap}{manner.key(key)}{manner.written(value, indent)}")


def content_end(body: BodyTree, tree: Tree) -> int | None:
    """Return where the last character of a value stands; None if blank lines or a missing line end count there."""
    from radixlint.sources._tree import Leaf, Listing

    if isinstance(tree, Leaf):
        return _leaf_end(body.text, tree)
    children = tree.items if isinstance(tree, Listing) else [value for _, value in tree.pairs]
    if not is_block(body, tree) or not children:
        return tree.end
    return content_end(body, children[-1])


def _leaf_end(text: str, leaf: Leaf) -> int | None:
    found = _HEADER.match(text, leaf.start)
    if text[leaf.start : leaf.start + 1] not in ("|", ">"):
        return leaf.end if text[leaf.start : leaf.start + 1] not in ("&", "!") else None
    end = leaf.start + len(text[leaf.start : leaf.end].rstrip())
    has_end = _line_end(text, end) < len(text)
    is_sure = found is not None and "+" not in found["how"] and (has_end or "-" in found["how"])
    return end if is_sure else None


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return found if found >= 0 else len(text)


def _rest_of_line(text: str, at: int) -> str:
    return text[at : _line_end(text, at)]
