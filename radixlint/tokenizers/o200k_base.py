"""The vocabulary ``o200k_base``."""

from __future__ import annotations

from typing import Final

from radixlint.tokenizers._openai_vocabulary import OpenAITokenizer, load_openai

NAME: Final = "o200k_base"


def load() -> OpenAITokenizer:
    """Read the vocabulary from the installed packages."""
    return load_openai(NAME)
