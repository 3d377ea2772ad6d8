"""The vocabulary ``cl100k_base``."""

from __future__ import annotations

from typing import Final

from radixlint.tokenizers._certain_cuts import PLAIN_CUTS
from radixlint.tokenizers._openai_vocabulary import load_openai
from radixlint.tokenizers._rank_tokenizer import RankTokenizer

NAME: Final = "cl100k_base"


def load() -> RankTokenizer:
    """Read the vocabulary from the installed packages."""
    return load_openai(NAME, PLAIN_CUTS)
