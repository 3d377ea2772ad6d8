"""A collection is written out in whatever order or form it happens to have, ahead of text that lives longer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.detectors._left_to_chance import find_chances
from radixlint.prompt import Chance, Confidence, Expression, Lifetime, Prompt, Role, Segment
from radixlint.stake import CountTokens
from radixlint.stake.behind import stakes_of
from radixlint.stake.cause_place import CauseKey, cause_of, expression_of, owning_loop, place_of
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import came_through, value_fields

_SORTING: Final = frozenset(
    {"sort", "sorted", "dictsort", "groupby", "length", "count", "first", "last", "min", "max", "sum", "len"}
)

_SETS: Final = frozenset({"set", "frozenset"})
_MODULES: Final = frozenset({"json", "os", "glob"})
"""Names that only hold functions: what is given to ``json.dumps`` decides."""


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets.

    What writes out the collection: ``methods`` are last parts of calls, or filters; ``calls`` are last parts of calls alone;
    ``functions`` are calls on nothing. ``settled_by`` is source text, without blanks, that fixes the order. ``of_constants``
    says that constants alone do not fix it. ``min_tokens`` literal tokens must stand behind. In programs, ``chances`` are
    what is left to chance, in the ``roles`` named, everywhere if there is none.
    """

    min_tokens: int
    methods: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    settled_by: frozenset[str] = frozenset()
    of_constants: bool = False
    chances: frozenset[Chance] = frozenset()
    roles: frozenset[Role] = frozenset()


def concerns(params: Params, traits: Traits) -> bool:
    """Whether the prompt uses what writes out a collection, or a program leaves to chance what is looked for."""
    return not params.chances.isdisjoint(traits.chances) or not all(
        traits.words.isdisjoint(names) for names in (params.methods, params.calls, params.functions)
    )


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each distinct collection at its first place."""
    if prompt.evidence is not None:
        yield from find_chances(prompt, params.chances, params.roles, params.min_tokens, count)
        return
    seen: set[CauseKey] = set()
    stakes = stakes_of(prompt, count)
    for index, segment in enumerate(prompt.segments):
        expression = expression_of(segment)
        if expression is None or not _writes(expression, params) or not _is_shared(segment):
            continue
        cause = cause_of(segment)
        if cause in seen:
            continue
        seen.add(cause)
        stake = stakes.behind(index, Lifetime.CALL, Confidence.HIGH)
        if stake.weighs(params.min_tokens) or stake.has_history:
            fields, related = value_fields(segment, stake), came_through(segment)
            # However little is known about the collection, that it is not sorted is plain to see.
            sure = replace(segment, confidence=Confidence.HIGH, lifetime=Lifetime.CALL)
            yield Hit(index, sure, place_of(segment), stake.tokens, fields, related, is_value=False)


def _writes(expression: Expression, params: Params) -> bool:
    last_parts = {call.rsplit(".", 1)[-1] for call in expression.calls}
    named = last_parts | set(expression.filters)
    if not (params.methods & named or params.calls & last_parts or params.functions & set(expression.calls)):
        return False
    if _SETS & set(expression.calls) and not _SETS & params.functions:
        return False  # What order a set has is another rule's cause.
    written = "".join(expression.text.split())
    is_settled = bool(_SORTING & named) or any(text in written for text in params.settled_by)
    return not is_settled and (params.of_constants or not _MODULES.issuperset(expression.names))


def _is_shared(segment: Segment) -> bool:
    """Whether requests would share the collection if its order held; one that differs anyway is another rule's cause."""
    loop = owning_loop(segment)
    lifetime = loop.lifetime if loop else segment.lifetime
    is_unknown = (loop.confidence if loop else segment.confidence) is Confidence.LOW
    return lifetime > Lifetime.USER or is_unknown
