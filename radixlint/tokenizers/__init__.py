"""Text to token ids and back, offline; a tokenizer is a module of this package with ``NAME`` and ``load() -> Tokenizer``."""

from __future__ import annotations

import functools
import sys
from typing import Protocol

from radixlint.errors import TokenizerError
from radixlint.plugins import load_plugin, plugin_names
from radixlint.tokenizers._certain_cuts import is_certain_cut
from radixlint.tokenizers._model_encoding import DEFAULT_ENCODING, encoding_for_model
from radixlint.tokenizers._paragraph_memo import ParagraphMemo
from radixlint.tokenizers._piece_encoder import PieceEncoder

__all__ = [
    "DEFAULT_ENCODING",
    "ParagraphMemo",
    "PieceEncoder",
    "Tokenizer",
    "encoding_for_model",
    "is_certain_cut",
    "open_tokenizer",
    "piece_encoder",
    "tokenizer_names",
]


class Tokenizer(Protocol):
    """Turns text into token ids; text that looks like a special token is ordinary text."""

    @property
    def name(self) -> str:
        """The vocabulary's name, for example ``o200k_base``."""

    def encode(self, text: str) -> bytes:
        """Return the ids as little-endian uint32, 4 bytes a token; a lone surrogate reads as U+FFFD."""

    def count(self, text: str) -> int:
        """Return the number of tokens."""

    def decode(self, ids: bytes) -> str:
        """Return the text of little-endian uint32 ``ids``; unknown ids and cut characters read as U+FFFD."""


def tokenizer_names() -> tuple[str, ...]:
    """Return the known names, sorted; nothing is loaded."""
    return tuple(name.replace("-", "_") for name in plugin_names(sys.modules[__name__]))


@functools.cache
def open_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer ``name``; its vocabulary is read from the installed packages once a process, never fetched.

    Raises:
        TokenizerError: the name is unknown, or the vocabulary file is missing or damaged.
    """
    if name not in tokenizer_names():
        raise TokenizerError(f"unknown tokenizer {name!r}", hint=f"known: {', '.join(tokenizer_names())}")
    tokenizer: Tokenizer = load_plugin(sys.modules[__name__], name.replace("_", "-")).load()
    return tokenizer


def piece_encoder(tokenizer: Tokenizer) -> PieceEncoder:
    """Return an encoder that encodes repeated text once: its ids are those of ``tokenizer``, for every text."""
    return PieceEncoder(ParagraphMemo(tokenizer))
