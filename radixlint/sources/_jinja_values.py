"""What a template name stands for: parts of text with their places, and the facts that later rules judge by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from radixlint.errors import SourceError
from radixlint.prompt import Control, Expression, Segment, Span

_Item = TypeVar("_Item")

_RELATED_MAX = 8
_PARTS_MAX = 24
_BUDGET = 50_000
_DEPTH_MAX = 40
# What depends on more names than this is not told apart any better by further ones.
_FACTS_MAX = 100


def _union(groups: Iterable[tuple[_Item, ...]]) -> tuple[_Item, ...]:
    told = [group for group in groups if group]
    if len(told) == 1:
        return told[0][:_FACTS_MAX]
    return tuple(dict.fromkeys(item for group in told for item in group))[:_FACTS_MAX]


class Facts(msgspec.Struct, frozen=True, gc=False):
    """The names of an expression, as in ``Expression`` but without its text; ``places`` are the tags they came through."""

    names: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    places: tuple[Span, ...] = ()

    def of(self, text: str) -> Expression:
        """Return these facts as an expression written as ``text``."""
        return Expression(text, self.names, self.calls, self.filters, self.constants)


NO_FACTS: Final = Facts()


def union(facts: Iterable[Facts | Expression]) -> Facts:
    """Return all facts together, each once, in the order given."""
    known = [f for f in facts if f is not NO_FACTS]
    if not known:
        return NO_FACTS
    if len(known) == 1 and isinstance(known[0], Facts):
        return known[0]
    return Facts(
        _union([f.names for f in known]),
        _union([f.calls for f in known]),
        _union([f.filters for f in known]),
        _union([f.constants for f in known]),
        _union([f.places for f in known if isinstance(f, Facts)]),
    )


class Value(msgspec.Struct, frozen=True, gc=False):
    """What an expression stands for: its parts in order, and its dotted path where it is one name (``user.name``)."""

    parts: tuple[Segment, ...]
    path: str | None = None

    @property
    def facts(self) -> Facts:
        """All facts of the parts, the conditions and loops inside included."""
        if len(self.parts) == 1 and not self.parts[0].controls and (told := self.parts[0].expression) is not None:
            places = (self.parts[0].span, *self.parts[0].related)
            return Facts(told.names, told.calls, told.filters, told.constants, places)
        found: list[Expression] = []
        for part in self.parts:
            found.extend(control.expression for control in part.controls)
            if part.expression is not None:
                found.append(part.expression)
        through = dict.fromkeys(span for part in self.parts for span in (part.span, *part.related))
        return union((*found, Facts(places=tuple(through))))

    @property
    def text(self) -> str | None:
        """The text if it is all literal and unconditional, else None."""
        if any(part.expression is not None or part.controls for part in self.parts):
            return None
        return "".join(part.text for part in self.parts)


class Budget(Struct):
    """Bounds the work that a template can cause by repeating itself; a unit is about one part or 256 characters.

    What a file holds by itself is no repetition: each character of a file that is read adds a unit.
    """

    left: int = _BUDGET
    node: int = 0
    notes: list[str] = field(default_factory=list)
    active: list[str] = field(default_factory=list)

    def spend(self, units: int) -> None:
        """Count work done.

        Raises:
            SourceError: the template grows beyond any prompt.
        """
        self.left -= units
        if self.left < 0:
            raise SourceError("macros, includes or assignments repeat too much text, not checked")

    def next_node(self) -> int:
        """Return a fresh number for a loop or condition."""
        self.node += 1
        return self.node

    @contextmanager
    def entered(self, name: str) -> Iterator[bool]:
        """Enter a macro or file; yields False if it is being walked already.

        Raises:
            SourceError: macros and includes nest too deeply.
        """
        if len(self.active) >= _DEPTH_MAX:
            raise SourceError("macros or includes nest too deeply, not checked")
        self.spend(10)
        fresh = name not in self.active
        self.active.append(name)
        try:
            yield fresh
        finally:
            self.active.pop()

    def note(self, text: str) -> None:
        """Keep a note, once."""
        if text not in self.notes:
            self.notes.append(text)


def dynamic(facts: Facts, span: Span, text: str, path: str | None = None) -> Value:
    """Return a value of one part that is not known before the prompt is made."""
    related = tuple([place for place in facts.places if place != span])[:_RELATED_MAX] if facts.places else ()
    return Value((Segment(text, span, expression=facts.of(text), related=related),), path)


def with_attribute(value: Value, name: str) -> Value:
    """Return attribute ``name`` of ``value``: the path grows by it, wherever the path is among the names."""
    if value.path is None:
        return value
    path = f"{value.path}.{name}"
    parts = []
    for part in value.parts:
        if part.expression is not None:
            names = tuple(dict.fromkeys(path if n == value.path else n for n in part.expression.names))
            part = replace(part, expression=replace(part.expression, names=names))
        parts.append(part)
    return Value(tuple(parts), path)


def carried(part: Segment, span: Span, budget: Budget, controls: tuple[Control, ...] = ()) -> Segment:
    """Return ``part`` as printed by the tag at ``span``: its own place becomes related, its loops move to the tag."""
    inner = tuple([replace(control, span=span) for control in part.controls]) if part.controls else ()
    if part.span == span:
        return replace(part, controls=controls + inner) if controls else part
    budget.spend(4 + 2 * len(part.related) + len(part.text) // 256)
    related = tuple(dict.fromkeys(s for s in (part.span, *part.related) if s != span))[:_RELATED_MAX]
    offsets = ((span.line, span.column),) * len(part.text) if part.expression is None else ()
    return replace(part, span=span, related=related, offsets=offsets, controls=controls + inner)


def put_back(parts: Iterable[Segment], printed: Iterable[Segment]) -> Iterator[Segment]:
    """Yield ``parts``, those of ``printed`` among them with their own places and loops, wherever they were carried."""
    places = {part.span: part for part in printed}
    loops = {control.node: control.span for part in places.values() for control in part.controls}
    for part in parts:
        own = next((places[span] for span in part.related if span in places), None)
        if own is None:
            yield part
            continue
        through = tuple(span for span in (part.span, *part.related) if span != own.span)
        offsets = own.offsets if part.text == own.text else ((own.span.line, own.span.column),) * len(part.offsets)
        controls = tuple(replace(control, span=loops.get(control.node, control.span)) for control in part.controls)
        yield replace(part, span=own.span, related=through, offsets=offsets, controls=controls)


def either(branches: list[tuple[Control, Value]], budget: Budget) -> Value:
    """Return the value that is one of ``branches``: their parts, each under its condition."""
    parts = tuple(replace(p, controls=(control, *p.controls)) for control, value in branches for p in value.parts)
    budget.spend(len(parts))
    paths = {value.path for _, value in branches} - {None}
    path = paths.pop() if len(paths) == 1 else None
    if len(parts) > _PARTS_MAX:
        return dynamic(Value(parts).facts, parts[0].span, parts[0].text, path)
    return Value(parts, path)
