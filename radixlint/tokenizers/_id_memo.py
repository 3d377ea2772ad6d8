"""Ids of whole texts, kept within a memory budget."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

# A dict slot.
_SLOT_BYTES: Final = 100


class IdMemo:
    """A memo from text to ids.

    Two generations: what is asked for moves to the young one; when that holds half the budget, it becomes the old one
    and the old one is dropped. So the memo stays within the budget and keeps what was used last, without bookkeeping
    on a hit.

    Args:
        encode: what encodes a text that is new.
        budget_bytes: the most that texts and ids may hold together, about.
    """

    def __init__(self, encode: Callable[[str], bytes], *, budget_bytes: int) -> None:
        self._encode_new = encode
        self._half_bytes = budget_bytes // 2
        self._young: dict[str, bytes] = {}
        self._old: dict[str, bytes] = {}
        self._young_bytes = 0

    def encode(self, text: str) -> bytes:
        """Return the ids of ``text``, little-endian uint32."""
        ids = self._young.get(text)
        if ids is None:
            ids = self._old.get(text)
            if ids is None:
                ids = self._encode_new(text)
            self._remember(text, ids)
        return ids

    def _remember(self, text: str, ids: bytes) -> None:
        cost = sys.getsizeof(text) + sys.getsizeof(ids) + _SLOT_BYTES
        if cost > self._half_bytes:
            return
        if self._young_bytes + cost > self._half_bytes:
            self._old, self._young, self._young_bytes = self._young, {}, 0
        self._young[text] = ids
        self._young_bytes += cost
