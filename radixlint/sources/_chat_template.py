"""Tell the template of a model, which lays out any messages for it, from other templates; and place its lines."""

from __future__ import annotations

import re

from radixlint.late_pattern import late_pattern
from radixlint.passage import Passage
from radixlint.prompt import ChatTemplate

_LOOP = late_pattern(r"\{%-?\s*for\s+(?:\w+\s*,\s*)?(?P<item>\w+)\s+in\s+(?:loop_)?messages\b")
_ALIAS = late_pattern(r"\{%-?\s*set\s+(?P<name>\w+)\s*=\s*messages\b")
# Only the code that renders a model's template gives these; the model's signs themselves stand in prompts too.
_GIVEN = late_pattern(r"\b(?:bos_token|eos_token|add_generation_prompt|raise_exception|strftime_now)\b")


def is_chat_template(text: str) -> bool:
    """Whether ``text`` loops over ``messages``, looks at the role of each, and uses what only a tokenizer gives."""
    if not _GIVEN.search(text):
        return False
    items = {match["item"] for match in _LOOP.finditer(text)}
    for alias in _ALIAS.finditer(text):
        looped = re.compile(rf"\{{%-?\s*for\s+(\w+)\s+in\s+{alias['name']}\b")
        items.update(match[1] for match in looped.finditer(text))
    return any(re.search(rf"\b{item}(?:\.role\b|\[\s*['\"]role['\"]\s*\])", text) for item in items)


def chat_template_of(passage: Passage, variables: tuple[tuple[str, str], ...] = ()) -> ChatTemplate:
    """Return the template with the place of each of its lines, and the strings that its file gives it."""
    starts = [0, *(match.end() for match in re.finditer("\n", passage.text))]
    return ChatTemplate(passage.text, tuple(passage.place(start) for start in starts), variables)
