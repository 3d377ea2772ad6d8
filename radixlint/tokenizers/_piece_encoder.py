"""Encode each distinct piece of text once: requests of one log repeat their parts, so most encoding is a lookup."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from radixlint.tokenizers._certain_cuts import is_certain_cut

if TYPE_CHECKING:
    from radixlint.tokenizers import Tokenizer

# A dict slot, a str header and a bytes header.
_ENTRY_BYTES: Final = 200


class PieceEncoder:
    """A memo from text to ids within a memory budget.

    Two generations: what is asked for moves to the young one; when that holds half the budget, it becomes the old one
    and the old one is dropped. So the memo stays within the budget and keeps what was used last, without bookkeeping
    on a hit.

    Args:
        tokenizer: what encodes a piece that is new.
        budget_bytes: the most the memo may hold (texts and ids together, about).
    """

    def __init__(self, tokenizer: Tokenizer, *, budget_bytes: int = 256 << 20) -> None:
        self.tokenizer = tokenizer
        self._half_bytes = budget_bytes // 2
        self._young: dict[str, bytes] = {}
        self._old: dict[str, bytes] = {}
        self._young_bytes = 0

    def encode_piece(self, text: str) -> bytes:
        """Return the ids of ``text`` alone, little-endian uint32."""
        ids = self._young.get(text)
        if ids is None:
            ids = self._old.get(text)
            if ids is None:
                ids = self.tokenizer.encode(text)
            self._remember(text, ids)
        return ids

    def encode(self, pieces: Iterable[str]) -> bytes:
        """Return the ids of the joined ``pieces``: exactly ``tokenizer.encode("".join(pieces))``.

        Neighbours whose border is not a certain cut are encoded as one, so any split is correct; a split at certain
        cuts is fast. Pieces of a layout may be encoded one by one with ``encode_piece``.
        """
        parts: list[bytes] = []
        pending = ""
        for piece in pieces:
            if pending and is_certain_cut(pending, piece):
                parts.append(self.encode_piece(pending))
                pending = piece
            else:
                pending += piece
        if pending:
            parts.append(self.encode_piece(pending))
        return b"".join(parts)

    def _remember(self, text: str, ids: bytes) -> None:
        cost = len(text) * (1 if text.isascii() else 4) + len(ids) + _ENTRY_BYTES
        if cost > self._half_bytes:
            return
        if self._young_bytes + cost > self._half_bytes:
            self._old, self._young, self._young_bytes = self._young, {}, 0
        self._young[text] = ids
        self._young_bytes += cost
