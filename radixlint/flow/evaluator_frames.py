"""What is evaluated at a time: a function with its names, the calls that led to it, and the branches around."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec.structs import replace

from radixlint.errors import SourceError
from radixlint.flow.classes import ClassInfo
from radixlint.flow.merging import Controls
from radixlint.flow.program import Function
from radixlint.flow.scope import Changes, ModuleSpace, Space
from radixlint.flow.values import Callback, Instance, Mapped, Value
from radixlint.prompt import Control, Span

Named = tuple[tuple[str, Value], ...]


@dataclass(slots=True)
class Budget:
    """Bounds the work on one file; a unit is about one expression.

    ``left`` is for the file as a whole. An entry (a function evaluated as if called from outside) that has used ``per_entry``
    follows no further calls, which a note tells; when all entries together have used ``for_entries``, each may still use
    ``least``. Functions that build prompts need about 200.
    """

    left: int = 1_500_000
    per_entry: int = 2_000
    for_entries: int = 8_000
    least: int = 300
    entry_left: int = 2_000

    def spend(self, units: int) -> None:
        """Count work.

        Raises:
            SourceError: the program asks for more than any prompt builder does.
        """
        self.left -= units
        self.entry_left -= units
        if self.left < 0:
            raise SourceError("the code repeats or computes too much to be followed, not checked")

    def enter(self) -> None:
        """Start an entry."""
        self.entry_left = self._allowed

    def leave(self) -> None:
        """End an entry."""
        self.for_entries -= self._allowed - self.entry_left

    @property
    def _allowed(self) -> int:
        return self.per_entry if self.for_entries > 0 else min(self.least, self.per_entry)


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function of the tree with what it sees: ``space`` is around it, ``owner`` its class, ``receiver`` its object."""

    function: Function
    space: Space
    home: ModuleSpace
    owner: ClassInfo | None = None
    receiver: Value | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Above:
    """What ``super()`` is in a method of ``owner``: the classes behind it, as the object ``receiver`` has them."""

    owner: ClassInfo
    line: ClassInfo
    receiver: Value

    def find(self, name: str) -> Closure | None:
        """Return the method ``name`` of the nearest class behind the owner, bound to the object."""
        found = self.line.find(name, self.owner)
        target = found[1].target if found is not None and isinstance(found[1], Callback) else None
        if not isinstance(target, Closure):
            return None
        return Closure(target.function, target.space, target.home, target.owner, self.receiver)


@dataclass(frozen=True, slots=True, eq=False)
class TextMethod:
    """A method of a text that was taken without being called (``RULES.format``)."""

    receiver: Value


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """What an import binds until it is asked for: ``name`` of ``module`` (empty: the module itself), called ``local`` here."""

    module: str
    name: str
    local: str
    home: ModuleSpace


@dataclass(slots=True)
class Exit:
    """A branch that left a loop or function early: under what, and what had changed until then."""

    controls: Controls
    changes: Changes


@dataclass(slots=True)
class Loop:
    """A loop that is walked: where its body began on the store's trail and among the branches, and the ways out of it."""

    mark: int
    depth: int
    has_break: bool = False
    exits: list[Exit] = field(default_factory=list)


@dataclass(slots=True)
class Frame:
    """A function, or the top of a module, while it is evaluated.

    ``callers`` are the calls through which it was entered, outermost first; ``under`` are the branches around the current
    statement; ``returns`` is what it gave back so far, ``exits`` what it had changed then; ``mark`` is where it began on the
    store's trail. ``around`` holds the names around the function, ``rounds`` is how many loops were gone through where it was
    entered. It ``is_apart`` if it may run beside others of its kind, and has given way to them once it ``waits``.
    """

    home: ModuleSpace
    space: Space
    function: Function | None = None
    callers: tuple[Span, ...] = ()
    owner: ClassInfo | None = None
    receiver: Value | None = None
    mark: int = 0
    under: list[Control] = field(default_factory=list)
    returns: list[tuple[Controls, Value]] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    exits: list[Exit] = field(default_factory=list)
    around: Space | None = None
    rounds: int = 0
    is_apart: bool = False
    waits: bool = False


def on_object(function: Callback, receiver: Value) -> Callback:
    """Return a function as it is called on an object; one that has an object of its own keeps it."""
    target = function.target
    if not isinstance(target, Closure) or target.receiver is not None or not isinstance(receiver, Instance | Mapped):
        return function
    return replace(function, target=Closure(target.function, target.space, target.home, target.owner, receiver))


def with_bound(callee: Callback, named: Named) -> tuple[tuple[Value, ...], Named]:
    """Return what a partial gives by position, and by name together with ``named``."""
    first = tuple(value for key, value in callee.bound if key.isdecimal())
    given = {key for key, _ in named}
    bound = tuple((key, value) for key, value in callee.bound if not key.isdecimal() and key not in given)
    return first, bound + named
