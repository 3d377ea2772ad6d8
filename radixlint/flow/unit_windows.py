"""Windows on the history that the form of a program shows: old turns dropped one by one, the newest alone kept or loaded."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from radixlint.flow.program import (
    Argument,
    Assign,
    Call,
    Constant,
    Cut,
    Display,
    Evaluate,
    If,
    Member,
    Module,
    Node,
    Text,
    While,
)
from radixlint.flow.program_walk import Around, expressions, name_of, root_of, source_of, span_of, statements
from radixlint.flow.unit_signs import words_of
from radixlint.prompt import Confidence, Event, Expression, Habit, Span

_SIGNS: Final = ("maxlen", "trim_messages", "trimMessages", "Memory", "Buffer", "limit", "Limit", "LIMIT", "last_n", "lastN")
# Each begins with fixed text, which is found faster than the begin of a word.
_WORD_SIGNS: Final = tuple(
    map(re.compile, (r"del(?<!\wdel)\b", r"pop(?<!\wpop)", r"shift(?<!\wshift)\b", r"splice(?<!\wsplice)\b"))
)
_POPS: Final = ("pop", "popleft", "shift")
_TRIMMERS: Final = ("trim_messages", "trimMessages")
# Keep a number of turns or tokens of a conversation.
_MEMORIES: Final = (
    "ConversationBufferWindowMemory",
    "ConversationTokenBufferMemory",
    "BufferWindowMemory",
    "BufferedChatCompletionContext",
    "ChatMemoryBuffer.from_defaults",
)
_BOUNDS: Final = ("limit", "last_n", "last", "n", "k", "max_messages", "num_messages", "max_turns", "take")
_LOADS: Final = frozenset(("load", "get", "fetch", "recent", "read", "list", "find", "select", "query", "last", "latest"))
_TALK: Final = frozenset(("messages", "history", "turns", "conversation", "chat", "transcript", "dialog", "dialogue"))
_NEWEST_ROWS: Final = re.compile(
    r"\bfrom\s+\W?\w*(?:messages|turns|history|conversation)\w*\b.*\border\s+by\b.*\bdesc\b.*\blimit\s+(?!1\b)[\w:?%$@({]",
    re.I | re.S,
)
_FEW: Final = 4
"""So many messages are an exchange or two; who drops more at once has room for a while."""


def windows_in(module: Module, *, sends: bool, reached: Collection[Span]) -> Iterator[Event]:
    """Yield the windows of a file; those that are loaded so only where the file ``sends`` prompts.

    What is loaded outside of ``reached``, the places that prompts are followed back to, is a guess.
    """
    text = module.passage.text
    if not any(sign in text for sign in _SIGNS) and not any(sign.search(text) for sign in _WORD_SIGNS):
        return
    for node, around in statements(module.body):
        found = _dropped(node, around, module)
        if found is not None:
            yield found
        for inner in expressions(node):
            if isinstance(inner, Call):
                yield from _kept_by(inner, node, module)
                if sends:
                    yield from _loaded(inner, module, reached)


def _dropped(node: Node, around: Around, module: Module) -> Event | None:
    """Return that the oldest messages are dropped while there are too many: ``messages.pop(0)``, ``del messages[1:3]``."""
    if not _has_bound(around, module):
        return None
    if isinstance(node, Evaluate) and isinstance(node.value, Call) and isinstance(node.value.callee, Member):
        call, method = node.value, node.value.callee
        first = call.arguments[0].value if call.arguments else None
        is_front = method.name != "pop" or _number(first) in (0, 1)
        if method.name in _POPS and is_front:
            return _window(node, source_of(method.base, module), module)
    if isinstance(node, Assign) and isinstance(node.value, Display) and not node.value.items:
        target = node.targets[0]
        if isinstance(target, Cut) and _is_few(target):
            return _window(node, source_of(target.base, module), module)
    return None


def _has_bound(around: Around, module: Module) -> bool:
    """Whether a test of a size decides: ``while len(messages) > 20``."""
    tests = [node.test for node in around if isinstance(node, If | While)]
    return any(word in source_of(test, module) for test in tests for word in ("len(", ".length", "token"))


def _is_few(cut: Cut) -> bool:
    lower, upper = _number(cut.lower) or 0, _number(cut.upper)
    return upper is not None and 0 <= lower < upper <= lower + _FEW


def _kept_by(call: Call, statement: Node, module: Module) -> Iterator[Event]:
    """Yield what keeps the newest items by itself: a bounded ``deque``, a trimmer, a memory of a library."""
    word = name_of(call.callee)
    if word == "deque":
        bound = _argument(call, ("maxlen",), 1)
        if bound is not None and not _is_none(bound) and _number(bound) != 1:
            name = _bound_name(statement, call, module)
            yield _window(call, name, module)
    elif word in _TRIMMERS:
        strategy = _argument(call, ("strategy",), None)
        is_last = strategy is None or (isinstance(strategy, Text) and strategy.passage.text == "last")
        first = call.arguments[0].value if call.arguments else None
        if is_last and first is not None:
            yield _window(call, source_of(root_of(first), module), module)
    elif source_of(call.callee, module).endswith(_MEMORIES):
        yield _window(call, "history", module)


def _loaded(call: Call, module: Module, reached: Collection[Span]) -> Iterator[Event]:
    """Yield a load of the newest turns alone."""
    confidence = Confidence.MEDIUM if _is_reached(span_of(call, module), reached) else Confidence.LOW
    words = set(words_of(name_of(call.callee)))
    bound = _argument(call, _BOUNDS, None)
    if words & _TALK and words & _LOADS and bound is not None and not _is_none(bound) and _number(bound) != 1:
        yield _window(call, "history", module, confidence)
        return
    texts = (argument.value for argument in call.arguments[:1])
    if any(isinstance(inner, Text) and _NEWEST_ROWS.search(inner.passage.text) for text in texts for inner in expressions(text)):
        yield _window(call, "history", module, confidence)


def _is_reached(place: Span, reached: Collection[Span]) -> bool:
    """Whether a prompt holds what is made at ``place``, or what is made of it there."""
    start, end = (place.line, place.column), (place.end_line, place.end_column)
    own = [((at.line, at.column), (at.end_line, at.end_column)) for at in reached if at.path == place.path]
    return any(first < end and start < last for first, last in own)


def _window(node: Node, name: str, module: Module, confidence: Confidence = Confidence.HIGH) -> Event:
    text = source_of(node, module)
    return Event(Habit.WINDOW, span_of(node, module), text, Expression(text, (name,)), (), confidence)


def _bound_name(statement: Node, call: Call, module: Module) -> str:
    """Return the name that gets the value of ``call``."""
    if isinstance(statement, Assign):
        return source_of(statement.targets[0], module)
    return ""


def _argument(call: Call, names: tuple[str, ...], position: int | None) -> Node | None:
    found = next((given.value for given in call.arguments if given.name in names), None)
    if found is None and position is not None and len(call.arguments) > position:
        given: Argument = call.arguments[position]
        return given.value if given.name is None else None
    return found


def _number(node: Node | None) -> int | None:
    return node.value if isinstance(node, Constant) and isinstance(node.value, int) and not isinstance(node.value, bool) else None


def _is_none(node: Node) -> bool:
    return isinstance(node, Constant) and node.value is None
