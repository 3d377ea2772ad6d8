"""The vocabulary of Llama 3, from the package llama-models if it is installed."""

from __future__ import annotations

from typing import Final

from radixlint.tokenizers._installed_file import InstalledFile
from radixlint.tokenizers._rank_file import load_rank_file
from radixlint.tokenizers._rank_tokenizer import RankTokenizer

NAME: Final = "llama3"
FILE: Final = InstalledFile("llama_models", "llama3/tokenizer.model", "llama-models")


def load() -> RankTokenizer:
    """Read the vocabulary from the installed package."""
    return load_rank_file(NAME, FILE.path())
