"""A memo that forgets: what was used last, within a budget."""

from __future__ import annotations

from typing import Generic, TypeVar

_K = TypeVar("_K")
_V = TypeVar("_V")


class Recent(Generic[_K, _V]):
    """Values by key, as many as cost at most ``budget`` together, in whatever unit they are counted.

    Where ``values`` of the dearest met so far cost more, there is room for these, up to ``most`` in all.

    Two generations: what is asked for moves to the young one; when that holds half the budget, it becomes the old one and
    the old one is dropped. So the memo keeps what was used last, without bookkeeping on a hit.
    """

    def __init__(self, budget: int, *, values: int = 0, most: int = 0) -> None:
        self._half = budget // 2
        self._values, self._most_half = values, most // 2
        self._young: dict[_K, tuple[_V, int]] = {}
        self._old: dict[_K, tuple[_V, int]] = {}
        self._cost = 0

    def get(self, key: _K) -> _V | None:
        """Return the value kept under ``key``, None if there is none or it was forgotten."""
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                return None
            self.keep(key, *found)
        return found[0]

    def keep(self, key: _K, value: _V, cost: int = 1) -> None:
        """Keep ``value``, the only one that ``key`` ever has, for now; not if it alone costs more than half the budget."""
        self._half = max(self._half, min(self._most_half, self._values * cost // 2))
        if cost > self._half:
            return
        if self._cost + cost > self._half:
            self._old, self._young, self._cost = self._young, {}, 0
        self._young[key] = value, cost
        self._cost += cost
