"""What is told of a prompt that a program builds: what it leaves to chance, what it does to messages, why it is one."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from radixlint.prompt.prompt_terms import Confidence, Expression, Span


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
    ``confidence`` says how sure it is that messages are meant. ``covers`` are places of which other rules would tell the same
    cause once more. ``grows`` says that each time it is done the text gets longer.
    """

    habit: Habit
    span: Span
    text: str
    value: Expression | None = None
    related: tuple[Span, ...] = ()
    confidence: Confidence = Confidence.HIGH
    target: Expression | None = None
    covers: tuple[Span, ...] = ()
    grows: bool = False


class Evidence(StrEnum):
    """Why a part of a program is taken for a prompt, the surest first.

    ``SINK``: it reaches a call that sends it. ``MESSAGES``: it has the shape of messages or tools. ``NAME``: a function or
    constant is called so. ``TEXT``: a long text in a natural language.
    """

    SINK = "sink"
    MESSAGES = "messages"
    NAME = "name"
    TEXT = "text"
