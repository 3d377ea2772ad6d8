"""Take an item out of a list of JSON or YAML, put one behind another, or move one behind a later one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from radixlint.fixers._body_tree import BodyTree, Change, put_behind
from radixlint.fixers._pair_changes import content_end, is_block
from radixlint.fixers._written_values import Manner, Value, is_spread, line_indent
from radixlint.late_pattern import late_pattern

if TYPE_CHECKING:
    from radixlint.sources._tree import Listing

_BETWEEN: Final = late_pattern(r"\s*,\s*")
_DASH: Final = late_pattern(r"[ ]*-[ ]+")


def without_item(body: BodyTree, listing: Listing, at: int) -> Change | None:
    """Return what takes item ``at`` out; None if it is the only one, or a comment stands in the way."""
    if len(listing.items) < 2:
        return None
    if is_block(body, listing):
        lines = _item_lines(body, listing, at)
        if lines is None:
            return None
        start, end = lines
        return Change(start, end + 1, "") if end < len(body.text) else Change(start - 1, end, "")
    first, second = (at - 1, at) if at else (0, 1)
    between = body.text[listing.items[first].end : listing.items[second].start]
    if not _BETWEEN.fullmatch(between):
        return None
    if at:
        return Change(listing.items[at - 1].end, listing.items[at].end, "")
    return Change(listing.items[0].start, listing.items[1].start, "")


def with_item(body: BodyTree, listing: Listing, at: int, value: Value, manner: Manner) -> Change | None:
    """Return what writes a new item behind item ``at``."""
    item = listing.items[at]
    if is_block(body, listing):
        lines = _item_lines(body, listing, at)
        if lines is None or isinstance(value, str):
            return None
        dash = line_indent(body.text, lines[0])
        inner = dash + "  "
        pairs = f"\n{inner}".join(manner.lines(key, held, inner) for key, held in value.items())
        return put_behind(body.text, lines[1], f"\n{dash}- {pairs}")
    gap = _gap(body, listing, manner)
    return put_behind(body.text, item.end, gap + manner.written(value, line_indent(body.text, item.end)))


def moved_item(body: BodyTree, listing: Listing, at: int, target: int) -> list[Change] | None:
    """Return what moves item ``at`` behind the later item ``target``."""
    text = body.text
    if is_block(body, listing):
        lines, last = _item_lines(body, listing, at), _item_lines(body, listing, target)
        if lines is None or last is None or lines[1] >= len(text):
            return None
        return [Change(lines[0], lines[1] + 1, ""), Change(last[1], last[1], "\n" + text[lines[0] : lines[1]])]
    item, behind = listing.items[at], listing.items[at + 1]
    between = text[item.end : behind.start]
    if not _BETWEEN.fullmatch(between):
        return None
    end = listing.items[target].end
    return [Change(item.start, behind.start, ""), Change(end, end, between + text[item.start : item.end])]


def _gap(body: BodyTree, listing: Listing, manner: Manner) -> str:
    if len(listing.items) > 1:
        found = _BETWEEN.fullmatch(body.text, listing.items[0].end, listing.items[1].start)
        if found:
            return found.group()
    if is_spread(body.text, listing):
        return f",\n{line_indent(body.text, listing.items[0].start)}"
    return manner.comma


def _item_lines(body: BodyTree, listing: Listing, at: int) -> tuple[int, int] | None:
    """Return the range of the whole lines of an item of block YAML, without the last line end; None if they are not its own."""
    item, text = listing.items[at], body.text
    start = text.rfind("\n", 0, item.start) + 1
    end = content_end(body, item)
    if end is None or not _DASH.fullmatch(text, start, item.start):
        return None
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    return None if text[end:last].strip() else (start, last)
