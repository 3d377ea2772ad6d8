"""The words that detectors hand to a rule's message: what varies, how often, and what stands behind it."""

from __future__ import annotations

from typing import Final

from radixlint.detectors._place import expression_of, owning_loop
from radixlint.detectors._stake import Stake
from radixlint.prompt import Confidence, Lifetime, Segment
from radixlint.result.finding import Related

_MAX_EXPRESSION: Final = 48
_CHANGES: Final = {
    Lifetime.CALL: "changes on every call",
    Lifetime.TURN: "changes with every turn",
    Lifetime.SESSION: "differs for each conversation",
    Lifetime.USER: "differs for each user",
    Lifetime.TENANT: "differs for each tenant",
    Lifetime.DAY: "changes once a day",
    Lifetime.RELEASE: "changes with a release",
    Lifetime.STATIC: "never changes",
}
_AGAIN: Final = {
    Lifetime.CALL: "on every call",
    Lifetime.TURN: "on every turn",
    Lifetime.SESSION: "for each conversation",
    Lifetime.USER: "for each user",
    Lifetime.TENANT: "for each tenant",
    Lifetime.DAY: "once a day",
    Lifetime.RELEASE: "after each release",
    Lifetime.STATIC: "never",
}


def value_fields(segment: Segment, stake: Stake) -> dict[str, str]:
    """Return the fields ``value changes again tokens behind`` of a value that stands ahead of ``stake``."""
    return {
        "value": value_name(segment),
        "changes": _changes(segment),
        "again": _AGAIN[segment.lifetime],
        "tokens": f"{stake.tokens:,}",
        "behind": behind_words(stake),
    }


def _changes(segment: Segment) -> str:
    words = _CHANGES[segment.lifetime]
    if segment.confidence is not Confidence.LOW:
        return words
    return words.replace("changes", "may change", 1).replace("differs", "may differ", 1)


def value_name(segment: Segment) -> str:
    """Return what varies, quoted and shortened, for example ``loop over `docs```."""
    expression = expression_of(segment)
    if expression is None:
        return f"`{shortened(segment.text)}`"
    lead = "the loop over " if owning_loop(segment) else ""
    return f"{lead}`{shortened(expression.text)}`"


def shortened(text: str) -> str:
    """Return ``text`` on one line of at most 48 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _MAX_EXPRESSION else line[: _MAX_EXPRESSION - 1] + "…"


def behind_words(stake: Stake) -> str:
    """Return what is lost, in words."""
    text = "1 token of fixed text" if stake.tokens == 1 else f"{stake.tokens:,} tokens of fixed text"
    if not stake.has_history:
        return text
    return f"{text} and the conversation history" if stake.tokens else "the conversation history"


def came_through(segment: Segment) -> tuple[Related, ...]:
    """Return the places a value came through on its way into the prompt."""
    return tuple(Related(span, "the value comes through here") for span in segment.related)
