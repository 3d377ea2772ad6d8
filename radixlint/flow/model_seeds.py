"""A generator of chance that a constant seeds gives the same draws again: what it draws behind the seed is fixed."""

from __future__ import annotations

from typing import Final

from radixlint.flow.calls import Outcome, Site
from radixlint.flow.merging_facts import NO_FACTS, facts_of
from radixlint.flow.model_orders import element_of
from radixlint.flow.program import Define, Function
from radixlint.flow.program_walk import span_of, statements
from radixlint.flow.values import Instance, Number, Unknown, Value, Written
from radixlint.prompt import Span

_FAMILIES: Final = ("random", "numpy.random", "np.random")
_SAME: Final = frozenset(("sample", "choices", "permutation"))
_MAKERS: Final = ("random.Random", "random.default_rng", "random.RandomState")
_DRAWS: Final = frozenset(("choice", "choices", "sample", "shuffle", "permutation"))


class Seeds:
    """Which functions have seeded the shared generator of a library or made one of their own, in the order calls are met.

    A seed counts in the function (or module body) that sets it: how often another function has drawn before is not known. A
    generator that a module or an object keeps goes on from call to call.
    """

    def __init__(self) -> None:
        self._owners: set[tuple[str, int, int]] = set()
        self._makers: dict[Span, Function | None] = {}

    def drawn(self, site: Site) -> Outcome | None:
        """Note a seed or a new generator; return what a draw behind it gives, None for all other calls."""
        family, _, last = site.name.rpartition(".")
        if site.name.endswith(_MAKERS):
            self._makers[site.span] = site.owner
            given = (*((str(at), value) for at, value in enumerate(site.positional)), *site.named)
            return Outcome(Instance(site.name, given, site.span))
        if last in _DRAWS and isinstance(site.receiver, Instance) and site.receiver.made.endswith(_MAKERS):
            return self._by_own(site, site.receiver, last)
        if family not in _FAMILIES:
            return None
        place = (family, id(site.module), id(site.owner))
        value = site.positional[0] if site.positional else None
        if last == "seed":
            if _is_constant(value):
                self._owners.add(place)
            else:
                self._owners.discard(place)
            return None
        if place not in self._owners:
            return None
        return _fixed(site, last, value)

    def _by_own(self, site: Site, generator: Instance, last: str) -> Outcome | None:
        given = dict(generator.given)
        seed = given.get("0") or given.get("x") or given.get("seed")
        if not _is_constant(seed) or self._goes_on(site, generator):
            return None
        return _fixed(site, last, site.positional[0] if site.positional else None)

    def _goes_on(self, site: Site, generator: Instance) -> bool:
        """Whether a generator lives longer than the function that draws: a module, or an object made once, keeps it."""
        maker = self._makers.get(generator.span)
        if maker is not None:
            return maker.name == "__init__" and site.owner is not maker
        if generator.span not in self._makers or site.owner is None:
            return False
        return not site.callers or _is_in_function(site.callers[0], site)


def _is_constant(seed: Value | None) -> bool:
    """Whether a seed is fixed; None, and none at all, stand for a seed that differs on every start."""
    if isinstance(seed, Number):
        return seed.value is not None
    return isinstance(seed, Written) and not facts_of(seed).names


def _is_in_function(call: Span, site: Site) -> bool:
    """Whether a call stands in a function of the module; of calls in other modules that is not known."""
    for node, _ in statements(site.module.body):
        if isinstance(node, Define):
            span = span_of(node.function, site.module)
            if span.path == call.path and span.line <= call.line <= span.end_line:
                return True
    return False


def _fixed(site: Site, last: str, value: Value | None) -> Outcome:
    """Return what a draw gives that is the same again on every call."""
    if last == "shuffle":
        return Outcome(Number(None, site.span))
    if last == "choice" and value is not None:
        return Outcome(element_of(value, site.span))
    return Outcome(value if last in _SAME and value is not None else Unknown(NO_FACTS, site.span, site.text))
