"""Which tokenizer a path means: a ``tokenizer.json``, a file of ranks, or the folder that holds one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from radixlint.errors import TokenizerError
from radixlint.tokenizers._json_tokenizer import load_json_tokenizer
from radixlint.tokenizers._rank_file import load_rank_file, load_tekken

if TYPE_CHECKING:
    from radixlint.tokenizers import Tokenizer

_IN_FOLDER: Final = ("tokenizer.json", "tekken.json", "tokenizer.model", "*.tiktoken")
_BESIDE: Final = ("tokenizer_config.json", "config.json", "special_tokens_map.json", "chat_template.jinja")


def is_path(name: str) -> bool:
    """Whether ``name`` is meant as a path."""
    return "/" in name or "\\" in name or name.endswith((".json", ".model", ".tiktoken")) or Path(name).exists()


def load_file(name: str) -> Tokenizer:
    """Return the tokenizer of the path ``name``; a folder, or a file that goes with a tokenizer, means the tokenizer there.

    Raises:
        TokenizerError: there is none, it cannot be read, or it is of a kind we do not read.
    """
    path = Path(name)
    if path.is_dir() or path.name in _BESIDE:
        path = _in_folder(path if path.is_dir() else path.parent, name)
    if not path.is_file():
        raise TokenizerError("no such tokenizer file", where=name)
    if path.suffix != ".json":
        return load_rank_file(name, path, is_family_known=False)
    if path.name.startswith("tekken"):
        return load_tekken(name, path)
    return load_json_tokenizer(name, path)


def _in_folder(folder: Path, name: str) -> Path:
    for pattern in _IN_FOLDER:
        for path in sorted(folder.glob(pattern)):
            return path
    raise TokenizerError(f"no tokenizer there: none of {', '.join(_IN_FOLDER)}", where=name)
