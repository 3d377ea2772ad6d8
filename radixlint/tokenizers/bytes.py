"""One token a byte of UTF-8: exact for any text, and an upper bound for every vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from radixlint.tokenizers._certain_cuts import EVERY_CUT
from radixlint.tokenizers._rank_tokenizer import without_surrogates

NAME: Final = "bytes"


class ByteTokenizer:
    """The bytes of a text as ids."""

    name = NAME
    cuts = EVERY_CUT
    assumption = ""
    is_lossless = True
    specials: Mapping[str, int] = {}

    def encode(self, text: str) -> bytes:
        try:
            data = text.encode()
        except UnicodeEncodeError:
            data = without_surrogates(text).encode()
        ids = bytearray(4 * len(data))
        ids[::4] = data
        return bytes(ids)

    def count(self, text: str) -> int:
        return len(self.encode(text)) // 4

    def decode(self, ids: bytes) -> str:
        values = memoryview(ids).cast("B")
        return bytes(values[::4]).decode("utf-8", "replace")

    def reading_specials(self) -> ByteTokenizer:
        return self


def load() -> ByteTokenizer:
    """Return the tokenizer."""
    return ByteTokenizer()
