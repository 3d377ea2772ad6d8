"""Encode each distinct paragraph once: retrieved documents come back in many prompts, next to other text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from radixlint.tokenizers._id_memo import IdMemo

_LONG_LINE_CHARACTERS: Final = 128
_TRIAL_CHARACTERS: Final = 1 << 20
_PAUSE_CHARACTERS: Final = 4 << 20
_NEW_SHARE_LIMIT: Final = 0.9


class ParagraphMemo:
    """Encodes text paragraph by paragraph; equal to ``encode`` for every text where a line's start is a certain cut.

    Where paragraphs do not come back, the memo is passed over for a while and then tried again.

    Args:
        encode: what encodes a paragraph that is new.
        budget_bytes: the most that the memo may hold.
    """

    def __init__(self, encode: Callable[[str], bytes], *, budget_bytes: int) -> None:
        self._encode_new = encode
        self._memo = IdMemo(self._encode_counted, budget_bytes=budget_bytes)
        self._seen_characters = self._new_characters = self._pause_characters = 0

    def encode(self, text: str) -> bytes:
        """Return the ids of ``text``, little-endian uint32."""
        if self._pause_characters > 0:
            self._pause_characters -= len(text)
            return self._encode_new(text)
        ids = b"".join(map(self._memo.encode, _paragraphs(text)))
        self._seen_characters += len(text)
        if self._seen_characters > _TRIAL_CHARACTERS:
            if self._new_characters > _NEW_SHARE_LIMIT * self._seen_characters:
                self._pause_characters = _PAUSE_CHARACTERS
            self._seen_characters = self._new_characters = 0
        return ids

    def _encode_counted(self, text: str) -> bytes:
        self._new_characters += len(text)
        return self._encode_new(text)


def _paragraphs(text: str) -> list[str]:
    """Split ``text`` behind empty and long lines, before a character that is neither white space nor ``/``.

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
