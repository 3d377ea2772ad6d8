"""The words that prompts are described in: lifetimes, origins, roles, places, expressions, loops and conditions."""

from __future__ import annotations

from enum import IntEnum, StrEnum

import msgspec


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
    """Where a value comes from, in the words of the rules; ``LITERAL`` for fixed text.

    ``FLAG`` has few values, each shared by many users (a locale, a bucket); ``HOST`` names the machine or process.
    """

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
    FLAG = "flag"
    HOST = "host"
    INPUT = "input"
    RELEASE = "release"
    UNKNOWN = "unknown"


class Span(msgspec.Struct, frozen=True, order=True, gc=False):
    """A place in a file: lines and columns from 1, columns in code points, the end exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


class Cut(StrEnum):
    """What a template takes of a list, or a test of its items, counted from the end that grows; kept among the filters.

    ``NEWEST``: the last items only, more than one. ``OLDER``: all but those. ``HEAD`` and ``BEHIND``: the first items only, and
    all but those. ``FROM_END``: a number so much below the size of a list. ``REVERSED``: the last item first. ``STEPPED``: a
    number that moves in steps, so that what is cut by it stays for a while. ``ITEM``: one item, so that a cut is one of its text.
    """

    NEWEST = "[-n:]"
    OLDER = "[:-n]"
    HEAD = "[:n]"
    BEHIND = "[n:]"
    FROM_END = "-n"
    REVERSED = "[::-1]"
    STEPPED = "//n"
    ITEM = "[n]"


COUNTED = "[counted]"
EACH = "[each]"


class Expression(msgspec.Struct, frozen=True, gc=False):
    """What a value is made of, as names only; never evaluated.

    ``names`` are the free names the value depends on, dotted (``user.name``), after set, loop and macro names were
    followed to what they stand for. ``calls`` are dotted names of functions and methods called on the way
    (``datetime.now``, ``items``), ``filters`` the filters applied, in source order. ``constants`` are the literal
    strings passed to calls and filters (a clock's format decides its granularity). Among ``filters`` stand ``Cut`` values; of
    programs also ``COUNTED`` for a number that each request finds counted up, and ``EACH`` for one of many items of which each
    goes into a request of its own. ``kept`` are those of ``calls`` that are not made for each prompt, each with what keeps its
    result: ``process``, ``object``.
    """

    text: str
    names: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    kept: tuple[tuple[str, str], ...] = ()


class ControlKind(StrEnum):
    """What encloses a segment."""

    LOOP = "loop"
    CONDITION = "condition"


class Control(msgspec.Struct, frozen=True, gc=False):
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
