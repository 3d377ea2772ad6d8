"""The split patterns and special tokens that vocabularies of ranks go by, which their files do not hold."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from radixlint.tokenizers._certain_cuts import PLAIN_CUTS, SLASH_CUTS, Cuts

_CONTRACTIONS: Final = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_SPACES: Final = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_LOWER: Final = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_UPPER: Final = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LEAD: Final = r"[^\r\n\p{L}\p{N}]?"


def _plain(letters: str, digits: str, other: str) -> str:
    return rf"{_CONTRACTIONS}|{_LEAD}{letters}+|{digits}| ?{other}+[\r\n]*|{_SPACES}"


def _cased(contractions: str, digits: str) -> str:
    words = f"{_LEAD}{_UPPER}*{_LOWER}+{contractions}|{_LEAD}{_UPPER}+{_LOWER}*{contractions}"
    return rf"{words}|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}"


_OTHER: Final = r"[^\s\p{L}\p{N}]"
LLAMA3_PATTERN: Final = _plain(r"\p{L}", r"\p{N}{1,3}", _OTHER)
QWEN_PATTERN: Final = _plain(r"\p{L}", r"\p{N}", _OTHER)
QWEN35_PATTERN: Final = _plain(r"[\p{L}\p{M}]", r"\p{N}", r"[^\s\p{L}\p{M}\p{N}]")
O200K_PATTERN: Final = _cased(f"{_CONTRACTIONS}?", r"\p{N}{1,3}")
TEKKEN_PATTERN: Final = _cased("", r"\p{N}")
_DEEPSEEK_PATTERNS: Final = (
    r"\p{N}{1,3}",
    "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"""
    rf"|{_SPACES}",
)

CUTS_BY_PATTERNS: Final[dict[tuple[str, ...], Cuts]] = {
    (LLAMA3_PATTERN,): PLAIN_CUTS,
    (QWEN_PATTERN,): PLAIN_CUTS,
    (QWEN35_PATTERN,): PLAIN_CUTS,
    (O200K_PATTERN,): SLASH_CUTS,
    (TEKKEN_PATTERN,): SLASH_CUTS,
    _DEEPSEEK_PATTERNS: PLAIN_CUTS,
}
"""Split patterns, applied one after the other, whose certain cuts are known."""


class RankFamily(Struct, frozen=True):
    """What goes with a file of ``ranks`` ranks: whose it is, the split pattern, special tokens from ``first_special`` on."""

    owner: str
    pattern: str
    specials: tuple[str, ...] = ()
    first_special: int = 0
    normalize: Callable[[str], str] | None = None


def _nfc(text: str) -> str:
    # A lone surrogate passes through.
    return unicodedata.normalize("NFC", text)


_LLAMA3_SPECIALS: Final = (
    "<|begin_of_text|>", "<|end_of_text|>", "<|reserved_special_token_0|>", "<|reserved_special_token_1|>",
    "<|finetune_right_pad_id|>", "<|step_id|>", "<|start_header_id|>", "<|end_header_id|>", "<|eom_id|>", "<|eot_id|>",
    "<|python_tag|>", "<|image|>",
)  # fmt: skip
_LLAMA4_SPECIALS: Final = (
    "<|begin_of_text|>", "<|end_of_text|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|header_start|>",
    "<|header_end|>", "<|eom|>", "<|eot|>", "<|step|>", *(f"<|text_post_train_reserved_special_token_{i}|>" for i in range(6)),
    "<|python_start|>", "<|python_end|>", "<|finetune_right_pad|>",
)  # fmt: skip
_QWEN_MARKS: Final = (
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>",
    "<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>",
    "<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>",
    "<|file_sep|>", "<tool_response>", "</tool_response>", "<think>", "</think>",
)  # fmt: skip

RANK_FAMILIES: Final = {
    100_256: RankFamily("cl100k_base", LLAMA3_PATTERN),
    128_000: RankFamily("Llama 3", LLAMA3_PATTERN, _LLAMA3_SPECIALS, 128_000),
    151_643: RankFamily("Qwen", QWEN_PATTERN, _QWEN_MARKS, 151_643, _nfc),
    199_998: RankFamily("o200k_base", O200K_PATTERN, ("<|endoftext|>",), 199_999),
    200_000: RankFamily("Llama 4", O200K_PATTERN, _LLAMA4_SPECIALS, 200_000),
    248_044: RankFamily("Qwen 3.5", QWEN35_PATTERN, _QWEN_MARKS, 248_044, _nfc),
}
"""By the number of ranks, which is all that such a file says of itself."""
