"""Find what a program leaves to chance: an order, a form or an address that differs between processes or machines."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.prompt import Chance, Confidence, Evidence, Lifetime, Origin, Prompt, Role, Segment, Span, Taint
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.behind import stakes_of
from radixlint.stake.value_words import shortened, value_fields

_SHUFFLED = frozenset((Chance.SET, Chance.IO))
_NAMELESS = frozenset(("a set", "a generator"))
"""What the evaluator calls what has no name."""


def find_chances(
    prompt: Prompt, chances: AbstractSet[Chance], roles: AbstractSet[Role], min_tokens: int, count: CountTokens
) -> Iterator[Hit]:
    """Yield each place where one of ``chances`` is taken, once, if enough text stands behind it.

    Tools, and calls of tools that are sent back, stand ahead of text that is not seen here; they need none.

    Args:
        prompt: of a program.
        chances: what to look for.
        roles: where; everywhere if empty.
        min_tokens: literal tokens that must stand behind.
        count: text to number of tokens.
    """
    seen: set[Span] = set()
    stakes = stakes_of(prompt, count)
    for index, segment in enumerate(prompt.segments):
        for taint in segment.taints:
            if taint.chance not in chances or taint.span in seen or (roles and segment.role not in roles):
                continue
            # What a set or the end of tasks shuffles is shuffled, in whatever order it came.
            if taint.chance is Chance.MAPPING and any(other.chance in _SHUFFLED for other in segment.taints):
                continue
            stake = stakes.behind(index, Lifetime.CALL, Confidence.HIGH)
            is_ahead = segment.role in (Role.TOOLS, Role.ASSISTANT)
            if not (stake.weighs(min_tokens) or stake.has_history or is_ahead):
                continue
            seen.add(taint.span)
            judged = _judged(segment, taint, prompt)
            fields = {**value_fields(judged, stake), "value": f"`{shortened(_written(taint, prompt))}`"}
            if not stake.tokens and is_ahead:
                fields["behind"] = "all that the request holds behind it"
            related = tuple(
                Related(place, "it comes through here", is_step=True) for place in segment.related if place != taint.span
            )
            has_break = bool(stake.tokens) or not is_ahead
            yield Hit(index, judged, taint.span, stake.tokens, fields, related, is_value=False, has_break=has_break)


def _judged(segment: Segment, taint: Taint, prompt: Prompt) -> Segment:
    """Return the segment as sure as the taint is: however little is known about the value, its order is plain to see."""
    confidence = Confidence.MEDIUM if taint.chance in (Chance.MAPPING, Chance.KEYS, Chance.DEFAULT) else Confidence.HIGH
    # A mapping of Python keeps the order in which it was filled, mostly by one piece of code.
    is_doubted = taint.chance is Chance.MAPPING and segment.role is not Role.TOOLS
    if (
        is_doubted
        or prompt.evidence is Evidence.TEXT
        or (segment.confidence is Confidence.LOW and segment.origin is Origin.LITERAL)
    ):
        confidence = Confidence.LOW
    return replace(segment, confidence=confidence, lifetime=Lifetime.CALL, reason="")


def _written(taint: Taint, prompt: Prompt) -> str:
    """Return what is written at the place of a taint, as far as this file says it."""
    span, source = taint.span, prompt.source
    if taint.text not in _NAMELESS or source is None or span.path != prompt.path or span.line != span.end_line:
        return taint.text
    line = source.text.split("\n")[span.line - 1]
    return line[span.column - 1 : span.end_column - 1] or taint.text
