"""Nodes of statements, and a file as a whole."""

from __future__ import annotations

import msgspec

from radixlint.flow.program.program_expressions import Function, Node
from radixlint.passage import Passage


class Assign(Node, frozen=True, eq=False):
    """``targets = value``, one target a ``=``; also ``const``, ``let``.

    A target is Name, Member, Item, Cut, Display or Mapping.
    """

    targets: tuple[Node, ...]
    value: Node
    annotation: str = ""


class Augment(Node, frozen=True, eq=False):
    """``target operator= value``; the operator without ``=``."""

    target: Node
    operator: str
    value: Node


class Evaluate(Node, frozen=True, eq=False):
    """An expression as a statement."""

    value: Node


class Return(Node, frozen=True, eq=False):
    """``return value``; ``yield value`` if ``is_yield``."""

    value: Node | None
    is_yield: bool = False


class Stop(Node, frozen=True, eq=False):
    """``raise``, ``throw``, ``break``, ``continue``: what follows in the block is not reached; ``word`` says which."""

    word: str
    value: Node | None = None


class If(Node, frozen=True, eq=False):
    """A condition; a ``switch`` or ``match`` is a chain of them."""

    test: Node
    yes: tuple[Node, ...]
    no: tuple[Node, ...] = ()


class For(Node, frozen=True, eq=False):
    """A loop over ``iterable``; JavaScript's ``for (;;)`` is a ``While``."""

    target: Node
    iterable: Node
    body: tuple[Node, ...]
    otherwise: tuple[Node, ...] = ()


class While(Node, frozen=True, eq=False):
    """A loop with a test."""

    test: Node
    body: tuple[Node, ...]


class With(Node, frozen=True, eq=False):
    """``with value as target``; the target is None if there is none."""

    items: tuple[tuple[Node, Node | None], ...]
    body: tuple[Node, ...]


class Try(Node, frozen=True, eq=False):
    """``try``: the body runs, a handler may run, the rest runs."""

    body: tuple[Node, ...]
    handlers: tuple[tuple[Node, ...], ...]
    finally_: tuple[Node, ...] = ()


class Define(Node, frozen=True, eq=False):
    """A function is bound to its name."""

    function: Function


class Class(Node, frozen=True, eq=False):
    """A class: names of its bases as dotted words, its body (``Define``, ``Assign``).

    ``decorators`` are as of functions, and its metaclass.
    """

    name: str
    bases: tuple[str, ...]
    body: tuple[Node, ...]
    decorators: tuple[str, ...] = ()


class Declare(Node, frozen=True, eq=False):
    """``name: annotation`` without a value: a field of a dataclass or ``TypedDict``, the type of a variable."""

    name: str
    annotation: str


class Outer(Node, frozen=True, eq=False):
    """``global names`` and ``nonlocal names``: in this function they are those of the module or of the function around."""

    names: tuple[str, ...]
    is_global: bool = True


class Import(Node, frozen=True, eq=False):
    """``import module`` (no names) or ``from module import names``; ``module`` keeps its leading dots (``..clock``, ``./clock``).

    ``names`` are pairs of the name there and the name here; ``default`` and ``*`` are names there. ``alias`` is the name of the
    module itself here, empty if it is not bound. ``import a.b`` is two: ``a`` bound to ``a``, and ``a.b`` not bound.
    """

    module: str
    names: tuple[tuple[str, str], ...] = ()
    alias: str = ""


class Module(msgspec.Struct, frozen=True, eq=False):
    """A file: ``passage`` is its code (of a notebook, the code of all cells), ``language`` is ``python`` or ``script``."""

    path: str
    passage: Passage
    language: str
    body: tuple[Node, ...]
