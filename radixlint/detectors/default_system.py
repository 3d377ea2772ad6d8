"""A chat template brings a system text of its own where the request has none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Control, ControlKind, Origin, Prompt, Segment
from radixlint.stake import CountTokens
from radixlint.stake.value_words import shortened

_ASKS_FOR_SYSTEM: Final = late_pattern(r"system", re.IGNORECASE)
_DENIES: Final = late_pattern(
    r"!=\s*['\"]system|['\"]system['\"]\s+not\s+in\b|\bnot\b[^'\"]*(?:['\"]role['\"]\]\s*|\.role\s*)==\s*['\"]system"
    r"|\bnot\s+\w*system\w*(?!\w*\s+is\s+(?:none|undefined))|system\w*\s+is\s+(?:none|undefined|not\s+defined)\b"
    r"|system\w*\s*==\s*(?:false|none|''|\"\")",
    re.IGNORECASE,
)
_WORD: Final = late_pattern(r"[^\W\d_]{2,}")


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: how many words a text must have; fewer are marks such as the name of the role."""

    min_words: int


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the first text in a branch for requests without a system message."""
    for index, segment in enumerate(prompt.segments):
        if not segment.is_literal or len(_WORD.findall(segment.text)) < params.min_words or _is_for_tools(segment):
            continue
        test = next((c for c in segment.controls if _is_for_none(c, prompt)), None)
        if test is not None:
            tokens = count(segment.text)
            fields = {"text": shortened(segment.text), "tokens": f"{tokens:,}", "test": shortened(test.expression.text)}
            yield Hit(index, segment, segment.span, tokens, fields, is_value=False)
            return


def _is_for_none(control: Control, prompt: Prompt) -> bool:
    """Whether this branch is for requests without a system message: it prints no message, another may print one."""
    if control.kind is not ControlKind.CONDITION or _prints_message(control, prompt):
        return False
    if control.branch == 0:
        return _asks_for_none(control.expression.text)
    tests = {c.branch: c for s in prompt.segments for c in s.controls if c.node == control.node and c.branch < control.branch}
    # An ``else`` repeats the first test's text.
    is_else = 0 not in tests or tests[0].expression.text == control.expression.text
    texts = [control.expression.text, *(c.expression.text for c in tests.values())]
    if is_else:
        return any(_ASKS_FOR_SYSTEM.search(text) and not _asks_for_none(text) for text in texts)
    return _asks_for_none(control.expression.text)


def _asks_for_none(text: str) -> bool:
    return bool(_ASKS_FOR_SYSTEM.search(text) and _DENIES.search(text))


def _prints_message(control: Control, prompt: Prompt) -> bool:
    return any(s.origin is Origin.HISTORY and not s.is_literal and control in s.controls for s in prompt.segments)


def _is_for_tools(segment: Segment) -> bool:
    return any(c.origin is Origin.TOOLS for c in segment.controls)
