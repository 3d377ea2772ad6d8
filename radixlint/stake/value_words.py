"""The words that detectors hand to a rule's message: what varies, how often, and what stands behind it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from radixlint.plural import counted
from radixlint.prompt import Confidence, Lifetime, Origin, Segment
from radixlint.result.finding import Related
from radixlint.stake.behind import Stake
from radixlint.stake.cause_place import expression_of, owning_loop

_MAX_EXPRESSION: Final = 48
_NAMED_VALUES: Final = 2
_FEW_TOKENS: Final = 16
_MARKS: Final = {
    Lifetime.CALL: "differs on every call",
    Lifetime.TURN: "differs with every input",
    Lifetime.SESSION: "differs between sessions",
    Lifetime.USER: "differs between users",
    Lifetime.TENANT: "differs between tenants",
    Lifetime.DAY: "differs every day",
    Lifetime.RELEASE: "differs with every release",
    Lifetime.STATIC: "",
}
CHANGES: Final = {
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
_KEPT: Final = {
    "process": (
        "is drawn once a process (anew in each worker and after each restart)",
        "in each process",
        "differs between processes",
    ),
    "object": ("is drawn once for each object that keeps it", "for each object", "differs between objects"),
}
"""What changes, is computed again and differs where a value is drawn once and kept."""


def value_fields(segment: Segment, stake: Stake) -> dict[str, str]:
    """Return the fields ``value changes again tokens behind`` of a value that stands ahead of ``stake``."""
    return {
        "value": value_name(segment),
        "changes": _changes(segment),
        "again": _KEPT[segment.kept][1] if segment.kept else _AGAIN[segment.lifetime],
        "tokens": f"{stake.tokens:,}",
        "behind": behind_words(stake),
    }


def _changes(segment: Segment) -> str:
    words = _KEPT[segment.kept][0] if segment.kept else CHANGES[segment.lifetime]
    if segment.confidence is not Confidence.LOW:
        return words
    return words.replace("changes", "may change", 1).replace("differs", "may differ", 1)


def value_name(segment: Segment) -> str:
    """Return what varies, quoted and shortened, for example ``loop over `docs```."""
    expression = expression_of(segment)
    if expression is None:
        return f"`{shortened(segment.text)}`"
    lead = "the loop over " if owning_loop(segment) else ""
    # What several branches of a program give has no text of its own.
    text = expression.text or next(iter((*expression.names, *expression.calls)), "")
    return f"{lead}`{shortened(text)}`"


def shortened(text: str) -> str:
    """Return ``text`` on one line of at most 48 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _MAX_EXPRESSION else line[: _MAX_EXPRESSION - 1] + "…"


def behind_words(stake: Stake) -> str:
    """Return what is lost, in words, for example "90 tokens of fixed text and `rules` (changes with a release)"."""
    values = _values_in_words(stake.values)
    history = ["the conversation history"] if stake.has_history else []
    # Line breaks and labels around a long value are no fixed text worth a word.
    is_named = stake.tokens >= _FEW_TOKENS or not (values or history)
    text = f"{counted(stake.tokens, 'token')} of fixed text"
    *first, last = [*([text] if is_named else []), *values, *history]
    return f"{', '.join(first)} and {last}" if first else last


def _values_in_words(values: Sequence[Segment]) -> list[str]:
    """Return the first values, those of one lifetime together."""
    found: list[str] = []
    for life, members in groupby(values[:_NAMED_VALUES], lambda value: value.lifetime):
        names = [value_name(value) for value in members]
        change = (
            CHANGES[life] if len(names) == 1 else CHANGES[life].replace("changes", "change", 1).replace("differs", "differ", 1)
        )
        found.append(f"{' and '.join(names)} ({change})")
    return [*found, "more such values"] if len(values) > _NAMED_VALUES else found


def mark_words(segment: Segment) -> str:
    """Return what to write beside the mark of the place, for example ``differs on every call``."""
    if segment.origin is Origin.HISTORY:
        return "grows with every turn"
    words = _KEPT[segment.kept][2] if segment.kept else _MARKS[segment.lifetime]
    is_guess = segment.origin is Origin.UNKNOWN and segment.confidence is not Confidence.HIGH
    return words.replace("differs", "may differ", 1) if is_guess else words


def came_through(segment: Segment) -> tuple[Related, ...]:
    """Return the places a value came through on its way into the prompt."""
    return tuple(Related(span, "the value comes through here", is_step=True) for span in segment.related)
