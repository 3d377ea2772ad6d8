"""Read in Jinja's nodes which items of a list are taken: slices, numbers counted from a list's end, tests on ``loop``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from jinja2 import nodes

from radixlint.prompt import Cut
from radixlint.sources._jinja_values import NO_FACTS, Facts, union
from radixlint.sources._turn_cuts import compared, is_size, less, marked, negated, taken, turned, undecided, without

_LAST_FILTERS: Final = frozenset(("last_n", "lastn", "take_last", "tail", "last", "right"))
_FIRST_FILTERS: Final = frozenset(("first_n", "firstn", "take", "first", "limit"))
_STEPPING: Final = frozenset(("round", "batch"))
_OF_ITEM: Final = frozenset((Cut.ITEM, "first", "last"))
_SIDE_COUNT: Final = 2

FactsOf = Callable[[nodes.Node], Facts]


TELLING: Final = frozenset((nodes.Sub, nodes.FloorDiv, nodes.Mod, nodes.Not, nodes.Or, nodes.Compare))
"""Operators that say something of the items chosen."""


def told_of(node: nodes.Node, parts: Sequence[Facts]) -> Facts:
    """Return the facts of an operator, whose operands have ``parts``, with what it says of the items that it chooses."""
    facts = union(parts)
    if isinstance(node, nodes.Sub):
        return marked(facts, less(parts[0], parts[1], _number(node.right)))
    if isinstance(node, nodes.FloorDiv | nodes.Mod):
        return marked(facts, Cut.STEPPED)
    if isinstance(node, nodes.Not):
        return negated(facts)
    if isinstance(node, nodes.Or):
        return undecided(facts)
    if isinstance(node, nodes.Compare) and len(node.ops) == 1:
        sides = ((parts[0], _number(node.expr)), (parts[1], _number(node.ops[0].expr)))
        return marked(undecided(facts), compared(node.ops[0].op, *sides))
    return facts


def sliced(node: nodes.Slice, base: Facts, facts_of: FactsOf) -> Facts:
    """Return the facts of ``base`` cut by a slice."""
    start, stop = _end(node.start, facts_of), _end(node.stop, facts_of)
    facts = union((base, *(end[0] for end in (start, stop) if end is not None)))
    if not _OF_ITEM.isdisjoint(base.filters):
        return facts
    step = _number(node.step)
    if step is not None and step < 0:
        is_newest = start is None and stop is not None and stop[1] is not None and stop[1] < -_SIDE_COUNT
        return marked(turned(facts), Cut.NEWEST if is_newest else None)
    return marked(facts, taken(base, start, stop))


def filtered_cuts(node: nodes.Filter, base: Facts) -> tuple[Cut, ...]:
    """Return what a filter says of the items that it keeps of a list with the facts ``base``."""
    argument = node.args[0] if node.args else None
    number = _number(argument)
    is_many = argument is not None and (number is None or number > 1)
    if node.name in _LAST_FILTERS and is_many:
        return (Cut.NEWEST,)
    if node.name in _FIRST_FILTERS and is_many and Cut.REVERSED in base.filters:
        return (Cut.NEWEST,)
    if node.name == "slice" and number is not None and number < -1:
        return (Cut.NEWEST,)
    return (Cut.STEPPED,) if node.name in _STEPPING else ()


def is_number(node: nodes.Node) -> bool:
    """Whether ``node`` is a number as written, which picks one item."""
    return _number(node) is not None


def called_cuts(name: str, arguments: Sequence[nodes.Expr], base: Facts, facts_of: FactsOf) -> tuple[Cut, ...]:
    """Return what a call takes: ``messages.slice(-6)``, as in templates run by JavaScript, or numbers up to a list's end."""
    if name not in ("slice", "range") or not arguments:
        return ()
    start, *rest = [_end(argument, facts_of) for argument in arguments[:_SIDE_COUNT]]
    if name == "range":
        is_cut = bool(rest) and start is not None and Cut.FROM_END in start[0].filters
        return (Cut.NEWEST,) if is_cut else ()
    cut = taken(base, start, rest[0] if rest else None)
    return (cut,) if cut is not None else ()


def _end(node: nodes.Node | None, facts_of: FactsOf) -> tuple[Facts, float | None] | None:
    """Return the facts and the number of one end of a slice; a name with a minus ahead counts as many from the end."""
    if node is None or (isinstance(node, nodes.Const) and node.value is None):
        return None
    if isinstance(node, nodes.Neg) and not isinstance(node.node, nodes.Const):
        facts = facts_of(node)
        return marked(facts if is_size(facts) else without(facts, (Cut.STEPPED,)), Cut.FROM_END), None
    return (facts_of(node) if not isinstance(node, nodes.Const) else NO_FACTS), _number(node)


def _number(node: nodes.Node | None) -> float | None:
    """Return the number that is written, None for anything else."""
    sign = 1
    if isinstance(node, nodes.Neg):
        sign, node = -1, node.node
    is_number = isinstance(node, nodes.Const) and isinstance(node.value, int | float) and not isinstance(node.value, bool)
    return sign * node.value if is_number and isinstance(node, nodes.Const) else None
