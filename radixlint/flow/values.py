"""What an expression of a program may stand for, as far as it is known without running it.

Values are immutable; what changes in place is bound anew. A text, list or mapping whose class is one of the tree has the
``identity`` of that object, which numbers its attributes as that of an ``Instance`` does. Parts of text carry no loop or
condition until branches or a loop body are merged (``merging``), so a value made and used inside of one branch has no trace
of it.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from radixlint.prompt import Control, Expression, Segment, Span, Taint


class Facts(msgspec.Struct, frozen=True):
    """What a value that is not known before the program runs is made of.

    ``names``, ``calls``, ``constants`` as in ``Expression``: free names after all assignments were followed, dotted names of
    library functions called on the way (``datetime.datetime.now``), constant strings given to them. ``filters`` are names of
    what was done to the whole (``sorted``). ``taints`` say which order or form is left to chance; ``places`` are what it came
    through, from the source to here. ``kept`` as in ``Expression`` (``keeping``).
    """

    names: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    taints: tuple[Taint, ...] = ()
    places: tuple[Span, ...] = ()
    kept: tuple[tuple[str, str], ...] = ()

    def of(self, text: str) -> Expression:
        """Return these facts as an expression written as ``text``."""
        return Expression(text, self.names, self.calls, self.filters, self.constants, self.kept)


class Value(msgspec.Struct, frozen=True):
    """A value; one of the classes below."""


class Unknown(Value, frozen=True):
    """A value of which only the facts are known.

    ``span`` and ``text`` are the source expression that made it (a call of the clock, a parameter), where a finding about it
    points. ``path`` is its dotted name where it is one (``user.name``), ``type`` its annotation or class as a dotted name
    (``set[str]``, ``openai.OpenAI``), both empty if unknown.
    """

    facts: Facts
    span: Span
    text: str
    path: str = ""
    type: str = ""


class Written(Value, frozen=True):
    """Text: fixed and unknown parts in order. A part that is not fixed has an ``expression`` and perhaps ``taints``.

    ``span`` of a part is its place in the source: of a literal where it is written, of a value its source expression; ``related``
    is the way from there to the print, nearest to the source first. ``data`` is what ``json.dumps`` and the like wrote as this.
    """

    parts: tuple[Segment, ...]
    data: Value | None = None
    identity: int = 0

    @property
    def fixed(self) -> str | None:
        """The text if all of it is fixed and unconditional, else None."""
        if any(part.expression is not None or part.controls for part in self.parts):
            return None
        return "".join(part.text for part in self.parts)


class Number(Value, frozen=True):
    """A constant number, ``True``, ``False`` or ``None``, with its place."""

    value: int | float | bool | None
    span: Span


class Part(msgspec.Struct, frozen=True):
    """An item of a list: its value, what decides whether or how often it is there, and the place where it was put in.

    A ``*spread`` of an unknown list is one part that ``is_spread``.
    """

    value: Value
    span: Span
    controls: tuple[Control, ...] = ()
    is_spread: bool = False


PRINTED: Final = "*printed"
"""The name under which a frame keeps the buffer that ``print`` writes to."""
GENERATOR: Final = "generator"
"""The kind of a list whose items come one after another and cannot be printed."""


class Listed(Value, frozen=True):
    """A list, tuple, set or generator of known parts in order; ``kind`` as in ``Collection``.

    ``taints`` concern the order of its parts: a set's from the place where it is iterated, not where it is made.
    """

    parts: tuple[Part, ...]
    span: Span
    kind: str = "list"
    taints: tuple[Taint, ...] = ()
    identity: int = 0


class Field(msgspec.Struct, frozen=True):
    """An entry of a mapping; ``key`` is None where it is not fixed (``names`` says what it is), or for a spread."""

    key: str | None
    value: Value
    span: Span
    controls: tuple[Control, ...] = ()
    is_spread: bool = False


class Mapped(Value, frozen=True):
    """A dict or object of known entries in order of insertion; ``taints`` concern that order."""

    fields: tuple[Field, ...]
    span: Span
    taints: tuple[Taint, ...] = ()
    identity: int = 0

    def get(self, key: str) -> Value | None:
        """Return the last value given for ``key``."""
        return next((field.value for field in reversed(self.fields) if field.key == key), None)


class Library(Value, frozen=True):
    """A module, function or class from outside of the linted tree, by its full dotted name (``datetime.datetime``)."""

    name: str


class Instance(Value, frozen=True):
    """An object: what made it (``openai.OpenAI`` or the number of a class of the tree), with the values of known attributes.

    ``made`` is the dotted name of a library class, or the name of a class of the tree; ``given`` are the arguments it was made
    with, by name or position (``"0"``). ``identity`` numbers objects of the tree, whose attributes are kept by the evaluator.
    """

    made: str
    given: tuple[tuple[str, Value], ...]
    span: Span
    identity: int = 0


class Callback(Value, frozen=True):
    """A function, method, class or partial of the linted tree; ``target`` is the evaluator's own."""

    name: str
    target: Any
    bound: tuple[tuple[str, Value], ...] = ()


class Several(Value, frozen=True):
    """One of several values that are not all text, each under its condition."""

    choices: tuple[tuple[tuple[Control, ...], Value], ...]


class Absent(Value, frozen=True):
    """What a function without ``return`` gives; printed it is nothing."""
