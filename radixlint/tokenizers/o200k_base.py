"""The vocabulary ``o200k_base``."""

from __future__ import annotations

from typing import Final

from radixlint.tokenizers._certain_cuts import SLASH_CUTS
from radixlint.tokenizers._openai_vocabulary import load_openai
from radixlint.tokenizers._rank_tokenizer import RankTokenizer

NAME: Final = "o200k_base"


def load() -> RankTokenizer:
    """Read the vocabulary from the installed packages."""
    return load_openai(NAME, SLASH_CUTS)
