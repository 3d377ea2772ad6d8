"""Take a cache mark out of a body: its key, or the whole item of a list where that is the mark."""

from __future__ import annotations

from radixlint.fixers._body_tree import POINT, BodyTree, Change
from radixlint.fixers._item_changes import without_item
from radixlint.fixers._pair_changes import without_pair
from radixlint.prompt import CacheMark


def without_mark(body: BodyTree, mark: CacheMark) -> Change | None:
    """Return what takes ``mark`` out; None where it cannot go alone."""
    from radixlint.sources._tree import Listing

    carrier = body.carrier(mark)
    if carrier is None:
        return None
    if mark.key != POINT:
        return without_pair(body, carrier.table, mark.key)
    listing = carrier.parents[-1] if carrier.parents else None
    if not isinstance(listing, Listing) or len(carrier.table.pairs) > 1:
        return None
    return without_item(body, listing, listing.items.index(carrier.table))
