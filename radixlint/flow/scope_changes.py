"""Which names of a module and which attributes of a class its functions change, so that no call finds them as they were made."""

from __future__ import annotations

from typing import Final

import msgspec

from radixlint.flow.counting import counted_by, key_of
from radixlint.flow.program import (
    Assign,
    Augment,
    Bound,
    Call,
    Class,
    Constant,
    Cut,
    Declare,
    Define,
    Function,
    Import,
    Item,
    Member,
    Module,
    Name,
    Node,
    Outer,
    Text,
)
from radixlint.flow.program_walk import children

# Methods of lists, dicts and sets that change them in place, in both languages.
_CHANGING: Final = frozenset(
    {
        *(
            "append",
            "extend",
            "insert",
            "pop",
            "remove",
            "clear",
            "update",
            "setdefault",
            "popitem",
            "add",
            "discard",
            "appendleft",
        ),
        *("extendleft", "sort", "reverse", "push", "unshift", "splice", "shift", "set", "delete"),
    }
)
# Nodes without nodes inside, and those that may change something.
_LEAVES: Final = frozenset((Name, Text, Constant, Import, Outer, Declare))
_CHANGES: Final = frozenset((Assign, Augment, Bound, Call))
_SELVES: Final = ("self", "this", "cls")
_MAKERS: Final = ("__init__", "constructor", "__post_init__")


class Changed(msgspec.Struct, frozen=True):
    """What functions change: names of the module; attributes of each class (``Store.turns``) outside of its ``__init__``.

    ``counted`` are those of them that a number is added to, and entries and attributes of names (``state.turn``); ``.turn`` is
    such a name of a function around. ``setters`` are the functions that assign an attribute, by class and attribute; ``shared``
    are names that functions assign for the function around them.
    """

    names: frozenset[str]
    shared: frozenset[str]
    attributes: frozenset[str]
    counted: frozenset[str]
    setters: dict[str, tuple[Function, ...]]


def changed_names(module: Module) -> Changed:
    """Return what the functions of ``module`` change, each found in one walk over the file."""
    found = _Found()
    for node in module.body:
        found.walk(node, None, "")
    return Changed(
        frozenset(found.names),
        frozenset(found.shared),
        frozenset(found.attributes),
        frozenset(found.counted),
        {k: tuple(v) for k, v in found.setters.items()},
    )


class _Found:
    def __init__(self) -> None:
        self.names: set[str] = set()
        self.shared: set[str] = set()
        self.attributes: set[str] = set()
        self.counted: set[str] = set()
        self.setters: dict[str, list[Function]] = {}

    def walk(self, start: Node, function: Function | None, owner: str) -> None:
        stack: list[tuple[Node, Function | None, str, frozenset[str]]] = [(start, function, owner, frozenset())]
        while stack:
            node, function, owner, own = stack.pop()
            kind = type(node)
            if kind in _LEAVES:
                if isinstance(node, Outer) and not node.is_global:
                    self.shared.update(node.names)
                continue
            if isinstance(node, Class):
                owner = node.name
            elif isinstance(node, Function) and (node.name or function is None):
                # A function inside of a method changes what the method's object has.
                method = function if function is not None and owner and _is_bound_in(function) else node
                own = own | _own_names(node)
                function = method
            elif function is not None and kind in _CHANGES:
                self._note(node, function, owner, own)
            for child in children(node):
                stack.append((child, function, owner, own))

    def _note(self, node: Node, function: Function, owner: str, own: frozenset[str]) -> None:
        counted = counted_by(node)
        if counted is not None:
            self._counted(counted, function, owner, own)
        if isinstance(node, Assign):
            for target in node.targets:
                self._target(target, function, owner, own, isinstance(target, Name))
        elif isinstance(node, Augment):
            self._target(node.target, function, owner, own, False)
        elif isinstance(node, Bound):
            self._target(node.target, function, owner, own, isinstance(node.target, Name))
        elif isinstance(node, Call) and isinstance(node.callee, Member) and node.callee.name in _CHANGING:
            self._changed(node.callee.base, function, owner, own)

    def _counted(self, node: Node, function: Function, owner: str, own: frozenset[str]) -> None:
        if isinstance(node, Name):
            self.counted.add(f".{node.name}" if node.name in own else node.name)
        elif isinstance(node, Member) and owner and _is_own(node):
            self.counted.update((f"{owner}.{node.name}",) if function.name not in _MAKERS else ())
        elif isinstance(node, Item | Member) and isinstance(node.base, Name) and node.base.name not in own:
            self.counted.add(f"{node.base.name}.{key_of(node)}")

    def _target(self, target: Node, function: Function, owner: str, own: frozenset[str], is_plain: bool) -> None:
        if isinstance(target, Name) and (not is_plain or target.name not in own):
            self._changed(target, function, owner, own)
        elif isinstance(target, Item | Cut):
            self._changed(target.base, function, owner, own)
        elif isinstance(target, Member) and owner and _is_own(target):
            self._changed(target, function, owner, own)
            self.setters.setdefault(f"{owner}.{target.name}", []).append(function)

    def _changed(self, node: Node, function: Function, owner: str, own: frozenset[str]) -> None:
        while isinstance(node, Item | Cut):
            node = node.base
        if isinstance(node, Name):
            if node.name not in own:
                self.names.add(node.name)
        elif owner and function.name not in _MAKERS and isinstance(node, Member) and _is_own(node):
            self.attributes.add(f"{owner}.{node.name}")


def _is_own(node: Member) -> bool:
    return isinstance(node.base, Name) and node.base.name in _SELVES


def _is_bound_in(function: Function) -> bool:
    return bool(function.parameters) and function.parameters[0].name in _SELVES


def _own_names(function: Function) -> frozenset[str]:
    """Return the parameters of a function and the names that it assigns, without those of the scope around."""
    own = {parameter.name for parameter in function.parameters}
    own.update(field.name for parameter in function.parameters for field in parameter.fields)
    outer: set[str] = set()
    stack: list[Node] = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, Outer):
            outer.update(node.names)
        elif isinstance(node, Assign):
            own.update(target.name for target in node.targets if isinstance(target, Name))
        elif isinstance(node, Bound):
            own.update((node.target.name,) if isinstance(node.target, Name) else ())
            stack.append(node.value)
        elif isinstance(node, Function | Class | Define):
            continue
        elif not isinstance(node, Call | Name | Member):
            stack.extend(children(node))
    return frozenset(own - outer)
