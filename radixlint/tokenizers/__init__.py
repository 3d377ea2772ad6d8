"""Text to token ids and back, offline; a tokenizer is a module of this package with ``NAME`` and ``load() -> Tokenizer``."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from typing import Protocol

from radixlint.errors import TokenizerError
from radixlint.plugins import load_plugin, plugin_names
from radixlint.spelling import guess
from radixlint.tokenizers._certain_cuts import Cuts, is_certain_cut
from radixlint.tokenizers._model_encoding import DEFAULT_ENCODING, encoding_for_model
from radixlint.tokenizers._piece_encoder import PieceEncoder

__all__ = [
    "DEFAULT_ENCODING",
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
        """The vocabulary's name, for example ``o200k_base``, or the path as given."""

    @property
    def cuts(self) -> Cuts | None:
        """Where a text may be cut so that the ids of the parts, joined, are those of the text; None if nowhere for sure."""

    @property
    def specials(self) -> Mapping[str, int]:
        """The special tokens by their text."""

    @property
    def assumption(self) -> str:
        """A sentence on what had to be guessed about the vocabulary; empty if nothing."""

    @property
    def is_lossless(self) -> bool:
        """Whether ``decode`` gives back every text that was encoded, but for lone surrogates."""

    @property
    def encode(self) -> Callable[[str], bytes]:
        """Text to its ids as little-endian uint32, 4 bytes a token; a lone surrogate reads as U+FFFD."""

    def count(self, text: str) -> int:
        """Return the number of tokens."""

    def decode(self, ids: bytes) -> str:
        """Return the text of little-endian uint32 ``ids``; unknown ids and cut characters read as U+FFFD."""

    def reading_specials(self) -> Tokenizer:
        """Return a tokenizer for rendered prompts, which knows special tokens wherever they stand, as engines do."""


def tokenizer_names() -> tuple[str, ...]:
    """Return the known names, sorted; nothing is loaded."""
    return tuple(name.replace("-", "_") for name in plugin_names(sys.modules[__name__]))


@functools.cache
def open_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer of a known name, or of a path to a vocabulary; it is read once a process, never fetched.

    A path is that of a ``tokenizer.json`` or ``tekken.json``, of a file of ranks (``.tiktoken``, ``tokenizer.model``), or
    of a folder with one of them.

    Raises:
        TokenizerError: the name is unknown, or the vocabulary file is missing, damaged or of a kind we do not read.
    """
    if name in tokenizer_names():
        tokenizer: Tokenizer = load_plugin(sys.modules[__name__], name.replace("_", "-")).load()
        return tokenizer
    # The readers of files are loaded when one is asked for.
    from radixlint.tokenizers._tokenizer_file import is_path, load_file

    if is_path(name):
        return load_file(name)
    hint = (
        f"{guess(name, tokenizer_names())}known: {', '.join(tokenizer_names())}, or a path to a tokenizer.json or a file of ranks"
    )
    raise TokenizerError(f"unknown tokenizer {name!r}", hint=hint)


def piece_encoder(tokenizer: Tokenizer, *, reads_specials: bool = False) -> PieceEncoder:
    """Return an encoder that encodes repeated text once: its ids are those of ``tokenizer``, for every text.

    With ``reads_specials`` special tokens count wherever they stand: for prompts rendered by a chat template.

    Raises:
        TokenizerError: the special tokens cannot be looked for.
    """
    return PieceEncoder(tokenizer.reading_specials() if reads_specials else tokenizer)
