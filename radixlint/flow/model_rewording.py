"""Functions of libraries that give a text in another dress: what is said in it stays, in the order in which it went in."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Outcome, Site
from radixlint.flow.model_text import rendered
from radixlint.flow.values import Instance, Library, Listed, Mapped, Unknown, Value, Written
from radixlint.prompt import Confidence, Segment

_DRESSES: Final = re.compile(
    r"(?:escape|unescape|clean|strip|trim|dedent|indent|wrap|fill|shorten|format|render|normalize|sanitize|quote|unquote|highlight"
    r"|prettify|beautify|emojize|demojize|unidecode|transliterate|plural|singular|markdownify|tabulate|bullets|numbered"
    r"|markdown|html|html2text|fenced|(?:to|as)_?(?:text|markdown|md|html|xml|str|string|plain|bullets|prompt|table))"
    r"(?:_\w+|[A-Z]\w*)?"
)
_TEXT_LEAST: Final = 40
_DOUBT: Final = "what the call makes of it is not known"


def reworded(site: Site, printed: Callable[..., Written]) -> Outcome | None:
    """Return the text that is given to a call whose name says that it puts text in another form, None for all other calls.

    A format or a name is no such text: it is short. What else is given may stand anywhere in what comes out.
    """
    last = site.name.removesuffix("()").rpartition(".")[2]
    if not _DRESSES.fullmatch(last) or not _is_of_library(site.receiver, last):
        return None
    given = (*site.positional, *(value for _, value in site.named))
    texts = [value for value in given if isinstance(value, Written | Listed | Mapped) and _has_text(value, printed)]
    if not texts:
        return None
    first = texts[0]
    filled = rendered(site, first, printed) if isinstance(first, Written) else first
    if filled != first:
        return Outcome(filled)
    parts: list[Segment] = []
    for value in given:
        if any(value is text for text in texts):
            parts.extend(printed(value).parts)
        elif isinstance(value, Unknown | Written):
            unknown = (part for part in printed(value).parts if part.expression is not None)
            parts.extend(replace(part, confidence=Confidence.LOW, reason=_DOUBT) for part in unknown)
    return Outcome(Written(tuple(parts)))


def _is_of_library(receiver: Value | None, last: str) -> bool:
    """Whether a function of a library is called, or a method of what a library made; a template has its own text."""
    if isinstance(receiver, Unknown):
        return bool(receiver.facts.calls) and not receiver.facts.names and last not in ("format", "render")
    return receiver is None or isinstance(receiver, Library | Instance)


def _has_text(value: Value, printed: Callable[..., Written]) -> bool:
    fixed = "".join(part.text for part in printed(value).parts if part.expression is None)
    return len(fixed) >= _TEXT_LEAST and " " in fixed.strip()
