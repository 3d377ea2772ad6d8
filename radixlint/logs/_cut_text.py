"""Whether a logger cut texts: explicit marks, dots at one length, or many texts of one round length."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from radixlint.traffic import Request

_LOWER_BOUNDS: Final = "rates are lower bounds"
# A mark says that something was left out; it stands at the very end, so a text about cutting is none.
_MARK: Final = re.compile(
    r"(?:[\[(<{][^\[\](){}<>\n]{0,40}\b(?:truncated|more (?:chars|characters|bytes|tokens|words))\b[^\[\](){}<>\n]{0,40}[\])>}]"
    r"|(?:\.\.\.|…)\s?\[?truncated\]?|(?:\.\.\.|…)\s?\[?\+ ?\d+ (?:chars|characters|bytes|tokens|more)\]?"
    r"|\[(?:cut|snip|\.\.\.|…)\])\s*\Z",
    re.IGNORECASE,
)
_MARK_CHARACTERS: Final = 120
_DOTS: Final = ("...", "…")
# Dots end many a sentence of people: they say something only where texts stop at one length, or where long ones do.
_LEAST_CAP_CHARACTERS: Final = 32
_LONG_CHARACTERS: Final = 256
_LEAST_TEXTS: Final = 3
_LEAST_LONG_SHARE: Final = 0.1
_SGLANG_CUT_CHARACTERS: Final = 1024 + 3 + 1024


def tell_cut_text(told: Sequence[Request]) -> str | None:
    """Return a sentence if texts of ``told`` look cut, by the surest sign there is."""
    by_role: dict[str, set[str]] = {}
    for request in told:
        for message in request.messages:
            by_role.setdefault(message.role, set()).add(message.text)
    texts = set().union(*by_role.values())
    marked = sum(_MARK.search(text[-_MARK_CHARACTERS:]) is not None for text in texts)
    if marked:
        return _sentence(marked, "a mark")
    dotted = max((_dotted(group) for group in by_role.values()), default=0)
    if dotted:
        return _sentence(dotted, "dots")
    return _one_length(texts)


def _sentence(count: int, ending: str) -> str:
    texts = "text ends" if count == 1 else "different texts end"
    return f"{count} {texts} with {ending} as if cut: {_LOWER_BOUNDS}, and token counts too low."


def _dotted(texts: Collection[str]) -> int:
    """Return how many ``texts`` of one role end in dots because they were cut, 0 if that is not likely."""
    dotted = [text for text in texts if text.endswith(_DOTS)]
    longest = max(map(len, texts), default=0)
    capped = sum(len(text) == longest for text in dotted)
    if capped >= _LEAST_TEXTS and longest >= _LEAST_CAP_CHARACTERS:
        return len(dotted)
    long = sum(len(text) >= _LONG_CHARACTERS for text in texts)
    long_dotted = sum(len(text) >= _LONG_CHARACTERS for text in dotted)
    return long_dotted if long_dotted >= max(_LEAST_TEXTS, _LEAST_LONG_SHARE * long) else 0


def _one_length(texts: Iterable[str]) -> str | None:
    lengths = Counter(len(text) for text in texts if len(text) >= _LONG_CHARACTERS)
    longest = max(lengths, default=0)
    if lengths[longest] < _LEAST_TEXTS or not _is_cap(longest):
        return None
    return (
        f"{lengths[longest]} different texts have exactly {longest} characters and none is longer: "
        f"text looks cut, {_LOWER_BOUNDS}."
    )


def _is_cap(characters: int) -> bool:
    # Loggers cut at round numbers; SGLang keeps as much from the start as from the end, with three dots between.
    return characters % 256 == 0 or characters % 500 == 0 or characters == _SGLANG_CUT_CHARACTERS
