"""A vocabulary of ranked byte strings and a split pattern, encoded by tiktoken."""

from __future__ import annotations

import functools
import sys
from array import array
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from radixlint.tokenizers._fast_engine import fast_engine
from radixlint.tokenizers._long_blanks import around_long_blanks
from radixlint.tokenizers._special_text import SpecialTextTokenizer

if TYPE_CHECKING:
    import tiktoken

    from radixlint.tokenizers import Tokenizer
    from radixlint.tokenizers._certain_cuts import Cuts

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


class RankTokenizer:
    """A tiktoken encoding behind the ``Tokenizer`` interface.

    Args:
        name: the vocabulary's name.
        open_encoding: opens the vocabulary, which takes a second and 90 MB: not before it is needed.
        cuts: where its split pattern surely splits.
        specials: special tokens by their text, None for those of the encoding.
        assumption: a sentence on what was guessed about it, or nothing.
        normalize: applied to a text first.
        fast_digest: what the optional compiled tokenizer must make of a sample to be used; empty if it has no such vocabulary.
    """

    def __init__(
        self,
        name: str,
        open_encoding: Callable[[], tiktoken.Encoding],
        cuts: Cuts | None,
        *,
        specials: Mapping[str, int] | None = None,
        assumption: str = "",
        normalize: Callable[[str], str] | None = None,
        fast_digest: str = "",
    ) -> None:
        self.name = name
        self._open_encoding = open_encoding
        self._normalize = normalize
        self.cuts = cuts
        self._specials = specials
        self.assumption = assumption
        self.is_lossless = normalize is None
        self._fast = fast_engine(name, self._encode_exactly, fast_digest) if fast_digest else None
        self.encode: Callable[[str], bytes] = self._fast.encode if self._fast else self._encode_exactly
        if self._fast is None:
            self._encoding = open_encoding()

    @functools.cached_property
    def _encoding(self) -> tiktoken.Encoding:
        return self._open_encoding()

    @property
    def specials(self) -> Mapping[str, int]:
        return self._encoding._special_tokens if self._specials is None else self._specials

    def _encode_exactly(self, text: str) -> bytes:
        if self._normalize:
            text = self._normalize(text)
        try:
            return self._ids(text)
        except UnicodeEncodeError:
            return self._encode_exactly(without_surrogates(text))
        except ValueError:
            parts = around_long_blanks(text, is_last_apart="$" not in self._encoding._pat_str)
            return b"".join(self._piece_ids(part) if is_piece else self._ids(part) for part, is_piece in parts)

    def _ids(self, text: str) -> bytes:
        return self._encoding.encode_to_numpy(text, disallowed_special=()).astype("<u4", copy=False).tobytes()

    def _piece_ids(self, piece: str) -> bytes:
        return native_order(array("I", self._encoding._encode_single_piece(piece)).tobytes())

    def count(self, text: str) -> int:
        return len(self.encode(text)) // 4

    def decode(self, ids: bytes) -> str:
        import numpy as np

        found = np.frombuffer(ids, "<u4")
        values = found.tolist()
        if self._fast and found.size and found.max() < self._fast.ordinary_ids:
            return self._fast.decode(values).decode("utf-8", "replace")
        try:
            return self._encoding.decode_bytes(values).decode("utf-8", "replace")
        except KeyError:
            return b"".join(self._decode_one(value) for value in values).decode("utf-8", "replace")

    def reading_specials(self) -> Tokenizer:
        return SpecialTextTokenizer(self) if self.specials else self

    def _decode_one(self, value: int) -> bytes:
        try:
            return self._encoding.decode_single_token_bytes(value)
        except KeyError:
            return REPLACEMENT.encode()


def without_surrogates(text: str) -> str:
    """Return ``text`` with each lone surrogate as U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def native_order(ids: bytes) -> bytes:
    """Return little-endian uint32 ids in this machine's order, or the other way round."""
    if sys.byteorder == "little":
        return ids
    swapped = bytearray(len(ids))
    for offset in range(4):
        swapped[offset::4] = ids[3 - offset :: 4]
    return bytes(swapped)
