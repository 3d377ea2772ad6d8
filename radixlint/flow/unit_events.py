"""What a program does to messages that were sent before: cut off from the front, rewrite, insert ahead, mark without end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from radixlint.flow.calls import Site
from radixlint.flow.merging_facts import facts_of
from radixlint.flow.program import (
    Assign,
    Augment,
    Call,
    Class,
    Constant,
    Cut,
    Define,
    Evaluate,
    For,
    Function,
    If,
    Item,
    Member,
    Module,
    Name,
    Node,
    Return,
    Text,
    Try,
    While,
    With,
)
from radixlint.flow.values import Listed, Number, Unknown, Value
from radixlint.prompt import Confidence, Event, Evidence, Expression, Habit, Prompt, Segment, Span

_FIRST_CONTENT: Final = re.compile(r"\[\s*0\s*\]\s*(?:\[\s*['\"]content['\"]\s*\]|\??\.content)$")
_ANY_CONTENT: Final = re.compile(r"(?:\[\s*[^\]]+\s*\]|^\w+)\s*(?:\[\s*['\"]content['\"]\s*\]|\??\.content)$")
_MARKS: Final = ("cache_control", "cachePoint", "cacheControl", "cache_point")
_TEXT_MAX: Final = 200


def event_prompts(module: Module, events: Iterable[Event]) -> Iterator[Prompt]:
    """Yield a prompt for each event, of one part: what the event is about, for the rules to judge."""
    for event in sorted(events, key=lambda found: (found.span, found.habit)):
        segment = Segment(event.text, event.span, expression=event.value, related=event.related)
        yield Prompt(module.path, event.habit.value, module.language, (segment,), evidence=Evidence.NAME, events=(event,))


def habit_of_cut(value: Value, node: Cut, module: Module) -> Event | None:
    """Return a window: the newest items of a list and no fixed beginning."""
    facts = facts_of(value)
    is_window = node.upper is None and _is_from_end(node.lower, module)
    if not is_window or not (facts.names or facts.calls):
        return None
    text = _source(node, module)
    base = _source(node.base, module)
    # Of a list that is made here, its name says what it is; what it holds so far does not.
    names = (base,) if isinstance(value, Listed) and isinstance(node.base, Name | Member) else facts.names
    return Event(Habit.WINDOW, _span(node, module), text, Expression(text, names), facts.places)


def _is_from_end(lower: Node | None, module: Module) -> bool:
    """Whether a slice starts a number of items ahead of the end; the newest item alone is the current turn."""
    if lower is None:
        return False
    text = "".join(module.passage.text[lower.start : lower.end].split())
    return text.startswith("-") and text != "-1"


def habit_of_binding(target: str, value: Value, node: Node, module: Module) -> Event | None:
    """Return that the content of a message is written anew: of the first, which is the system text, or of any other."""
    facts = facts_of(value)
    if not _ANY_CONTENT.search(target) or not (facts.names or facts.calls):
        return None
    habit = Habit.SYSTEM_REWRITTEN if _FIRST_CONTENT.search(target) else Habit.HISTORY_EDITED
    base = re.split(r"[\[.?]", target, maxsplit=1)[0]
    if habit is Habit.HISTORY_EDITED and base not in facts.names and not any(n.startswith(f"{base}.") for n in facts.names):
        return None
    sure = Confidence.HIGH if habit is Habit.SYSTEM_REWRITTEN else Confidence.MEDIUM
    return Event(habit, _span(node, module), _source(node, module), facts.of(target), facts.places, sure)


def habit_of_call(site: Site) -> Event | None:
    """Return that something changing is put in front of the messages."""
    if not site.name.endswith((".insert", ".unshift", ".appendleft")) or not site.positional:
        return None
    value = site.positional[-1]
    at_front = not site.name.endswith(".insert") or (isinstance(site.positional[0], Number) and site.positional[0].value == 0)
    receiver = site.receiver
    if not at_front or not isinstance(receiver, Unknown):
        return None
    facts = facts_of(receiver, value)
    added = facts_of(value)
    if not (added.names or added.calls):
        return None
    return Event(Habit.INSERTED_IN_FRONT, site.span, site.text[:_TEXT_MAX], facts.of(receiver.text), facts.places)


def habits_in(module: Module) -> Iterator[Event]:
    """Yield faults of cache marks that the form of the program shows: a helper whose result is dropped, marks set in a loop."""
    if not any(mark in module.passage.text for mark in _MARKS):
        return
    makers = {f.name for f in _functions(module.body) if _gives_marked(f, module)}
    for node in _statements(module.body):
        if isinstance(node, Evaluate) and isinstance(node.value, Call):
            name = node.value.callee
            word = name.name if isinstance(name, Name | Member) else ""
            if word in makers:
                yield Event(Habit.MARK_UNUSED, _span(node, module), _source(node, module))
        elif isinstance(node, For):
            yield from _marks_in_loop(node, module)


def _marks_in_loop(loop: For, module: Module) -> Iterator[Event]:
    """Yield marks set on every message of a loop that has no condition and no bound."""
    if isinstance(loop.iterable, Cut) or _source(loop.iterable, module).startswith(("range(", "enumerate(range")):
        return
    for node in loop.body:
        if isinstance(node, Assign) and any(_is_mark(target) for target in node.targets):
            yield Event(Habit.MARK_IN_LOOP, _span(node, module), _source(node, module))


def _is_mark(target: Node) -> bool:
    if isinstance(target, Item) and isinstance(target.key, Text):
        return target.key.passage.text in _MARKS
    return isinstance(target, Member) and target.name in _MARKS


def _gives_marked(function: Function, module: Module) -> bool:
    """Whether a function gives back a copy with a mark and leaves what it is given as it is."""
    text = module.passage.text[function.start : function.end]
    statements = list(_statements(function.body))
    gives = any(isinstance(node, Return) and node.value is not None and not _is_nothing(node.value) for node in statements)
    parameters = {parameter.name for parameter in function.parameters}
    changes = any(
        isinstance(node, Assign | Augment)
        and any(
            _root(t) in parameters
            for t in (node.targets if isinstance(node, Assign) else (node.target,))
            if not isinstance(t, Name)
        )
        for node in statements
    )
    return gives and not changes and any(mark in text for mark in _MARKS)


def _is_nothing(node: Node) -> bool:
    return isinstance(node, Constant) and node.value is None


def _root(node: Node) -> str:
    while isinstance(node, Item | Member | Cut):
        node = node.base
    return node.name if isinstance(node, Name) else ""


def _functions(body: Iterable[Node]) -> Iterator[Function]:
    for node in _statements(body):
        if isinstance(node, Define):
            yield node.function


def _statements(body: Iterable[Node]) -> Iterator[Node]:
    """Yield all statements in order, those of functions and classes included."""
    stack = list(body)[::-1]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(inner for group in reversed(_bodies(node)) for inner in reversed(group))


def _bodies(node: Node) -> list[tuple[Node, ...]]:
    if isinstance(node, If):
        return [node.yes, node.no]
    if isinstance(node, For | While | With | Class):
        return [node.body]
    if isinstance(node, Try):
        return [node.body, *node.handlers, node.finally_]
    return [node.function.body] if isinstance(node, Define) else []


def _span(node: Node, module: Module) -> Span:
    return module.passage.span(node.start, node.end)


def _source(node: Node, module: Module) -> str:
    return module.passage.text[node.start : min(node.end, node.start + _TEXT_MAX)]
