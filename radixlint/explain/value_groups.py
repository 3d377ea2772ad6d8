"""Whose values they are: one for each tenant, user or session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

Owner = tuple[str | None, str | None, str | None]
LEVELS: Final = ("tenant", "user", "session")

_KNOWN_RATE: Final = 0.9
_KEPT_RATE: Final = 0.98
_LEAST_REPEATS: Final = 2
_OWN_RATE: Final = 0.8


class Ownership(Struct, frozen=True):
    """At which of ``LEVELS`` values are constant, over how many ``owners``, and in how many further requests of these.

    ``is_own``: nearly every owner has a value of its own. ``is_crossed``: an owner has several of the next finer level,
    so it is not only that one's value.
    """

    level: str
    owners: int
    repeats: int
    is_own: bool
    is_crossed: bool


def ownership(values: Sequence[str], owners: Sequence[Owner]) -> Ownership | None:
    """Return the coarsest level at which a group keeps its value while groups differ; None if there is none."""
    return next((found for level in range(len(LEVELS)) if (found := _at_level(values, owners, level)) is not None), None)


def _at_level(values: Sequence[str], owners: Sequence[Owner], level: int) -> Ownership | None:
    held: dict[str, Counter[str]] = {}
    for value, owner in zip(values, owners, strict=True):
        # Requests of nobody belong to no group.
        if (name := owner[level]) is not None:
            held.setdefault(name, Counter())[value] += 1
    known = sum(map(Counter.total, held.values()))
    main = [counts.most_common(1)[0] for counts in held.values()]
    repeats, distinct = known - len(held), len({value for value, _ in main})
    if known < _KNOWN_RATE * len(values) or len(held) < 2 or repeats < _LEAST_REPEATS or distinct < 2:
        return None
    if sum(count for _, count in main) < _KEPT_RATE * known or sum(count > 1 for _, count in main) < 2:
        return None
    is_own = distinct >= _OWN_RATE * len(held)
    runs = 1 + sum(one != other for one, other in pairwise(values))
    # Values that follow each other and never come back are told from a rollout only by three owners or more.
    if runs <= len(set(values)) and (not is_own or len(held) < 3):
        return None
    return Ownership(LEVELS[level], len(held), repeats, is_own, _is_crossed(owners, level, len(held)))


def _is_crossed(owners: Sequence[Owner], level: int, groups: int) -> bool:
    """Whether there are clearly more of a finer level than of this one."""
    return any(len({owner[finer] for owner in owners} - {None}) > groups for finer in range(level + 1, len(LEVELS)))
