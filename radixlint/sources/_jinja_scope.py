"""Scopes of a template: which names are bound, and to what."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from radixlint.prompt import Expression
from radixlint.sources._jinja_values import Value


class Callback(Struct, frozen=True):
    """A bound macro, ``caller`` or ``super``; takes positional values, named values and a ``caller``, returns what it prints."""

    name: str
    call: Callable[[list[Value], dict[str, Value], Callback | None], Value]


class Fields(Struct):
    """A bound ``namespace()``, whose attributes can be set from inner scopes, or an imported template."""

    name: str
    values: dict[str, Binding]


Binding = Value | Callback | Fields


class Scope(Struct):
    """Names bound here, and the scope outside; ``under`` is the loop or test that decides whether it is entered."""

    outer: Scope | None = None
    bound: dict[str, Binding] = field(default_factory=dict)
    under: Expression | None = None

    def find(self, name: str) -> Binding | None:
        """Return what ``name`` is bound to; None for a name that the caller of the template gives."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound:
                return scope.bound[name]
            scope = scope.outer
        return None

    def owner(self, name: str) -> tuple[Scope, list[Expression]]:
        """Return the scope that binds ``name``, the outermost if none does, and what decides whether this one is entered."""
        scope, conditions = self, []
        while name not in scope.bound and scope.outer is not None:
            if scope.under is not None:
                conditions.append(scope.under)
            scope = scope.outer
        return scope, conditions

    def inner(self) -> Scope:
        """Return a new scope inside this one."""
        return Scope(self)
