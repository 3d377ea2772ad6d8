"""Spaces hold what names and attributes stand for; a store changes them and can take changes back, to walk branches."""

from __future__ import annotations

from radixlint.flow.program import Module
from radixlint.flow.values import Value


class Space:
    """Names of a function, class, module or object, and the space around it.

    ``given`` are names that come from outside (parameters of an entry): their source is where they are read. ``outside`` are
    names that ``global`` or ``nonlocal`` leave to a space around. Names of a class are not seen from its methods.
    """

    __slots__ = ("bound", "given", "is_class", "outer", "outside")

    def __init__(self, outer: Space | None = None, is_class: bool = False) -> None:
        self.bound: dict[str, Value] = {}
        self.outer = outer
        self.is_class = is_class
        self.given: set[str] = set()
        self.outside: dict[str, Space] = {}

    def holder(self, name: str) -> Space | None:
        """Return the space that binds ``name`` as seen from here, None if none does."""
        space: Space | None = self
        while space is not None:
            if name in space.bound and (space is self or not space.is_class):
                return space
            space = space.outside.get(name, space.outer)
        return None


class ModuleSpace(Space):
    """The names of a module; its body is run when a name is asked for that no definition gives."""

    __slots__ = ("is_run", "module")

    def __init__(self, module: Module) -> None:
        super().__init__()
        self.module = module
        self.is_run = False


Slot = tuple[Space, str]
Changes = dict[Slot, Value | None]


class Store:
    """Writes to spaces and keeps a trail of what stood there before."""

    __slots__ = ("_trail",)

    def __init__(self) -> None:
        self._trail: list[tuple[Space, str, Value | None]] = []

    def write(self, space: Space, name: str, value: Value | None) -> None:
        """Bind ``name``; None takes it away."""
        self._trail.append((space, name, space.bound.get(name)))
        _put(space, name, value)

    def mark(self) -> int:
        """Return a point to which changes can be listed or taken back."""
        return len(self._trail)

    def changes(self, mark: int) -> Changes:
        """Return what was changed since ``mark``, with the values now, in order of first change."""
        return {(space, name): space.bound.get(name) for space, name, _ in self._trail[mark:]}

    def before(self, mark: int) -> Changes:
        """Return what was changed since ``mark``, with the values then."""
        found: Changes = {}
        for space, name, value in self._trail[mark:]:
            found.setdefault((space, name), value)
        return found

    def undo(self, mark: int) -> None:
        """Take back what was changed since ``mark``."""
        while len(self._trail) > mark:
            _put(*self._trail.pop())


def _put(space: Space, name: str, value: Value | None) -> None:
    if value is None:
        space.bound.pop(name, None)
    else:
        space.bound[name] = value
