"""A prompt in wire order: literal text and values, each with its place in the source, its role and its lifetime.

Nothing here reads files, classifies or judges.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Lifetime(IntEnum):
    """Until when a part of a prompt stays byte-identical; a greater member lives longer.

    The law of the linter: along the wire order, lifetimes never rise.
    """

    CALL = 0
    TURN = 1
    SESSION = 2
    USER = 3
    TENANT = 4
    DAY = 5
    RELEASE = 6
    STATIC = 7

    @property
    def label(self) -> str:
        """The word users write and read, for example ``tenant``."""
        return self.name.lower()


class Confidence(StrEnum):
    """How sure a classification is; findings of low confidence are never more than ``info``."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Role(StrEnum):
    """Who speaks; ``TEXT`` where a file has no roles."""

    TOOLS = "tools"
    SYSTEM = "system"
    DEVELOPER = "developer"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    TEXT = "text"


class Origin(StrEnum):
    """Where a value comes from, in the words of the rules; ``LITERAL`` for fixed text."""

    LITERAL = "literal"
    CLOCK = "clock"
    ID = "id"
    RANDOM = "random"
    COUNTER = "counter"
    HISTORY = "history"
    RETRIEVAL = "retrieval"
    TOOLS = "tools"
    TENANT = "tenant"
    USER = "user"
    SESSION = "session"
    INPUT = "input"
    RELEASE = "release"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file: lines and columns from 1, columns in code points, the end exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Expression:
    """What a value is made of, as names only; never evaluated.

    ``names`` are the free names the value depends on, dotted (``user.name``), after set, loop and macro names were
    followed to what they stand for. ``calls`` are dotted names of functions and methods called on the way
    (``datetime.now``, ``items``), ``filters`` the filters applied, in source order. ``constants`` are the literal
    strings passed to calls and filters (a clock's format decides its granularity).
    """

    text: str
    names: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()


class ControlKind(StrEnum):
    """What encloses a segment."""

    LOOP = "loop"
    CONDITION = "condition"


@dataclass(frozen=True, slots=True)
class Control:
    """A loop or condition around a segment.

    ``node`` numbers the tag within its prompt, so that segments of one loop or ``if`` can be told together;
    ``branch`` is 0 for the body or the first branch, 1 for the next ``elif``/``else``. ``expression`` is the
    iterable or the test, ``span`` the opening tag. The other fields say what the expression depends on, as in
    ``Segment``; ``lifetime`` fills them in.
    """

    kind: ControlKind
    node: int
    branch: int
    expression: Expression
    span: Span
    lifetime: Lifetime = Lifetime.STATIC
    origin: Origin = Origin.LITERAL
    confidence: Confidence = Confidence.HIGH
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a prompt, literal if ``expression`` is None.

    ``text`` is what the model reads for a literal, and the source text for a value. ``span`` is where the text (or the
    tag that prints the value) stands; ``related`` are the places a value came through (set, include, macro call).
    ``offsets`` maps the literal to its source, one ``(line, column)`` per code point, where text and source differ
    (JSON escapes, YAML blocks); empty means that the text stands in the source as it is, from the span's start.
    ``message`` numbers the message or content block in wire order. ``is_breakpoint`` says that an explicit cache
    mark ends this segment. ``is_long`` says that a value is usually a text of many sentences (a system prompt, rules,
    examples) and not a word. ``lifetime``, ``origin``, ``confidence``, ``reason`` and ``is_long`` are filled in by
    ``lifetime``; a source leaves the defaults, but may doubt a value (low confidence, with the reason).
    """

    text: str
    span: Span
    role: Role = Role.TEXT
    expression: Expression | None = None
    controls: tuple[Control, ...] = ()
    related: tuple[Span, ...] = ()
    offsets: tuple[tuple[int, int], ...] = ()
    message: int = 0
    is_breakpoint: bool = False
    lifetime: Lifetime = Lifetime.STATIC
    origin: Origin = Origin.LITERAL
    confidence: Confidence = Confidence.HIGH
    reason: str = ""
    is_long: bool = False

    @property
    def is_literal(self) -> bool:
        """Whether the text is fixed in the source."""
        return self.expression is None


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt unit: segments in wire order.

    ``dialect`` is the source plug-in's name. ``is_rendered`` says that this is a request body as sent: its literals
    may hold volatile values, and its last message is this call's own. ``has_breakpoints`` says that the provider
    caches only up to explicit marks.
    """

    path: str
    name: str
    dialect: str
    segments: tuple[Segment, ...]
    is_rendered: bool = False
    has_breakpoints: bool = False


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file as read: newlines normalised to LF, a byte-order mark removed; ``path`` as shown to the user."""

    path: str
    text: str
