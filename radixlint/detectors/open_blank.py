"""A prompt that the model continues ends in a blank, which the reply's first word takes into its token."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.prompt import Prompt, Role
from radixlint.stake import CountTokens
from radixlint.stake.ahead import fixed_tokens
from radixlint.stake.cause_place import span_at

_OPEN: Final = (Role.TEXT, Role.ASSISTANT)
# In text without roles only a label at the end says that the reply goes on from there.
_OPENERS: Final = (":", ">")
_JINJA: Final = "jinja"


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the literal tokens that the prompt must have."""

    min_tokens: int


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the last word ahead of the blank; a message of another role is closed by the chat template."""
    last = prompt.segments[-1] if prompt.segments else None
    if last is None or not last.is_literal or last.role not in _OPEN or last.controls:
        return
    # Jinja drops one line break at the end of a template.
    text = last.text.removesuffix("\n") if _JINJA in prompt.dialect else last.text
    kept = text.rstrip(" \t")
    is_opened = last.role is Role.ASSISTANT or kept.endswith(_OPENERS)
    if not kept.strip() or kept == text or not is_opened:
        return
    index = len(prompt.segments) - 1
    if fixed_tokens(prompt, index + 1, count) >= params.min_tokens:
        line = kept[kept.rfind("\n") + 1 :].strip()
        yield Hit(index, replace(last, text=line), span_at(last, len(kept)), 0, {"text": line}, is_value=False)
