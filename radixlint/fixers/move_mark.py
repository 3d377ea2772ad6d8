"""Put a cache mark ahead of a value that varies: on the last block that stays the same, or by moving the value's own block.

Marks behind the value that are left over are taken out: what they write is never read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from radixlint.detectors import Hit
from radixlint.fixers._body_tree import POINT, BodyTree, Change, body_tree
from radixlint.fixers._item_changes import moved_item
from radixlint.fixers._mark_cuts import without_mark
from radixlint.fixers._mark_places import last_place, marked
from radixlint.prompt import CacheMark, Prompt
from radixlint.result.finding import Edit

if TYPE_CHECKING:
    from radixlint.sources._tree import Listing, Table

# A block of more text than this is rules with a value in them; where those belong a person decides.
_MOST_CHARACTERS: Final = 200


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to set."""


def edits(prompt: Prompt, hit: Hit, _params: Params) -> tuple[Edit, ...] | None:
    """Return the edits; None where no stable block is long enough for a mark and the value's block cannot be moved."""
    spans = {related.span for related in hit.related}
    known = prompt.request.marks if prompt.request is not None else ()
    lost = sorted((mark for mark in known if mark.span in spans), key=lambda mark: mark.segment)
    body = body_tree(prompt) if lost else None
    if body is None:
        return None
    cuts = [without_mark(body, mark) for mark in lost]
    put = _put(prompt, body, hit, lost[0])
    if put:
        return body.edits([*put, *cuts])
    if any(mark.segment < hit.index for mark in known):
        return body.edits(cuts)
    return _moved_value(prompt, body, hit, lost)


def _put(prompt: Prompt, body: BodyTree, hit: Hit, mark: CacheMark) -> list[Change] | None:
    """Return what writes ``mark`` on the last stable block."""
    place = last_place(prompt, body, hit.markable) if hit.markable is not None else None
    carrier = body.carrier(mark)
    table = carrier.table.get(mark.key) if carrier is not None else None
    value = _texts(table)
    if place is None or value is None or table is None:
        return None
    return marked(body, place, mark.key, value, _table(table))


def _moved_value(prompt: Prompt, body: BodyTree, hit: Hit, lost: list[CacheMark]) -> tuple[Edit, ...] | None:
    """Return what moves the block of the value, a short one, behind the marked ones of its list."""
    from radixlint.sources._tree import Listing

    carrier = body.carrier(lost[0])
    listing = carrier.parents[-1] if carrier is not None and carrier.parents else None
    if carrier is None or not isinstance(listing, Listing):
        return None
    at = _item_at(prompt, body, listing, hit)
    target = listing.items.index(carrier.table)
    if at is None or at >= target:
        return None
    moved = moved_item(body, listing, at, target)
    return None if moved is None else body.edits([*moved, *(without_mark(body, mark) for mark in lost[1:])])


def _item_at(prompt: Prompt, body: BodyTree, listing: Listing, hit: Hit) -> int | None:
    """Return the number of the item that holds the value and little else."""
    span = hit.segment.span
    place = body.offset(span.line, span.column) if span.path == prompt.path else -1
    at = next((i for i, item in enumerate(listing.items) if item.start <= place < item.end), None)
    if at is None or listing.items[at].end - listing.items[at].start > _MOST_CHARACTERS:
        return None
    return None if POINT in body.text[listing.items[at].start : listing.items[at].end] else at


def _texts(tree: object) -> dict[str, str] | None:
    """Return a mapping of plain texts as it is, None for any other."""
    from radixlint.sources._tree import Leaf

    table = _table(tree)
    if table is None or not all(isinstance(value, Leaf) and value.is_text and not value.is_slot for _, value in table.pairs):
        return None
    return {key: value.passage.text for key, value in table.pairs if isinstance(value, Leaf)}


def _table(tree: object) -> Table | None:
    from radixlint.sources._tree import Table

    return tree if isinstance(tree, Table) else None
