"""Nodes of expressions."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from radixlint.passage import Passage


class Node(msgspec.Struct, frozen=True, eq=False):
    """A part of a program: ``start`` and ``end`` are offsets in code points, the end exclusive."""

    start: int
    end: int


class Collection(StrEnum):
    """What a display or comprehension makes."""

    LIST = "list"
    TUPLE = "tuple"
    SET = "set"
    DICT = "dict"
    GENERATOR = "generator"


# Expressions


class Text(Node, frozen=True, eq=False):
    """A fixed string, or the fixed part of an f-string or template literal; the passage knows the place of each code point."""

    passage: Passage


class Constant(Node, frozen=True, eq=False):
    """A number, ``True``, ``False``, ``None``; ``null`` and ``undefined`` are None."""

    value: int | float | bool | None


class Name(Node, frozen=True, eq=False):
    """A name that is read, or a target that is bound."""

    name: str


class Member(Node, frozen=True, eq=False):
    """``base.name`` and ``base?.name``."""

    base: Node
    name: str


class Item(Node, frozen=True, eq=False):
    """``base[key]``."""

    base: Node
    key: Node


class Cut(Node, frozen=True, eq=False):
    """``base[lower:upper:step]``; a bound that is not written is None."""

    base: Node
    lower: Node | None
    upper: Node | None
    step: Node | None = None


class Argument(Node, frozen=True, eq=False):
    """An argument: by position if ``name`` is None; ``*value``, ``**value`` or ``...value`` if ``is_spread``.

    The name of ``**value`` is ``**``.
    """

    name: str | None
    value: Node
    is_spread: bool = False


class Call(Node, frozen=True, eq=False):
    """``callee(arguments)``; ``new callee(arguments)`` if ``is_new``; a tagged template is a call with its template."""

    callee: Node
    arguments: tuple[Argument, ...]
    is_new: bool = False


class Printed(Node, frozen=True, eq=False):
    """A value in an f-string or template literal: ``format`` is the text behind the colon, ``conversion`` one of ``r s a``."""

    value: Node
    format: str = ""
    conversion: str = ""


class Joined(Node, frozen=True, eq=False):
    """An f-string or template literal, or literals written side by side: ``Text`` and ``Printed`` in order."""

    parts: tuple[Node, ...]


class Binary(Node, frozen=True, eq=False):
    """``left operator right`` for ``+``, ``%``, ``|``, ``*``; other operators are ``Other``."""

    operator: str
    left: Node
    right: Node


class Spread(Node, frozen=True, eq=False):
    """``*value`` or ``...value`` in a display."""

    value: Node


class Display(Node, frozen=True, eq=False):
    """A list, tuple or set written out; JavaScript's arrays are lists."""

    kind: Collection
    items: tuple[Node, ...]


class Entry(Node, frozen=True, eq=False):
    """``key: value``; ``**value`` or ``...value`` if ``key`` is None. A key that is a plain word is a ``Text``."""

    key: Node | None
    value: Node


class Mapping(Node, frozen=True, eq=False):
    """A dict or object written out."""

    entries: tuple[Entry, ...]


class Clause(Node, frozen=True, eq=False):
    """``for target in iterable if tests``."""

    target: Node
    iterable: Node
    tests: tuple[Node, ...] = ()


class Comprehension(Node, frozen=True, eq=False):
    """A comprehension or generator; of a dict ``element`` is the key and ``value`` the value."""

    kind: Collection
    element: Node
    value: Node | None
    clauses: tuple[Clause, ...]


class Choice(Node, frozen=True, eq=False):
    """``yes if test else no``, ``test ? yes : no``."""

    test: Node
    yes: Node
    no: Node


class Either(Node, frozen=True, eq=False):
    """``a or b``, ``a and b``, ``a || b``, ``a && b``, ``a ?? b``; ``operator`` is ``or``, ``and`` or ``??``."""

    operator: str
    operands: tuple[Node, ...]


class Parameter(Node, frozen=True, eq=False):
    """A parameter: ``annotation`` as written, ``kind`` is empty, ``*`` or ``**``.

    ``fields`` hold a parameter for each field that a destructured one (``{a, b}`` in JavaScript) binds.
    """

    name: str
    annotation: str = ""
    default: Node | None = None
    kind: str = ""
    fields: tuple[Parameter, ...] = ()


class Function(Node, frozen=True, eq=False):
    """A function, method, lambda or arrow; ``name`` is empty for those without one. A body that is an expression is a ``Return``.

    ``decorators`` are the dotted names written above it, ``returns`` the annotation of what it gives back.
    """

    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Node, ...]
    decorators: tuple[str, ...] = ()
    returns: str = ""


class Waited(Node, frozen=True, eq=False):
    """``await value``."""

    value: Node


class Bound(Node, frozen=True, eq=False):
    """``target := value``, and an assignment where an expression stands."""

    target: Node
    value: Node


class Element(Node, frozen=True, eq=False):
    """A JSX element: its tag name, its attributes as entries, its children in order (texts, values, elements)."""

    name: str
    attributes: tuple[Entry, ...]
    children: tuple[Node, ...]


class Other(Node, frozen=True, eq=False):
    """An expression of which only what it is made of counts, such as a comparison; ``operator`` as written (``<``, ``not``)."""

    children: tuple[Node, ...]
    operator: str = ""
