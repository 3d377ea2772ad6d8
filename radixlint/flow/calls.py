"""The meeting point of evaluator, library models and units: a call with its values, and what a model makes of it."""

from __future__ import annotations

from typing import Protocol

import msgspec

from radixlint.flow.program import Call, Function, Module, Node
from radixlint.flow.values import Value
from radixlint.prompt import Control, Span


class Site(msgspec.Struct, frozen=True):
    """A call that was reached.

    ``name`` is the full dotted name where the callee is a library's (``json.dumps``; an object is written as the call that made
    it: ``openai.OpenAI().chat.completions.create``), of a method on a value of the program ``.method`` (``.append``), else the
    name as written. ``receiver`` is what a method is called on. ``positional`` and ``named`` are the arguments; ``**unknown`` is
    in ``named`` under ``**``. ``span`` is the whole call, ``text`` its source. ``owner`` is the function it stands in, None at
    the top. ``callers`` are the spans of the calls through which the function was entered, outermost first; empty if it was
    entered as if from outside. ``loop`` is the innermost loop in which the call is made, if any.
    """

    node: Call
    module: Module
    name: str
    receiver: Value | None
    positional: tuple[Value, ...]
    named: tuple[tuple[str, Value], ...]
    span: Span
    text: str
    owner: Function | None = None
    callers: tuple[Span, ...] = ()
    loop: Control | None = None

    def argument(self, name: str, position: int | None = None) -> Value | None:
        """Return the argument called ``name``, or the one at ``position``."""
        for key, value in self.named:
            if key == name:
                return value
        return self.positional[position] if position is not None and position < len(self.positional) else None


class Outcome(msgspec.Struct, frozen=True):
    """What a call gives, and what it leaves of receiver and arguments (by position or name) where it changes them in place."""

    result: Value
    receiver: Value | None = None
    arguments: tuple[tuple[int | str, Value], ...] = ()


class Models(Protocol):
    """What library functions and methods of built-in types do with values."""

    def call(self, site: Site, context: Context) -> Outcome | None:
        """Return the outcome; None if the function is not known: its result is then unknown, made of all that goes in."""

    def iterated(self, value: Value, span: Span, context: Context) -> Value:
        """Return one element of ``value`` as a loop or comprehension at ``span`` sees it, with the taint of its order."""

    def printed(self, value: Value, span: Span, context: Context, form: str = "", conversion: str = "") -> Value:
        """Return ``value`` as text (``Written``), as ``str()``, an f-string or a template literal writes it."""


class Context(Protocol):
    """What a model may ask of the evaluator; ``rounds`` are the loops that are gone through, outermost first."""

    rounds: list[Control]

    def invoke(self, callback: Value, positional: tuple[Value, ...], named: tuple[tuple[str, Value], ...], span: Span) -> Value:
        """Return what a function of the tree gives; unknown if it calls itself or goes too deep."""

    def beside(self, callback: Value, positional: tuple[Value, ...], named: tuple[tuple[str, Value], ...], span: Span) -> Value:
        """Return what a function gives that runs when others are done, or in a thread."""

    def spelled(self, value: Value, span: Span, form: str = "", conversion: str = "") -> Value | None:
        """Return what ``str()`` or ``format()`` gives of an object of the tree, None if its class does not say."""

    def member(self, value: Value, word: str) -> Value | None:
        """Return the attribute or item of ``value`` that a field of a format string names, None if it is not known."""

    def operated(self, operator: str, values: list[Value], node: Node) -> Value:
        """Return what an operator makes of its operands, leftmost first."""

    def loop(self, node: Call, value: Value) -> Control:
        """Return a fresh loop over ``value``, which the method called at ``node`` goes through."""

    def condition(self, node: Call, value: Value) -> Control:
        """Return a fresh condition on ``value``, what the function given to the method called at ``node`` says of an item."""

    def open_template(self, name: str) -> object | None:
        """Return the file ``name`` of the linted tree as its source text, None if there is none."""

    def spend(self, units: int) -> None:
        """Count work.

        Raises:
            SourceError: the program asks for more than any prompt builder does.
        """


class Listener(Protocol):
    """Is told what the evaluator meets; makes units and events of it. Values are as they are at that point."""

    def called(self, site: Site, outcome: Outcome) -> None:
        """A call was reached (of a library, or of a function of the tree by its name as written)."""

    def returned(self, function: Function, module: Module, value: Value, node: Node, callers: tuple[Span, ...]) -> None:
        """A function gives ``value`` at ``node``."""

    def bound(
        self, target: str, value: Value, node: Node, module: Module, owner: Function | None, added: Value | None = None
    ) -> None:
        """A name, attribute (``self.prompt``) or item (``messages[0]["content"]``, as written) gets ``value``.

        ``added`` is what stands behind ``+=``.
        """

    def evaluated(self, value: Value, node: Node, module: Module, owner: Function | None) -> None:
        """A display, comprehension or cut (``history[-20:]``) was evaluated: a list of messages may stand anywhere."""
