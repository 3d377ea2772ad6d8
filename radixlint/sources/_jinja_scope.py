"""Scopes of a template: which names are bound, and to what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from radixlint.sources._jinja_values import Value


@dataclass(frozen=True, slots=True)
class Callback:
    """A bound macro, ``caller`` or ``super``; takes positional values, named values and a ``caller``, returns what it prints."""

    name: str
    call: Callable[[list[Value], dict[str, Value], Callback | None], Value]


@dataclass(slots=True)
class Fields:
    """A bound ``namespace()``, whose attributes can be set from inner scopes, or an imported template."""

    name: str
    values: dict[str, Binding]


Binding = Value | Callback | Fields


@dataclass(slots=True)
class Scope:
    """Names bound here, and the scope outside."""

    outer: Scope | None = None
    bound: dict[str, Binding] = field(default_factory=dict)

    def find(self, name: str) -> Binding | None:
        """Return what ``name`` is bound to; None for a name that the caller of the template gives."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound:
                return scope.bound[name]
            scope = scope.outer
        return None

    def inner(self) -> Scope:
        """Return a new scope inside this one."""
        return Scope(self)
