"""Which vocabulary a model reads, by its name."""

from __future__ import annotations

import importlib
from typing import Final

from radixlint.late_pattern import late_pattern

DEFAULT_ENCODING: Final = "o200k_base"

# Order matters: "gpt-4o" and "gpt-4.1" must be seen before "gpt-4", a distilled model before the one it learned from.
_FAMILIES: Final = (
    (late_pattern(r"(chatgpt-4o|gpt-4o|gpt-4\.[1-9]|gpt-[5-9]|gpt-oss|o[1-9])(?![a-z])"), "o200k_base"),
    (late_pattern(r"(gpt-4|gpt-3\.5|gpt-35|text-embedding-(3-|ada-002)|davinci-002|babbage-002)"), "cl100k_base"),
    (late_pattern(r"deepseek-r1-distill-llama"), "llama3"),
    (late_pattern(r"deepseek-r1-(distill|0528)-qwen|qwq-|qvq-"), "qwen"),
    (late_pattern(r"deepseek-(chat|reasoner|r1|v3|v4)"), "deepseek"),
    (late_pattern(r"(meta-)?llama-?4(?!\d)"), "llama4"),
    (late_pattern(r"(meta-)?llama-?3(?!\d)"), "llama3"),
    (late_pattern(r"qwen3\.[5-9]"), "qwen3_5"),
    (late_pattern(r"qwen-?[123]?(\.\d)?(?!\d)"), "qwen"),
    (late_pattern(r"(open-)?mistral-nemo|pixtral-12b"), "tekken"),
)


def encoding_for_model(model: str | None) -> tuple[str, bool]:
    """Return the vocabulary of ``model`` and whether that is only assumed (no name, none we know, or not installed).

    Provider prefixes (``openai/gpt-4o``) and fine-tune marks (``ft:gpt-4o-mini:...``) are looked through.

    >>> encoding_for_model("azure/gpt-4-turbo"), encoding_for_model("my-model")
    (('cl100k_base', False), ('o200k_base', True))
    """
    if model:
        bare = model.lower().rsplit("/", 1)[-1].removeprefix("ft:")
        for pattern, encoding in _FAMILIES:
            if pattern.match(bare):
                return (encoding, False) if _is_at_hand(encoding) else (DEFAULT_ENCODING, True)
    return DEFAULT_ENCODING, True


def _is_at_hand(encoding: str) -> bool:
    module = importlib.import_module(f"radixlint.tokenizers.{encoding}")
    file = getattr(module, "FILE", None)
    return file is None or file.find() is not None
