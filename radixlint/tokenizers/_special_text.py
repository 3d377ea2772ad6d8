"""Text in which special tokens count: what a chat template wrote, read as engines read a rendered prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from radixlint.errors import TokenizerError
from radixlint.tokenizers._certain_cuts import cuts_beside_blanks

if TYPE_CHECKING:
    from radixlint.tokenizers import Tokenizer


class SpecialTextTokenizer:
    """A tokenizer that reads special tokens wherever they stand, also in users' text: so do the engines.

    Args:
        tokenizer: encodes the text between them; has at least one special token.

    Raises:
        TokenizerError: the special tokens are too odd to be looked for.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._ids = {text: value.to_bytes(4, "little") for text, value in tokenizer.specials.items()}
        try:
            self._pattern = re.compile(f"({_longest_first(self._ids)})")
        except RecursionError:
            raise TokenizerError("its special tokens are nested too deep", where=tokenizer.name) from None
        # A cut beside white space is inside no special token, unless one holds white space itself.
        has_blank = any(character.isspace() for text in self._ids for character in text)
        self.cuts = None if has_blank or tokenizer.cuts is None else cuts_beside_blanks(tokenizer.cuts)
        self.specials = tokenizer.specials
        self.assumption = tokenizer.assumption
        self.is_lossless = tokenizer.is_lossless

    @property
    def name(self) -> str:
        return self._tokenizer.name

    def encode(self, text: str) -> bytes:
        known, encode = self._ids, self._tokenizer.encode
        return b"".join([known.get(part) or encode(part) for part in self._pattern.split(text) if part])

    def count(self, text: str) -> int:
        return len(self.encode(text)) // 4

    def decode(self, ids: bytes) -> str:
        return self._tokenizer.decode(ids)

    def reading_specials(self) -> SpecialTextTokenizer:
        return self


def _longest_first(texts: Iterable[str]) -> str:
    """Return a pattern of ``texts`` that shares their beginnings: thousands of alternatives cost as little as a few."""
    tails: dict[str, list[str]] = {}
    for text in texts:
        tails.setdefault(text[:1], []).append(text[1:])
    is_end = tails.pop("", None) is not None
    branches = [re.escape(first) + _longest_first(rest) for first, rest in sorted(tails.items())]
    if not branches:
        return ""
    pattern = branches[0] if len(branches) == 1 and not is_end else f"(?:{'|'.join(branches)})"
    return f"{pattern}?" if is_end else pattern
