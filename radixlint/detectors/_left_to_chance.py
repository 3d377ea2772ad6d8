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


def find_chances(
    prompt: Prompt, chances: AbstractSet[Chance], roles: AbstractSet[Role], min_tokens: int, count: CountTokens
) -> Iterator[Hit]:
    """Yield each place where one of ``chances`` is taken, once, if enough text stands behind it.

    Tools and messages that are made in one place and sent from another stand ahead of text that is not seen here; they need none.

    Args:
        prompt: of a program.
        chances: what to look for.
        roles: where; everywhere if empty.
        min_tokens: literal tokens that must stand behind.
        count: text to number of tokens.
    """
    seen: set[Span] = set()
    stakes = stakes_of(prompt, count)
    is_fragment = prompt.evidence in (Evidence.MESSAGES, Evidence.NAME)
    for index, segment in enumerate(prompt.segments):
        for taint in segment.taints:
            if taint.chance not in chances or taint.span in seen or (roles and segment.role not in roles):
                continue
            stake = stakes.behind(index, Lifetime.CALL, Confidence.HIGH)
            is_ahead = is_fragment and segment.role in (Role.TOOLS, Role.ASSISTANT, Role.TOOL)
            if not (stake.weighs(min_tokens) or stake.has_history or is_ahead or segment.role is Role.TOOLS):
                continue
            seen.add(taint.span)
            judged = _judged(segment, taint)
            fields = {**value_fields(judged, stake), "value": f"`{shortened(taint.text)}`"}
            if not stake.tokens and is_ahead:
                fields["behind"] = "all that the request holds behind it"
            related = tuple(Related(place, "it comes through here") for place in segment.related if place != taint.span)
            yield Hit(index, judged, taint.span, stake.tokens, fields, related, is_value=False)


def _judged(segment: Segment, taint: Taint) -> Segment:
    """Return the segment as sure as the taint is: however little is known about the value, its order is plain to see."""
    confidence = Confidence.MEDIUM if taint.chance in (Chance.MAPPING, Chance.KEYS, Chance.DEFAULT) else Confidence.HIGH
    is_doubted = segment.confidence is Confidence.LOW and segment.origin is Origin.LITERAL
    return replace(segment, confidence=Confidence.LOW if is_doubted else confidence, lifetime=Lifetime.CALL)
