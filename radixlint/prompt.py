"""A prompt in wire order: literal text and values, each with its place in the source, its role and its lifetime.

Nothing here reads files, classifies or judges.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
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


class Expression(msgspec.Struct, frozen=True, gc=False):
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


class Chance(StrEnum):
    """Which order or form of a value is left to chance: other processes, machines or calls may write the same thing otherwise."""

    SET = "set"
    IO = "io"
    MAPPING = "mapping"
    KEYS = "keys"
    ADDRESS = "address"
    HASH = "hash"
    DEFAULT = "default"


class Taint(msgspec.Struct, frozen=True):
    """A value is written in a way that is left to chance: where that happens, and the source text there.

    ``SET`` and ``IO`` are orders (of a set; of a folder, of tasks as they end, of rows without ORDER BY), ``MAPPING`` the order
    of insertion from a source of no fixed order (a registry, a server's answer), ``KEYS`` the keys of JSON that was not sorted,
    ``ADDRESS`` an object printed with its address, ``HASH`` a salted hash, ``DEFAULT`` JSON with ``default=str``.
    """

    chance: Chance
    span: Span
    text: str


class Habit(StrEnum):
    """What a program does to messages that were sent before, or to the marks of a cache."""

    WINDOW = "window"
    SYSTEM_REWRITTEN = "system-rewritten"
    HISTORY_EDITED = "history-edited"
    INSERTED_IN_FRONT = "inserted-in-front"
    MARK_UNUSED = "mark-unused"
    MARK_IN_LOOP = "mark-in-loop"


class Event(msgspec.Struct, frozen=True):
    """A habit at its place: ``text`` is the source there, ``value`` what goes in or decides, if anything.

    ``target`` is what it is done to, where that is not the value itself. ``related`` are the places it came through.
    ``confidence`` says how sure it is that messages are meant.
    """

    habit: Habit
    span: Span
    text: str
    value: Expression | None = None
    related: tuple[Span, ...] = ()
    confidence: Confidence = Confidence.HIGH
    target: Expression | None = None


class Evidence(StrEnum):
    """Why a part of a program is taken for a prompt, the surest first.

    ``SINK``: it reaches a call that sends it. ``MESSAGES``: it has the shape of messages or tools. ``NAME``: a function or
    constant is called so. ``TEXT``: a long text in a natural language.
    """

    SINK = "sink"
    MESSAGES = "messages"
    NAME = "name"
    TEXT = "text"


class Segment(msgspec.Struct, frozen=True, gc=False):
    """One part of a prompt, literal if ``expression`` is None.

    ``text`` is what the model reads for a literal, and the source text for a value. ``span`` is where the text (or the
    tag that prints the value) stands; ``related`` are the places a value came through (set, include, macro call).
    ``offsets`` maps the literal to its source, one ``(line, column)`` per code point, where text and source differ
    (JSON escapes, YAML blocks); empty means that the text stands in the source as it is, from the span's start.
    ``message`` numbers the message or content block in wire order. ``is_breakpoint`` says that an explicit cache
    mark ends this segment. ``is_long`` says that a value is usually a text of many sentences (a system prompt, rules,
    examples) and not a word. ``taints`` say what of a value is left to chance. ``lifetime``, ``origin``, ``confidence``,
    ``reason`` and ``is_long`` are filled in by ``lifetime``; a source leaves the defaults, but may doubt a value (low
    confidence, with the reason).
    """

    text: str
    span: Span
    role: Role = Role.TEXT
    expression: Expression | None = None
    controls: tuple[Control, ...] = ()
    related: tuple[Span, ...] = ()
    offsets: Sequence[tuple[int, int]] = ()
    message: int = 0
    is_breakpoint: bool = False
    lifetime: Lifetime = Lifetime.STATIC
    origin: Origin = Origin.LITERAL
    confidence: Confidence = Confidence.HIGH
    reason: str = ""
    is_long: bool = False
    taints: tuple[Taint, ...] = ()

    @property
    def is_literal(self) -> bool:
        """Whether the text is fixed in the source."""
        return self.expression is None


class CacheMark(msgspec.Struct, frozen=True, gc=False):
    """An explicit cache mark: where it stands, and what it ends.

    ``segment`` is the index of the last segment of the block it ends, ``block`` the number of that content block in wire
    order, counted over tools, system and messages from 0. ``ttl`` is what the mark asks for (``5m``, ``1h``), None if it
    does not say. ``is_automatic`` marks the one at the top level of a body, which the provider puts on the last block.
    ``key`` is the key it is written with, which says whose mark it is.
    """

    span: Span
    segment: int
    block: int
    ttl: str | None = None
    is_automatic: bool = False
    key: str = "cache_control"


class Parameter(msgspec.Struct, frozen=True, gc=False):
    """A parameter of a request besides its texts: its dotted name, its source text, its place.

    ``expression`` is what fills it where it is a placeholder, None where it is fixed. The other fields are as in ``Segment``;
    ``lifetime`` fills them in, for fixed text by the times and ids in it.
    """

    name: str
    text: str
    span: Span
    expression: Expression | None = None
    lifetime: Lifetime = Lifetime.STATIC
    origin: Origin = Origin.LITERAL
    confidence: Confidence = Confidence.HIGH
    reason: str = ""


class CacheLimits(msgspec.Struct, frozen=True, gc=False):
    """What a provider's cache asks of a request; ``*_source`` says where a number is from and when it was checked.

    ``min_tokens`` is the shortest prefix that is cached, ``max_marks`` the most marks a request may have, ``look_back_blocks``
    how many content blocks ahead of a mark are searched; None if there is no such limit. ``mark_keys`` are the keys of the
    marks it reads. ``is_explicit_only`` says that nothing is cached without a mark, ``is_longest_first`` that a mark with a
    longer time to live must stand ahead of those with a shorter one.
    """

    title: str
    min_tokens: int | None
    min_tokens_source: str
    max_marks: int | None
    max_marks_source: str
    look_back_blocks: int | None
    look_back_source: str
    mark_keys: tuple[str, ...]
    is_explicit_only: bool
    is_longest_first: bool


class RequestFacts(msgspec.Struct, frozen=True, gc=False):
    """What a request body says besides its texts.

    ``provider`` is a name of ``providers/`` (``anthropic``, ``bedrock``, ``openai-legacy``, ...), None if the body does not
    tell. ``model`` as written. ``blocks`` is the number of content blocks over tools, system and messages. ``span`` is the
    place of the body's first text, for faults of the body as a whole. ``shape`` is the API whose form the body has, ``limits``
    what the provider's cache asks; both ``provider``, where the model alone tells it, and ``limits`` are filled in by ``lint``.
    """

    provider: str | None
    model: str | None
    marks: tuple[CacheMark, ...]
    parameters: tuple[Parameter, ...]
    blocks: int
    span: Span
    shape: str = ""
    limits: CacheLimits | None = None


class ChatTemplate(msgspec.Struct, frozen=True, gc=False):
    """The source of a chat template, and where each of its lines (split at LF) starts in the file, as line and column.

    ``variables`` are the strings the file gives it (``bos_token``).
    """

    text: str
    line_places: tuple[tuple[int, int], ...]
    variables: tuple[tuple[str, str], ...] = ()


class SourceText(msgspec.Struct, frozen=True, gc=False):
    """A file as read: newlines normalised to LF, a byte-order mark removed; ``path`` as shown to the user.

    ``line_ends`` are the distinct line ends the file has, the most frequent first.
    """

    path: str
    text: str
    line_ends: tuple[str, ...] = ("\n",)
    has_byte_order_mark: bool = False


@functools.lru_cache(maxsize=4)
def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a file's text; what has thousands of findings is cut once."""
    return tuple(text.split("\n"))


class Prompt(msgspec.Struct, frozen=True, gc=False):
    """A prompt unit: segments in wire order.

    ``dialect`` is the source plug-in's name. ``is_rendered`` says that this is a request body as sent: its literals
    may hold volatile values, and its last message is this call's own. ``has_breakpoints`` says that the provider
    caches only up to explicit marks. ``request`` is there for a body (rendered or with placeholders), ``chat_template``
    for the template of a model that lays out messages. ``source`` is the file, filled in by ``read_prompts``.
    ``evidence`` is there for a part of a program, and says why it is taken for a prompt; ``events`` are what the program does
    to the messages of this prompt.
    """

    path: str
    name: str
    dialect: str
    segments: tuple[Segment, ...]
    is_rendered: bool = False
    has_breakpoints: bool = False
    request: RequestFacts | None = None
    chat_template: ChatTemplate | None = None
    source: SourceText | None = None
    evidence: Evidence | None = None
    events: tuple[Event, ...] = ()

    @property
    def kind(self) -> str:
        """What rules apply: ``request`` for a body as sent, ``chat-template``, else ``template``."""
        if self.chat_template is not None:
            return "chat-template"
        return "request" if self.is_rendered else "template"
