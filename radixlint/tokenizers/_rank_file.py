"""Vocabularies from files of ranks: tiktoken's lines of base64 and rank, and Mistral's Tekken JSON."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from radixlint.errors import TokenizerError
from radixlint.safe_text import safe_line
from radixlint.tokenizers._rank_tokenizer import RankTokenizer
from radixlint.tokenizers._split_patterns import CUTS_BY_PATTERNS, RANK_FAMILIES

if TYPE_CHECKING:
    import tiktoken

_NO_RANKS: Final = TokenizerError(
    "not a file of ranks (lines of base64 and a number)",
    hint="a sentencepiece model: give the model's tokenizer.json instead; save_pretrained of its fast tokenizer writes one",
)


def parse_ranks(data: bytes) -> dict[bytes, int]:
    """Return the rank of each byte string of a file in tiktoken's format.

    Raises:
        TokenizerError: the data is in another format.
    """
    try:
        ranks = {base64.b64decode(token, validate=True): int(rank) for token, rank in map(bytes.split, _lines(data))}
    except (ValueError, binascii.Error) as error:
        raise TokenizerError(_NO_RANKS.message, hint=_NO_RANKS.hint) from error
    if not ranks:
        raise TokenizerError("the file of ranks is empty")
    return ranks


def _lines(data: bytes) -> Iterable[bytes]:
    return (line for line in data.splitlines() if line)


def load_rank_file(name: str, path: Path, *, is_family_known: bool = True) -> RankTokenizer:
    """Return the vocabulary of a file in tiktoken's format, with the split pattern of the family of that size.

    Unless ``is_family_known``, the tokenizer says that the pattern was assumed.

    Raises:
        TokenizerError: the file cannot be read, is in another format, or its size is that of no family we know.
    """
    try:
        ranks = parse_ranks(path.read_bytes())
    except OSError as error:
        raise TokenizerError(f"cannot read the vocabulary: {error.strerror}", where=name) from error
    except TokenizerError as error:
        raise TokenizerError(error.message, where=name, hint=error.hint) from error
    family = RANK_FAMILIES.get(len(ranks))
    if family is None:
        known = ", ".join(f"{size:,} ({family.owner})" for size, family in sorted(RANK_FAMILIES.items()))
        raise TokenizerError(
            f"a vocabulary of {len(ranks):,} ranks: its split pattern is not known",
            where=name,
            hint=f"known sizes: {known}; a tokenizer.json holds its own pattern",
        )
    specials = {text: family.first_special + i for i, text in enumerate(family.specials)}
    assumption = (
        f"The file {safe_line(name)} holds no split pattern; by its {len(ranks):,} ranks that of {family.owner} was assumed."
    )
    encoding = _encoding(name, family.pattern, ranks)
    return RankTokenizer(
        name,
        lambda: encoding,
        CUTS_BY_PATTERNS[(family.pattern,)],
        specials=specials,
        assumption="" if is_family_known else assumption,
        normalize=family.normalize,
    )


class _TekkenToken(msgspec.Struct):
    rank: int
    token_bytes: str


class _TekkenSpecial(msgspec.Struct):
    rank: int
    token_str: str


class _TekkenConfig(msgspec.Struct):
    pattern: str
    default_vocab_size: int
    default_num_special_tokens: int


class _TekkenFile(msgspec.Struct):
    config: _TekkenConfig
    vocab: list[_TekkenToken]
    special_tokens: list[_TekkenSpecial] | None = None


# Files before version 7 do not list them.
_TEKKEN_SPECIALS: Final = (
    "<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]",
    "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]", "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]",
)  # fmt: skip


def load_tekken(name: str, path: Path) -> RankTokenizer:
    """Return the vocabulary of a ``tekken.json``; its special tokens stand in front of the ranks.

    Raises:
        TokenizerError: the file cannot be read or is in another format.
    """
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_TekkenFile)
        first, count = file.config.default_num_special_tokens, file.config.default_vocab_size
        ranks = {base64.b64decode(t.token_bytes): first + t.rank for t in file.vocab if first + t.rank < count}
        encoding = _encoding(name, file.config.pattern, ranks)
    except OSError as error:
        raise TokenizerError(f"cannot read the vocabulary: {error.strerror}", where=name) from error
    except (msgspec.MsgspecError, binascii.Error) as error:
        raise TokenizerError(f"not a tekken.json: {error}", where=name) from error
    listed = {special.token_str: special.rank for special in file.special_tokens or ()}
    specials = listed or {text: i for i, text in enumerate(_TEKKEN_SPECIALS)}
    return RankTokenizer(name, lambda: encoding, CUTS_BY_PATTERNS.get((file.config.pattern,)), specials=specials)


def _encoding(name: str, pattern: str, ranks: dict[bytes, int]) -> tiktoken.Encoding:
    import tiktoken

    try:
        return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    except Exception as error:
        raise TokenizerError(f"not a usable vocabulary: {error}", where=name) from error
