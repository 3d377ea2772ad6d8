"""Tell which items of a list a comparison or a cut by number chooses: those that are counted from its growing end."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from radixlint.prompt import Cut
from radixlint.sources._jinja_values import Facts

_FROM_END: Final = frozenset(("loop.revindex", "loop.revindex0", "loop.rindex", "loop.rindex0"))
_FROM_START: Final = frozenset(("loop.index", "loop.index0", "loop.key"))
_SIZES: Final = frozenset(("length", "size", "count"))
_FLIPPED: Final = {"lt": "gt", "lteq": "gteq", "gt": "lt", "gteq": "lteq"}
_OPPOSITE: Final = {
    Cut.NEWEST: Cut.OLDER,
    Cut.OLDER: Cut.NEWEST,
    Cut.HEAD: Cut.BEHIND,
    Cut.BEHIND: Cut.HEAD,
}


def marked(facts: Facts, *cuts: Cut | None) -> Facts:
    """Return ``facts`` with ``cuts`` among the filters."""
    new = tuple([cut for cut in cuts if cut is not None and cut not in facts.filters])
    return Facts(facts.names, facts.calls, (*facts.filters, *new), facts.constants, facts.places) if new else facts


def without(facts: Facts, cuts: Collection[str]) -> Facts:
    """Return ``facts`` less ``cuts``."""
    kept = tuple([name for name in facts.filters if name not in cuts])
    same = len(kept) == len(facts.filters)
    return facts if same else Facts(facts.names, facts.calls, kept, facts.constants, facts.places)


def negated(facts: Facts) -> Facts:
    """Return the facts of a test that holds where the one of ``facts`` does not."""
    if _OPPOSITE.keys().isdisjoint(facts.filters):
        return facts
    filters = tuple([_OPPOSITE[Cut(name)] if name in _OPPOSITE else name for name in facts.filters])
    return Facts(facts.names, facts.calls, filters, facts.constants, facts.places)


def undecided(facts: Facts) -> Facts:
    """Return the facts of a test that one of several decides: none of them alone says which items it chooses."""
    return without(facts, _OPPOSITE)


def turned(facts: Facts) -> Facts:
    """Return the facts of a list in reverse; of one that was in reverse they say nothing of it any more."""
    return without(facts, (Cut.REVERSED,)) if Cut.REVERSED in facts.filters else marked(facts, Cut.REVERSED)


def is_size(facts: Facts) -> bool:
    """Whether facts hold the size of a list."""
    if "length" in facts.filters or "count" in facts.filters:
        return True
    is_call = any(call.rpartition(".")[2] == "len" for call in facts.calls)
    return is_call or any(name.rpartition(".")[2] in _SIZES for name in facts.names)


def less(size: Facts, by: Facts, number: float | None) -> Cut | None:
    """Return the mark of ``size`` minus ``by``; ``number`` is what is subtracted where that is written, else it has a name."""
    if not is_size(size) or is_size(by) or Cut.STEPPED in (*size.filters, *by.filters):
        return None
    is_enough = number > 1 if number is not None else not _is_place(by)
    return Cut.FROM_END if is_enough else None


def compared(operator: str, left: tuple[Facts, float | None], right: tuple[Facts, float | None]) -> Cut | None:
    """Return which items of a loop pass a comparison, None if it does not count from the end or from the start.

    Args:
        operator: ``lt lteq gt gteq``, others choose no run of items.
        left: the facts of one side, and its number if it is one.
        right: the same of the other side.
    """
    if operator not in _FLIPPED:
        return None
    if not _is_place(left[0]):
        operator, left, right = _FLIPPED[operator], right, left
    (place, _), (bound, number) = left, right
    if not _is_place(place) or _is_place(bound) or Cut.STEPPED in (*place.filters, *bound.filters):
        return None
    is_low = operator in ("lt", "lteq")
    if not _FROM_END.isdisjoint(place.names) or is_size(place):
        # A number of items that only the newest one passes asks for the current turn.
        is_many = not is_size(bound) and (number is None or _passing(operator, place, number) > 1)
        return (Cut.NEWEST if is_low else Cut.OLDER) if is_many else None
    if Cut.FROM_END in bound.filters:
        return Cut.OLDER if is_low else Cut.NEWEST
    if is_size(bound) or (number is not None and number <= 1):
        return None
    return Cut.HEAD if is_low else Cut.BEHIND


def _is_place(facts: Facts) -> bool:
    return not (_FROM_END | _FROM_START).isdisjoint(facts.names)


def _passing(operator: str, place: Facts, number: float) -> float:
    """Return how many items at the end ``operator`` and ``number`` set apart."""
    is_from_zero = "loop.revindex0" in place.names or "loop.rindex0" in place.names
    return number + (1 if is_from_zero else 0) - (0 if operator in ("lteq", "gt") else 1)


def taken(base: Facts, start: tuple[Facts, float | None] | None, stop: tuple[Facts, float | None] | None) -> Cut | None:
    """Return what a slice of ``base`` takes; an end that is None is not written."""
    first, number = start or (Facts(), 0)
    last, end = stop or (Facts(), None)
    if Cut.STEPPED in (*first.filters, *last.filters):
        return None
    if Cut.REVERSED in base.filters:
        return Cut.NEWEST if number == 0 and stop is not None and (end is None or end > 1) else None
    if Cut.FROM_END in first.filters:
        return Cut.NEWEST
    if number is not None and number < -1 and (end is None or end >= 0 or end - number > 1):
        return Cut.NEWEST
    return None
