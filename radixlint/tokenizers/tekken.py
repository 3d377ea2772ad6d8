"""The vocabulary of Mistral Nemo and later (Tekken), from the package mistral-common if it is installed."""

from __future__ import annotations

from typing import Final

from radixlint.tokenizers._installed_file import InstalledFile
from radixlint.tokenizers._rank_file import load_tekken
from radixlint.tokenizers._rank_tokenizer import RankTokenizer

NAME: Final = "tekken"
FILE: Final = InstalledFile("mistral_common", "data/tekken_240911.json", "mistral-common")


def load() -> RankTokenizer:
    """Read the vocabulary from the installed package."""
    return load_tekken(NAME, FILE.path())
