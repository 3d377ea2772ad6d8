"""Encode each text once: requests of one log repeat their parts and their beginnings, so most encoding is a lookup."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from radixlint.tokenizers._id_memo import IdMemo
from radixlint.tokenizers._paragraph_memo import ParagraphMemo
from radixlint.tokenizers._text_tree import TextTree

if TYPE_CHECKING:
    from radixlint.tokenizers import Tokenizer

LONG_CHARACTERS: Final = 2048


class PieceEncoder:
    """Encodes like its tokenizer, for every text; what was seen before is not encoded again.

    Short texts (most messages) are looked up whole. Long ones go through a tree, for one of them may differ from the
    next in a line only; and what is new to the tree, if long, by paragraph: it may hold documents that stood elsewhere
    before.

    Args:
        tokenizer: what encodes text that is new.
        budget_bytes: the most that texts and ids may hold together, about.
    """

    def __init__(self, tokenizer: Tokenizer, *, budget_bytes: int = 128 << 20) -> None:
        self.tokenizer = tokenizer
        self.long_characters = LONG_CHARACTERS
        self._cuts = tokenizer.cuts
        self._memo = IdMemo(tokenizer.encode, budget_bytes=budget_bytes // 4)
        self._tree: TextTree | None = None
        if tokenizer.cuts:
            self._paragraphs = ParagraphMemo(tokenizer.encode, budget_bytes=budget_bytes // 4)
            self._tree = TextTree(self._encode_new, tokenizer.cuts, budget_bytes=budget_bytes // 2)

    def encode_piece(self, text: str) -> bytes:
        """Return the ids of ``text`` alone, little-endian uint32."""
        if self._tree is None or len(text) < self.long_characters:
            return self._memo.encode(text)
        return self._tree.encode(text)

    def encode(self, pieces: Iterable[str]) -> bytes:
        """Return the ids of the joined ``pieces``: exactly ``tokenizer.encode("".join(pieces))``.

        Neighbours whose border is not a certain cut are encoded as one, so any split is correct; a split at certain
        cuts is fast.
        """
        parts: list[bytes] = []
        pending = ""
        for piece in pieces:
            if pending and self._cuts and self._cuts.is_cut(pending[-1:] + piece[:1], 1):
                parts.append(self.encode_piece(pending))
                pending = piece
            else:
                pending += piece
        if pending:
            parts.append(self.encode_piece(pending))
        return b"".join(parts)

    def _encode_new(self, text: str) -> bytes:
        return self.tokenizer.encode(text) if len(text) < self.long_characters else self._paragraphs.encode(text)
