"""What a function bound a name to ahead of a place: a message of a list, or copies of messages."""

from __future__ import annotations

from typing import Final

from radixlint.flow.program import Assign, Call, Comprehension, Item, Mapping, Name, Node
from radixlint.flow.program_walk import Around, as_comprehension, name_of, statements
from radixlint.flow.unit_sent import owner_of

_COPIES: Final = frozenset(("dict", "copy", "deepcopy", "model_copy", "structuredClone"))


def taken_from(message: Node, at: Node, around: Around) -> Node:
    """Return the item of a list that a name was bound to (``message = messages[i]``), any other message as it is."""
    value = _bound_last(message, at, around)
    return value if isinstance(value, Item) else message


def are_copies(items: Node, at: Node, around: Around) -> bool:
    """Whether a list was filled with copies of messages, which themselves stay as they are."""
    value = _bound_last(items, at, around)
    made = as_comprehension(value) if value is not None else None
    if isinstance(made, Comprehension):
        made = made.element
        if isinstance(made, Mapping) and made.entries and made.entries[0].key is None:
            return True
    return isinstance(made, Call) and name_of(made.callee) in _COPIES


def _bound_last(name: Node, at: Node, around: Around) -> Node | None:
    """Return what the function around bound a name to last ahead of ``at``, None if it did not."""
    owner = owner_of(around)
    if not isinstance(name, Name) or owner is None:
        return None
    made = [node for node, _ in statements(owner.body) if isinstance(node, Assign) and node.end <= at.start]
    return next((node.value for node in reversed(made) if name.name in map(name_of, node.targets)), None)
