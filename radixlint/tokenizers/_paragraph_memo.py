"""Encode each distinct paragraph once: retrieved documents come back in many prompts, next to other text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from radixlint.tokenizers._id_memo import IdMemo

if TYPE_CHECKING:
    from radixlint.tokenizers import Tokenizer

_LONG_LINE_CHARACTERS: Final = 128


class ParagraphMemo:
    """A tokenizer that remembers paragraphs; equal to the one it wraps for every text.

    Args:
        tokenizer: what encodes a paragraph that is new.
        budget_bytes: the most the memo may hold.
    """

    def __init__(self, tokenizer: Tokenizer, *, budget_bytes: int = 128 << 20) -> None:
        self._tokenizer = tokenizer
        self._paragraphs = IdMemo(tokenizer.encode, budget_bytes=budget_bytes)
        self.cuts, self.specials, self.assumption = tokenizer.cuts, tokenizer.specials, tokenizer.assumption

    @property
    def name(self) -> str:
        return self._tokenizer.name

    def encode(self, text: str) -> bytes:
        return b"".join(map(self._paragraphs.encode, _paragraphs(text)))

    def count(self, text: str) -> int:
        return self._tokenizer.count(text)

    def decode(self, ids: bytes) -> str:
        return self._tokenizer.decode(ids)

    def reading_specials(self) -> Tokenizer:
        return self._tokenizer.reading_specials()


def _paragraphs(text: str) -> list[str]:
    """Split ``text`` behind empty and long lines, at certain cuts only (see ``is_certain_cut``), so tokens stay exact.

    The cuts depend on the paragraph alone, not on what stands around it. Short lines stay together: a call for each
    would cost more than it saves.
    """
    parts: list[str] = []
    start = line_start = 0
    while True:
        line_end = text.find("\n", line_start)
        following = text[line_end + 1 : line_end + 2]
        if line_end < 0 or not following:
            parts.append(text[start:])
            return parts
        is_border = line_end == line_start or line_end - line_start >= _LONG_LINE_CHARACTERS
        line_start = line_end + 1
        if is_border and following != "/" and not following.isspace():
            parts.append(text[start:line_start])
            start = line_start
