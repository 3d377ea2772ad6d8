"""Semantic Kernel prompts (``skprompt.txt``): ``{{$x}}``, ``{{plugin.function $x}}`` and ``<message role="...">``."""

from __future__ import annotations

from radixlint.late_pattern import late_pattern
from radixlint.passage import whole
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead

NAME = "semantic-kernel"
SUFFIXES = frozenset((".txt", ".skprompt"))
RANK = 30

_VARIABLE = late_pattern(r"\{\{-?\s*\$\w")


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the text as one prompt; None for a text without ``{{$variable}}`` that is not named ``skprompt.txt``."""
    path = source.path.replace("\\", "/")
    name = path.rsplit("/", 1)[-1]
    is_named = name.lower().endswith("skprompt.txt") or name.lower().endswith(".skprompt")
    if not is_named and not _VARIABLE.search(source.text):
        return None
    from radixlint.sources._kernel_text import read_kernel

    return SourceRead(NAME, (Prompt(source.path, name, NAME, tuple(read_kernel(whole(source)))),))
