"""Walk a tree of tags in the order it prints and collect the parts of the prompt; each dialect adds what its tags mean.

Loops are walked once, all branches of a condition are walked, each part knows what encloses it and who speaks. Nothing is
evaluated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from msgspec.structs import replace

from radixlint.errors import SourceError
from radixlint.passage import Passage
from radixlint.prompt import Control, ControlKind, Role, Segment, SourceText
from radixlint.sources import Includes
from radixlint.sources._jinja_scope import Scope
from radixlint.sources._jinja_values import Budget, Facts, Value, carried, dynamic
from radixlint.sources._tag_tree import Block, Node, Tag, Text

Parse = Callable[[SourceText], tuple[Passage, list[Node]]]


@dataclass(slots=True)
class Telling:
    """Who speaks at the moment, and the number of the message; shared by a template and what it includes."""

    role: Role = Role.TEXT
    message: int = 0

    def turn(self, role: Role) -> None:
        """Start a message of ``role``."""
        self.role = role
        self.message += 1


@dataclass(slots=True)
class Library:
    """The files of one reading, each parsed once, and what all of them share."""

    includes: Includes
    parse: Parse
    budget: Budget = field(default_factory=Budget)
    telling: Telling = field(default_factory=Telling)
    parsed: dict[str, tuple[Passage, list[Node]] | None] = field(default_factory=dict)

    def load(self, names: Iterable[str], from_path: str, where: str) -> tuple[Passage, list[Node]] | None:
        """Return the first of ``names`` that opens, parsed; None, with a note, if none does or it is being walked already."""
        known = list(names)
        for name in known:
            try:
                source = self.includes.open(name, from_path)
            except SourceError as error:
                self.budget.note(f"{where}: {error.message}, read without it")
                return None
            if source is not None:
                return self._parsed(source)
        self.budget.note(f"{where}: cannot open {known[0]!r} (not found), read without it")
        return None

    def _parsed(self, source: SourceText) -> tuple[Passage, list[Node]] | None:
        if source.path in self.budget.active:
            chain = self.budget.active[self.budget.active.index(source.path) :]
            self.budget.note(f"{' -> '.join([*chain, source.path])} is a cycle, not followed again")
            return None
        if source.path not in self.parsed:
            self.budget.spend(-len(source.text))
            try:
                self.parsed[source.path] = self.parse(source)
            except SourceError as error:
                self.parsed[source.path] = None
                self.budget.note(f"{source.path}:{error.line}:{error.column}: {error.message}; read without it")
        return self.parsed[source.path]


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a tag stands: its scope, what encloses it, and where its parts go; ``here`` is what ``.`` or ``this`` means."""

    scope: Scope
    here: tuple[Value | None, ...] = (None,)
    controls: tuple[Control, ...] = ()
    out: list[Segment] = field(default_factory=list)

    def captured(self) -> Frame:
        """Return a frame in the same place that collects parts of its own."""
        return Frame(self.scope.inner(), self.here)


class TagWalker(ABC):
    """Walks the tree of one file; ``opening`` and ``standing`` say what blocks and lone tags of a name do."""

    opening: ClassVar[dict[str, Callable[..., None]]] = {}
    standing: ClassVar[dict[str, Callable[..., None]]] = {}

    def __init__(self, passage: Passage, library: Library) -> None:
        self.passage = passage
        self.library = library
        self.budget = library.budget

    def walk(self, nodes: Iterable[Node], frame: Frame) -> None:
        """Walk ``nodes`` in order."""
        for node in nodes:
            self.budget.spend(1)
            if isinstance(node, Text):
                self._literal(node, frame)
            elif isinstance(node, Tag):
                self.standing.get(node.name, type(self).lone)(self, node, frame)
            else:
                self.opening.get(node.tag.name, type(self).block)(self, node, frame)

    @abstractmethod
    def lone(self, tag: Tag, frame: Frame) -> None:
        """Read a tag that stands alone and has no reader of its own."""

    @abstractmethod
    def block(self, block: Block, frame: Frame) -> None:
        """Read a block that has no reader of its own."""

    def _literal(self, text: Text, frame: Frame) -> None:
        passage, telling = self.passage, self.library.telling
        span, offsets = passage.span(text.start, text.end), passage.offsets(text.start, text.end)
        words = passage.text[text.start : text.end]
        frame.out.append(Segment(words, span, telling.role, None, frame.controls, (), offsets, telling.message))

    def show(self, value: Value, tag: Tag, frame: Frame) -> None:
        """Print ``value`` from ``tag``."""
        span, telling = self.passage.span(tag.start, tag.end), self.library.telling
        text = self.passage.text[tag.start : tag.end]
        for part in value.parts:
            shown = carried(part, span, self.budget, frame.controls)
            if shown.expression is not None:
                shown = replace(shown, text=text)
            frame.out.append(replace(shown, role=telling.role, message=telling.message))

    def replay(self, parts: Iterable[Segment], tag: Tag, frame: Frame) -> None:
        """Print ``parts``, which another file or a block printed with its own roles, from ``tag``."""
        span = self.passage.span(tag.start, tag.end)
        frame.out.extend(carried(part, span, self.budget, frame.controls) for part in parts)

    def value(self, facts: Facts, tag: Tag, path: str | None = None) -> Value:
        """Return the value that ``tag`` writes and that is not known before the prompt is made."""
        return dynamic(facts, self.passage.span(tag.start, tag.end), tag.content.strip() or tag.name, path)

    def control(self, kind: ControlKind, facts: Facts, tag: Tag, node: int, branch: int) -> Control:
        """Return the loop or condition that ``tag`` opens or goes on with."""
        text = tag.content.strip() or tag.name
        return Control(kind, node, branch, facts.of(text), self.passage.span(tag.start, tag.end))

    def inside(self, frame: Frame, control: Control, scope: Scope | None = None, here: Value | None = None) -> Frame:
        """Return the frame of a branch or loop body; ``here`` is what the context is inside, None if it stays."""
        context = frame.here if here is None else (*frame.here, here)
        return Frame(scope or frame.scope.inner(), context, (*frame.controls, control), frame.out)

    def place(self, tag: Tag) -> str:
        """Return the place of ``tag`` for a note: the line, with the file if it is not the one that was asked for."""
        line, path = self.passage.place(tag.start)[0], self.passage.ground.path
        return f"line {line}" if path == self.budget.active[0] else f"{path}:{line}"

    def walk_file(self, nodes: Iterable[Node], frame: Frame) -> None:
        """Walk the whole file, from another one or as the first."""
        with self.budget.entered(self.passage.ground.path):
            self.walk(nodes, frame)


def constant(passage: Passage, text: str, start: int, end: int) -> Value:
    """Return the fixed text that ``passage[start:end]`` writes."""
    span = passage.span(start, end)
    return Value((Segment(text, span, offsets=((span.line, span.column),) * len(text)),) if text else ())
