"""A prompt in wire order: literal text and values, each with its place in the source, its role and its lifetime."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import msgspec

from radixlint.prompt.program_signs import Event, Evidence, Taint
from radixlint.prompt.prompt_terms import Confidence, Control, Expression, Lifetime, Origin, Role, Span
from radixlint.prompt.request_facts import RequestFacts


class Segment(msgspec.Struct, frozen=True, gc=False):
    """One part of a prompt, literal if ``expression`` is None.

    ``text`` is what the model reads for a literal, and the source text for a value. ``span`` is where the text (or the
    tag that prints the value) stands; ``related`` are the places a value came through (set, include, macro call).
    ``offsets`` maps the literal to its source, one ``(line, column)`` per code point, where text and source differ
    (JSON escapes, YAML blocks); empty means that the text stands in the source as it is, from the span's start.
    ``message`` numbers the message or content block in wire order. ``is_breakpoint`` says that an explicit cache
    mark ends this segment. ``is_long`` says that a value is usually a text of many sentences (a system prompt, rules,
    examples) and not a word. ``taints`` say what of a value is left to chance. ``kept`` is what keeps a value that is not
    made for each prompt, ``process`` or ``object``, else empty. ``lifetime``, ``origin``, ``confidence``, ``reason``, ``is_long``
    and ``kept`` are filled in by ``lifetime``; a source leaves the defaults, but may doubt a value (low confidence, with the
    reason).
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
    kept: str = ""

    @property
    def is_literal(self) -> bool:
        """Whether the text is fixed in the source."""
        return self.expression is None


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
