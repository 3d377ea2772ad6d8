"""What a program counts: names, attributes and entries that a statement adds a fixed number to."""

from __future__ import annotations

from collections.abc import Iterable

from radixlint.flow.program import Assign, Augment, Binary, Bound, Constant, Item, Member, Name, Node, Other, Text
from radixlint.flow.program_walk import expressions, statements


def counted_by(node: Node) -> Node | None:
    """Return what a statement or expression counts (``n += 1``, ``n = n + 1``, ``n++``), None if it does not count."""
    if isinstance(node, Augment):
        return node.target if node.operator in ("+", "-") and _is_number(node.value) else None
    if isinstance(node, Assign):
        target = node.targets[0] if len(node.targets) == 1 else None
    else:
        target = node.target if isinstance(node, Bound) else None
    if target is None or not isinstance(node, Assign | Bound):
        return None
    value = node.value
    if isinstance(value, Binary):
        old, step = value.left, value.right
    elif isinstance(value, Other) and len(value.children) == 2:
        old, step = value.children
    else:
        return None
    return target if value.operator in ("+", "-") and _is_number(step) and _is_same(target, old) else None


def counted_names(body: Iterable[Node]) -> frozenset[str]:
    """Return the names that statements count, those inside of them included."""
    found = (counted_by(inner) for statement, _ in statements(body) for inner in (statement, *expressions(statement)))
    return frozenset(target.name for target in found if isinstance(target, Name))


def key_of(node: Node) -> str | None:
    """Return the fixed key of an entry (``state["n"]``) or the name of an attribute (``state.n``), None for all else."""
    if isinstance(node, Member):
        return node.name
    return node.key.passage.text if isinstance(node, Item) and isinstance(node.key, Text) else None


def _is_number(node: Node) -> bool:
    return isinstance(node, Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool)


def _is_same(one: Node, other: Node) -> bool:
    """Whether two nodes are written as the same name, or the same entry or attribute of it."""
    if isinstance(one, Name) and isinstance(other, Name):
        return one.name == other.name
    if isinstance(one, Item | Member) and isinstance(other, Item | Member):
        return key_of(one) is not None and key_of(one) == key_of(other) and _is_same(one.base, other.base)
    return False
