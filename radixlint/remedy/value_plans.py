"""A value or a block that changes in front of what does not: move it behind, or let it change less often."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from radixlint.explain.clock_values import date_only
from radixlint.pieces import PROMPT_ROLE, TOOL_ROLE
from radixlint.remedy.plan import Plan, Subject
from radixlint.rewrites import Span, Target, kept, kept_in_newest, moved, replaced

_LONGEST_LINE: Final = 200
_OWN_END: Final = "what stands behind it in its message is saved, the turns behind that are not"
_IN_FRONT: Final = "the newest question then stands behind the value: asked again (a retry, another user), it is computed again"
_OLDER: Final = "the model no longer sees the values of older turns, and each request breaks at the turn before its newest"


def value_plans(subject: Subject) -> list[Plan]:
    """Return where a changing value may go: behind the newest turn, and the half fixes beside that."""
    spans = _line_spans(subject)
    if not spans:
        return []

    def plan(identity: str, title: str, target: Target, freshness: str = "", *, is_half: bool = True) -> Plan:
        return Plan(identity, title, lambda: moved(subject.requests, spans, subject.chains, target), freshness, is_half=is_half)

    return [
        plan("newest-end", "Move it to the end of the newest user turn and leave it there", Target.NEWEST_END, is_half=False),
        plan("system-end", "Move it to the end of its own message", Target.SYSTEM_END, _OWN_END),
        plan("newest-start", "Move it to the start of the newest user turn and leave it there", Target.NEWEST_START, _IN_FRONT),
        plan("newest-only", "Send it with the newest user turn only", Target.DROPPED_FROM_OLDER, _OLDER),
    ]


def clock_plans(subject: Subject) -> list[Plan]:
    """Return the plan that leaves the time of day out and the date where it is, if there is one."""
    spans: dict[int, Span] = {}
    texts: dict[int, str] = {}
    for position, span, text, _, _ in _values(subject):
        day = date_only(text)
        if day is not None and day != text:
            spans[position], texts[position] = span, day
    if not texts:
        return []
    title = "Leave the time of day out, keep the date where it is"
    freshness = "the model knows the day but not the time; one cold prompt a day"
    return [Plan("date-only", title, lambda: replaced(subject.requests, spans, texts), freshness)]


def block_plans(subject: Subject) -> list[Plan]:
    """Return where a retrieved or injected block may go: in front of the question it was fetched for, and stay there."""
    spans = _value_spans(subject)
    if not spans:
        return []
    requests, chains = subject.requests, subject.chains
    return [
        Plan(
            "kept-with-turn",
            "Send it in front of the question it was fetched for, and leave it there in later requests",
            lambda: kept(requests, spans, chains),
            "prompts grow by the blocks of older turns",
        ),
        Plan(
            "newest-only",
            "Send it with the newest question only",
            lambda: kept_in_newest(requests, spans, chains),
            "the model no longer sees the blocks of older turns, and each request breaks at the turn before its newest",
            is_half=True,
        ),
    ]


def _line_spans(subject: Subject) -> dict[int, Span]:
    """Return the spans of whole lines where these are short, else of the values alone."""
    found: dict[int, Span] = {}
    for position, span, text, start, line in _values(subject):
        is_long = len(line) > max(_LONGEST_LINE, 2 * len(text))
        found[position] = span if is_long else Span(span.message, start, start + len(line))
    return found


def _value_spans(subject: Subject) -> dict[int, Span]:
    return {position: span for position, span, *_ in _values(subject)}


def _values(subject: Subject) -> Iterator[tuple[int, Span, str, int, str]]:
    """Yield position, span, text, and start and text of its line, of each value of the case that stands in a message."""
    for place in subject.case.places:
        values = subject.places[place]
        spans = zip(values.positions, values.starts, values.ends, values.texts, strict=True)
        for (position, start, end, text), line_start, line in zip(spans, values.found.starts, values.found.lines, strict=True):
            roles = [subject.book.role(number) for number in subject.book.numbers(position)[: place.item + 1]]
            if roles[-1] not in (TOOL_ROLE, PROMPT_ROLE) and start < end:
                yield position, Span(sum(role != TOOL_ROLE for role in roles[:-1]), start, end), text, line_start, line
