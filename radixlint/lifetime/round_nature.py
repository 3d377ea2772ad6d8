"""What differs between requests by the form of a program: a number that it counts up, an item of a loop around them."""

from __future__ import annotations

from typing import Final

from radixlint.lifetime.name_table import UNKNOWN, Nature
from radixlint.prompt import COUNTED, Confidence, Expression, Lifetime, Origin

_COUNTER: Final = Nature(Origin.COUNTER, Lifetime.CALL, Confidence.HIGH, "the program counts it up")
_ITEM: Final = Nature(Origin.INPUT, Lifetime.TURN, Confidence.MEDIUM, "each item goes into a request of its own")


def of_round(expression: Expression, named: list[Nature], natures: list[Nature]) -> Nature | None:
    """Return what differs between requests by the program's form: a count, or an item of which no more is known.

    What is read for such an item is another text for each, as long as a release keeps each of them.
    """
    if COUNTED in expression.filters:
        return _COUNTER
    is_unknown = all(nature.origin is Origin.UNKNOWN for nature in named)
    return _ITEM if is_unknown and all(nature.lifetime >= UNKNOWN.lifetime for nature in natures) else None
