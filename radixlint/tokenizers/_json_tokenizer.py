"""Vocabularies of a local ``tokenizer.json``, read by the optional package ``tokenizers``."""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from radixlint.errors import TokenizerError
from radixlint.tokenizers._certain_cuts import Cuts
from radixlint.tokenizers._rank_tokenizer import native_order, without_surrogates
from radixlint.tokenizers._special_text import SpecialTextTokenizer
from radixlint.tokenizers._split_patterns import CUTS_BY_PATTERNS

if TYPE_CHECKING:
    import tokenizers

    from radixlint.tokenizers import Tokenizer

_SAMPLE: Final = (
    "Don't we'LL stop.\nif (a[10000] != b):\r\n\treturn 3.14159 // x\n/y  \n \n A1B22c333 HTTPServer's caf\xe9! e\u0301 \n\n"
    '<b>\u4e2d\u6587\u3002\u304b\u306a, \ud55c\uae00. 12\u5e74 \U0001f468\u200d\U0001f469\n\n"k":[1,22],</b>\n\n\tend \n'
)


class JsonTokenizer:
    """A ``tokenizer.json`` behind the ``Tokenizer`` interface; no token is put around a text.

    Args:
        name: how the file was named.
        data: its content, parsed.
        keeps_specials: whether special tokens count wherever they stand.

    Raises:
        TokenizerError: the package ``tokenizers`` is missing, or does not take the content.
    """

    def __init__(self, name: str, data: dict[str, Any], *, keeps_specials: bool = False) -> None:
        self.name = name
        self.assumption = ""
        self.is_lossless = False  # it may normalize, and mark the beginning of a text
        self._data = data
        added = data.get("added_tokens") or []
        self.specials: Mapping[str, int] = {token["content"]: token["id"] for token in added}
        self._tokenizer = _build(name, data if keeps_specials else {**data, "added_tokens": [], "post_processor": None})
        self.cuts = None if keeps_specials else _checked_cuts(self, data)

    def encode(self, text: str) -> bytes:
        try:
            ids = self._tokenizer.encode(text, add_special_tokens=False).ids
        except (TypeError, UnicodeEncodeError):
            ids = self._tokenizer.encode(without_surrogates(text), add_special_tokens=False).ids
        return native_order(array("I", ids).tobytes())

    def count(self, text: str) -> int:
        return len(self.encode(text)) // 4

    def decode(self, ids: bytes) -> str:
        values = memoryview(native_order(ids)).cast("I").tolist()
        return self._tokenizer.decode(values, skip_special_tokens=False)

    def reading_specials(self) -> Tokenizer:
        if not self.specials:
            return self
        is_plain = not _normalizers(self._data)
        if all(_is_simple(token, has_no_normalizer=is_plain) for token in self._data["added_tokens"]):
            return SpecialTextTokenizer(self)
        return JsonTokenizer(self.name, self._data, keeps_specials=True)


def load_json_tokenizer(name: str, path: Path) -> JsonTokenizer:
    """Return the vocabulary of a ``tokenizer.json``.

    Raises:
        TokenizerError: the file cannot be read or used, or the package ``tokenizers`` is missing.
    """
    try:
        data = json.loads(path.read_bytes())
        if not isinstance(data, dict) or not isinstance(data.get("model"), dict):
            raise TokenizerError("not a tokenizer.json: it holds no model", where=name)
        return JsonTokenizer(name, data)
    except OSError as error:
        raise TokenizerError(f"cannot read the vocabulary: {error.strerror}", where=name) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise TokenizerError(f"not a tokenizer.json: {error!r}", where=name) from error


def _build(name: str, data: dict[str, Any]) -> tokenizers.Tokenizer:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        hint = "pip install tokenizers, or the extra open-models"
        raise TokenizerError("reading a tokenizer.json needs the package tokenizers", where=name, hint=hint) from error
    try:
        return Tokenizer.from_str(json.dumps(data))
    except Exception as error:
        raise TokenizerError(f"the package tokenizers cannot use it: {error}", where=name) from error


def _is_simple(token: dict[str, Any], *, has_no_normalizer: bool) -> bool:
    """Whether the token is found in the text as it stands, and takes nothing around it."""
    takes_more = token.get("lstrip") or token.get("rstrip") or token.get("single_word")
    return not takes_more and (has_no_normalizer or not token.get("normalized"))


def _checked_cuts(tokenizer: JsonTokenizer, data: dict[str, Any]) -> Cuts | None:
    """Return the certain cuts of a known split pattern, if they hold on a sample; None for any other vocabulary."""
    cuts = CUTS_BY_PATTERNS.get(_split_patterns(data.get("pre_tokenizer")))
    if cuts is None or any(step.get("type") != "NFC" for step in _normalizers(data)):
        return None
    places = [at for at in range(1, len(_SAMPLE)) if cuts.is_cut(_SAMPLE, at)]
    joined = b"".join(tokenizer.encode(_SAMPLE[a:b]) for a, b in pairwise([0, *places, len(_SAMPLE)]))
    return cuts if joined == tokenizer.encode(_SAMPLE) else None


def _normalizers(data: dict[str, Any]) -> list[dict[str, Any]]:
    step = data.get("normalizer")
    if not step:
        return []
    return list(step["normalizers"]) if step.get("type") == "Sequence" else [step]


def _split_patterns(pre_tokenizer: dict[str, Any] | None) -> tuple[str, ...]:
    """Return the patterns of a pre-tokenizer that splits by them and then maps bytes; empty for any other."""
    steps = (pre_tokenizer or {}).get("pretokenizers") or []
    *splits, last = steps or [{}]
    is_bytes = last.get("type") == "ByteLevel" and not last.get("use_regex", True) and not last.get("add_prefix_space", True)
    if not is_bytes or not all(_is_split(step) for step in splits):
        return ()
    # Some files spell a line break as itself.
    return tuple(step["pattern"]["Regex"].replace("\r", r"\r").replace("\n", r"\n") for step in splits)


def _is_split(step: dict[str, Any]) -> bool:
    # Dropping what does not match keeps the matches: the same, for a pattern that matches all text.
    keeps_matches = (step.get("behavior"), step.get("invert")) in (("Isolated", False), ("Removed", True))
    return step.get("type") == "Split" and keeps_matches and "Regex" in step.get("pattern", {})
