"""Which vocabulary a model reads, by its name."""

from __future__ import annotations

import re
from typing import Final

DEFAULT_ENCODING: Final = "o200k_base"

# Order matters: "gpt-4o" and "gpt-4.1" must be seen before "gpt-4".
_FAMILIES: Final = (
    (re.compile(r"(chatgpt-4o|gpt-4o|gpt-4\.[1-9]|gpt-[5-9]|gpt-oss|o[1-9])(?![a-z])"), "o200k_base"),
    (re.compile(r"(gpt-4|gpt-3\.5|gpt-35|text-embedding-(3-|ada-002)|davinci-002|babbage-002)"), "cl100k_base"),
)


def encoding_for_model(model: str | None) -> tuple[str, bool]:
    """Return the vocabulary of ``model`` and whether that is only assumed (no name, or none we know).

    Provider prefixes (``openai/gpt-4o``) and fine-tune marks (``ft:gpt-4o-mini:...``) are looked through.

    >>> encoding_for_model("azure/gpt-4-turbo"), encoding_for_model("my-llama")
    (('cl100k_base', False), ('o200k_base', True))
    """
    if model:
        bare = model.lower().rsplit("/", 1)[-1].removeprefix("ft:")
        for pattern, encoding in _FAMILIES:
            if pattern.match(bare):
                return encoding, False
    return DEFAULT_ENCODING, True
