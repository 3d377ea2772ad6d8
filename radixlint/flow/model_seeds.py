"""A generator of chance that a constant seeds gives the same draws again: what it draws behind the seed is fixed."""

from __future__ import annotations

from typing import Final

from radixlint.flow.calls import Outcome, Site
from radixlint.flow.merging_facts import NO_FACTS, facts_of
from radixlint.flow.model_orders import element_of
from radixlint.flow.values import Number, Unknown, Written

_FAMILIES: Final = ("random", "numpy.random", "np.random")
_SAME: Final = frozenset(("sample", "choices", "permutation"))


class Seeds:
    """Which functions have seeded the shared generator of a library, in the order in which calls are met.

    A seed counts in the function (or module body) that sets it: how often another function has drawn before is not known.
    """

    def __init__(self) -> None:
        self._owners: set[tuple[str, int, int]] = set()

    def drawn(self, site: Site) -> Outcome | None:
        """Note a seed; return what a draw behind it gives, None for all other calls."""
        family, _, last = site.name.rpartition(".")
        if family not in _FAMILIES:
            return None
        place = (family, id(site.module), id(site.owner))
        value = site.positional[0] if site.positional else None
        if last == "seed":
            is_fixed = isinstance(value, Number | Written) and value != Number(None, site.span) and not facts_of(value).names
            if is_fixed and getattr(value, "value", 0) is not None:
                self._owners.add(place)
            else:
                self._owners.discard(place)
            return None
        if place not in self._owners:
            return None
        if last == "shuffle":
            return Outcome(Number(None, site.span))
        if last == "choice" and value is not None:
            return Outcome(element_of(value, site.span))
        return Outcome(value if last in _SAME and value is not None else Unknown(NO_FACTS, site.span, site.text))
