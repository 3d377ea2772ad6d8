"""Whether a logger cut texts: explicit marks, dots in the middle or at one length, or many texts of one round length."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from radixlint.traffic import Message

_LOWER_BOUNDS: Final = "rates are lower bounds"
# A mark says that something was left out; it stands at the very end, so a text about cutting is none.
_MARK: Final = re.compile(
    r"(?:[\[(<{][^\[\](){}<>\n]{0,40}\b(?:truncated|more (?:chars|characters|bytes|tokens|words))\b[^\[\](){}<>\n]{0,40}[\])>}]"
    r"|(?:\.\.\.|…)\s?\[?truncated\]?|(?:\.\.\.|…)\s?\[?\+ ?\d+ (?:chars|characters|bytes|tokens|more)\]?"
    r"|\[(?:cut|snip|\.\.\.|…)\])\s*\Z",
    re.IGNORECASE,
)
_MARK_CHARACTERS: Final = 120
_CLOSING: Final = ("]", ")", "}", ">")
# LiteLLM's, between what it kept of a text's start and end.
_INNER_MARK: Final = re.compile(r"\.\.\. ?\(litellm_truncated\b[^()\n]{0,200}\)")
# Others tell how much they left out between the two.
_UNITS: Final = r"(?:chars?|characters|bytes|tokens|words|lines)\b"
_LEFT_OUT: Final = r"\b(?:truncated|omitted)\b"
_AMOUNT_MARK: Final = re.compile(
    rf"[\[(<{{][^\[\](){{}}<>\n]{{0,20}}?(?:{_LEFT_OUT}[^\[\](){{}}<>\n\d]{{0,20}}\d[\d,. ]{{0,20}}{_UNITS}"
    rf"|\d[\d,. ]{{0,20}}(?:more )?{_UNITS}[^\[\](){{}}<>\n]{{0,20}}{_LEFT_OUT})[^\[\](){{}}<>\n]{{0,20}}[\])>}}]",
    re.IGNORECASE,
)
# What a word has in common in two ways of writing it is looked for first: most texts have none of these.
_AMOUNT_WORDS: Final = (
    ("runcated", ("truncated", "Truncated")),
    ("TRUNCATED", ("TRUNCATED",)),
    ("mitted", ("omitted", "Omitted")),
    ("OMITTED", ("OMITTED",)),
)
# Loggers cut long texts; a short one with such a mark is a question about marks.
_LEAST_CUT_CHARACTERS: Final = 200
# Applications cut the results of tools themselves, before they send them.
_TOOL_ROLES: Final = ("tool", "function")
# SGLang keeps as much from the start as from the end of what is longer than both, with dots between.
_SGLANG_HALF_CHARACTERS: Final = 1024
_SGLANG_DOTS: Final = ("...", " ... ")
_MOST_DOTS: Final = max(map(len, _SGLANG_DOTS))
_DOTS: Final = ("...", "…")
# Dots end many a sentence of people: they say something only where texts stop at one length, or where long ones do.
_LEAST_CAP_CHARACTERS: Final = 32
_LONG_CHARACTERS: Final = 256
_LEAST_TEXTS: Final = 3
_TEXT_STEPS: Final = (256, 500)
_LEAST_LONG_SHARE: Final = 0.1
# A whole prompt ends with the opening of the answer, so those of one round length (vLLM's --max-log-len) were cut.
_LEAST_CUT_PROMPT_CHARACTERS: Final = 50
_PROMPT_STEPS: Final = (50, 64)


def tell_cut_text(messages: Iterable[Message], prompts: set[str]) -> str | None:
    """Return a sentence if texts of ``messages``, or rendered ``prompts``, look cut, by the surest sign there is."""
    by_role: dict[str, set[str]] = {}
    for message in messages:
        by_role.setdefault(message.role, set()).add(message.text)
    texts = prompts.union(*by_role.values())
    if count := sum(map(_has_mark, texts)):
        return _sentence(count, "ends with a mark", "end with a mark")
    sent = [prompts, *(group for role, group in by_role.items() if role not in _TOOL_ROLES)]
    if count := sum(_is_cut_inside(text) or (_has_amount(text) and any(text in group for group in sent)) for text in texts):
        return _sentence(count, "has a mark inside", "have a mark inside")
    if count := max((_dotted(group) for group in (*by_role.values(), prompts)), default=0):
        return _sentence(count, "ends with dots", "end with dots")
    return _one_length(prompts, _LEAST_CUT_PROMPT_CHARACTERS, _PROMPT_STEPS) or _one_length(texts, _LONG_CHARACTERS, _TEXT_STEPS)


def _sentence(count: int, one: str, several: str) -> str:
    texts = f"text {one}" if count == 1 else f"different texts {several}"
    return f"{count} {texts} as if cut: {_LOWER_BOUNDS}, and token counts too low."


def _has_mark(text: str) -> bool:
    tail = text[-_MARK_CHARACTERS:]
    # Searching is slow, and every mark has one of these.
    may_have = tail.rstrip()[-1:] in _CLOSING or "..." in tail or "…" in tail
    return may_have and _MARK.search(tail) is not None


def _is_cut_inside(text: str) -> bool:
    half = _SGLANG_HALF_CHARACTERS
    if len(text) <= 2 * half + _MOST_DOTS and text[half : len(text) - half] in _SGLANG_DOTS:
        return True
    return "litellm_truncated" in text and _INNER_MARK.search(text) is not None


def _has_amount(text: str) -> bool:
    if len(text) < _LEAST_CUT_CHARACTERS:
        return False
    for common, words in _AMOUNT_WORDS:
        if common in text and any(word in text for word in words):
            return _AMOUNT_MARK.search(text) is not None
    return False


def _dotted(texts: Collection[str]) -> int:
    """Return how many ``texts`` of one role end in dots because they were cut, 0 if that is not likely."""
    dotted = [text for text in texts if text.endswith(_DOTS)]
    if not dotted:
        return 0
    longest = max(map(len, texts))
    capped = sum(len(text) == longest for text in dotted)
    if capped >= _LEAST_TEXTS and longest >= _LEAST_CAP_CHARACTERS:
        return len(dotted)
    long = sum(len(text) >= _LONG_CHARACTERS for text in texts)
    long_dotted = sum(len(text) >= _LONG_CHARACTERS for text in dotted)
    return long_dotted if long_dotted >= max(_LEAST_TEXTS, _LEAST_LONG_SHARE * long) else 0


def _one_length(texts: Collection[str], least_characters: int, steps: Sequence[int]) -> str | None:
    """Return a sentence if several ``texts`` have the length of the longest one, and it is a round one."""
    longest = max(map(len, texts), default=0)
    if longest < least_characters or all(longest % step for step in steps):
        return None
    longest_texts = sum(len(text) == longest for text in texts)
    if longest_texts < _LEAST_TEXTS:
        return None
    return (
        f"{longest_texts} different texts have exactly {longest} characters and none is longer: text looks cut, {_LOWER_BOUNDS}."
    )
