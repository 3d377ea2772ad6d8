"""What a program does to messages that were sent before: cut off from the front, rewrite, insert ahead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Site
from radixlint.flow.merging_facts import facts_of
from radixlint.flow.program import (
    Assign,
    Augment,
    Call,
    Constant,
    Cut,
    Define,
    Display,
    For,
    Function,
    Item,
    Member,
    Module,
    Name,
    Node,
    Return,
    Spread,
    Text,
    While,
)
from radixlint.flow.program_walk import SOURCE_MAX, Around, expressions, name_of, root_of, source_of, span_of, statements
from radixlint.flow.unit_signs import names_prompt
from radixlint.flow.values import Facts, Listed, Mapped, Number, Unknown, Value
from radixlint.prompt import Confidence, Event, Evidence, Expression, Habit, Prompt, Segment, Span

_FIRST: Final = re.compile(r"\[\s*0\s*\]$")
_FIRST_CONTENT: Final = re.compile(r"\[\s*0\s*\]\s*(?:\[\s*['\"]content['\"]\s*\]|\??\.content)$")
_ANY_CONTENT: Final = re.compile(r"(?:\[\s*[^\]]+\s*\]|^\w+)\s*(?:\[\s*['\"]content['\"]\s*\]|\??\.content)$")
# The newest message is not sent yet, or is this turn's own.
_NEWEST: Final = re.compile(r"\[\s*-\s*1\s*\]|\.at\(\s*-1\s*\)|\[\s*(?:len\([^()]*\)|[\w.]+\.length)\s*-\s*1\s*\]")
_COLLECTS: Final = ("append", "extend", "push", "insert", "add", "unshift", "write")
_INSERTS: Final = (".insert", ".unshift", ".appendleft")


def event_prompts(module: Module, events: Iterable[Event]) -> Iterator[Prompt]:
    """Yield a prompt for each event: what it is done to, and what goes in or decides, for the rules to judge."""
    for event in sorted(events, key=lambda found: (found.span, found.habit)):
        # What it is done to stands ahead: a change is no part of the prompt that is judged for what stands behind it.
        parts = [Segment(target.text, event.span, expression=target)] if (target := event.target) is not None else []
        if event.value is not None or not parts:
            parts.append(Segment(event.text, event.span, expression=event.value, related=event.related))
        yield Prompt(module.path, event.habit.value, module.language, tuple(parts), evidence=Evidence.NAME, events=(event,))


def habit_of_cut(value: Value, node: Cut, module: Module) -> Event | None:
    """Return a window: the newest items of a list and no fixed beginning."""
    facts = facts_of(value)
    is_window = node.upper is None and _is_from_end(node.lower, module)
    if not is_window or not (facts.names or facts.calls):
        return None
    text = source_of(node, module)
    base = source_of(node.base, module)
    # Of a list that is made here, its name says what it is; what it holds so far does not.
    names = (base,) if isinstance(value, Listed) and isinstance(node.base, Name | Member) else facts.names
    return Event(Habit.WINDOW, span_of(node, module), text, Expression(text, names), facts.places)


def _is_from_end(lower: Node | None, module: Module) -> bool:
    """Whether a slice starts a number of items ahead of the end; the newest item alone is the current turn."""
    if lower is None:
        return False
    text = "".join(module.passage.text[lower.start : lower.end].split())
    return text.startswith("-") and text != "-1"


def habit_of_binding(target: str, value: Value, node: Node, module: Module, owner: Function | None) -> Event | None:
    """Return that the first message is written anew, that another one is, or that something is put in front of all."""
    if isinstance(value, Listed):
        return _put_ahead(target, value, node, module)
    facts = facts_of(value)
    if not (facts.names or facts.calls):
        return None
    is_message = isinstance(value, Mapped) and value.get("content") is not None and bool(_FIRST.search(target))
    if is_message or _FIRST_CONTENT.search(target):
        return _event(Habit.SYSTEM_REWRITTEN, facts, node, module, _root(target))
    if isinstance(node, Augment):
        return _grown_system(target, facts, node, module, owner)
    if not _ANY_CONTENT.search(target) or _NEWEST.search(target):
        return None
    root = _root(target)
    if root not in facts.names and not any(name.startswith(f"{root}.") for name in facts.names):
        return None
    return _event(Habit.HISTORY_EDITED, facts, node, module, root, Confidence.MEDIUM)


def _put_ahead(target: str, value: Listed, node: Node, module: Module) -> Event | None:
    """Return that a list becomes itself behind something else: ``messages = [state] + messages``."""
    spread = next((part.value for part in value.parts if part.is_spread), None)
    if len(value.parts) < 2 or value.parts[0].is_spread or not isinstance(spread, Unknown):
        return None
    ahead = facts_of(value.parts[0].value)
    is_itself = isinstance(node, Assign) and target in (spread.path, spread.text)
    if not is_itself or not (ahead.names or ahead.calls):
        return None
    return _event(Habit.INSERTED_IN_FRONT, ahead, node, module, target)


def _grown_system(target: str, facts: Facts, node: Augment, module: Module, owner: Function | None) -> Event | None:
    """Return that a system text which an object keeps between turns gets longer: ``self.system += summary``."""
    is_kept = isinstance(node.target, Member | Item) and (owner is None or owner.name != "__init__")
    word = target.rsplit("[", 1)[-1].strip("]'\" ").rsplit(".", 1)[-1]
    if not is_kept or not (names_prompt(word) or word.lower() in ("system", "_system")):
        return None
    names = tuple(name for name in facts.names if name != target)
    if not names and not facts.calls:
        return None
    return _event(Habit.SYSTEM_REWRITTEN, replace(facts, names=names), node, module, "messages", Confidence.MEDIUM)


def habit_of_call(site: Site) -> Event | None:
    """Return that something changing is put in front of the messages."""
    if not site.name.endswith(_INSERTS) or not site.positional:
        return None
    value = site.positional[-1]
    at_front = not site.name.endswith(".insert") or (isinstance(site.positional[0], Number) and site.positional[0].value == 0)
    added = facts_of(value)
    if not at_front or not isinstance(site.receiver, Unknown) or not (added.names or added.calls):
        return None
    receiver = site.receiver
    target = facts_of(receiver).of(receiver.text)
    return Event(Habit.INSERTED_IN_FRONT, site.span, site.text[:SOURCE_MAX], added.of(site.text), added.places, target=target)


def edits_in(module: Module) -> Iterator[Event]:
    """Yield messages of a loop over the history whose text is written anew from itself."""
    for node, around in statements(module.body):
        if not isinstance(node, Assign) or not isinstance(node.targets[0], Item | Member):
            continue
        target = node.targets[0]
        item, base = name_of(root_of(target)), target.base
        key = target.key.passage.text if isinstance(target, Item) and isinstance(target.key, Text) else name_of(target)
        loop = next((n for n in reversed(around) if isinstance(n, For) and item in _bound_by(n)), None)
        is_own = isinstance(base, Name) and item in source_of(node.value, module)
        if (
            loop is not None
            and key == "content"
            and is_own
            and not (_is_newest(loop, module) or _is_made_here(loop, around, module))
        ):
            iterable = root_of(_of_wrapped(loop.iterable))
            names = (source_of(iterable, module),)
            target_of = Expression(names[0], names)
            yield Event(
                Habit.HISTORY_EDITED, span_of(node, module), source_of(node, module), target_of, (), Confidence.MEDIUM, target_of
            )


def cuts_not_sent(module: Module) -> frozenset[Span]:
    """Return the places of cuts that a loop goes over without collecting anything: to mark, edit or count messages."""
    found = []
    for node, _ in statements(module.body):
        if isinstance(node, For) and isinstance(node.iterable, Cut):
            inside = [inner for statement, _ in statements(node.body) for inner in (statement, *expressions(statement))]
            if not any(isinstance(one, Return) or (isinstance(one, Call) and name_of(one.callee) in _COLLECTS) for one in inside):
                grown = [one for one in inside if isinstance(one, Augment) and one.operator == "+"]
                found += [span_of(node.iterable, module)] if all(_is_count(one.value) for one in grown) else []
    return frozenset(found)


def _is_count(value: Node) -> bool:
    return isinstance(value, Constant) or (
        isinstance(value, Call) and name_of(value.callee).startswith(("len", "count", "estimate", "num"))
    )


def _bound_by(loop: For) -> set[str]:
    """Return the names that a loop binds: ``message``, or both of ``index, message``."""
    items = getattr(loop.target, "items", (loop.target,))
    return {name_of(item) for item in items}


def _of_wrapped(node: Node) -> Node:
    """Return what is looped over, without ``enumerate`` and ``reversed`` around it."""
    arguments = getattr(node, "arguments", ())
    return (
        arguments[0].value if arguments and name_of(getattr(node, "callee", node)) in ("enumerate", "reversed", "list") else node
    )


def _is_newest(loop: For, module: Module) -> bool:
    """Whether the loop goes over the newest messages alone, which are not sent yet: ``messages[-1:]``."""
    return isinstance(loop.iterable, Cut) and loop.iterable.upper is None and loop.iterable.lower is not None


def _is_made_here(loop: For, around: Around, module: Module) -> bool:
    """Whether the loop goes, once, over messages that its function wrote out just ahead and did nothing with since."""
    owner = next((at for at in range(len(around) - 1, -1, -1) if isinstance(around[at], Define)), None)
    define = around[owner] if owner is not None else None
    if owner is None or not isinstance(define, Define) or not isinstance(loop.iterable, Name):
        return False
    if any(isinstance(node, For | While) and node is not loop for node in around[owner:]):
        return False
    name = loop.iterable.name
    made = [n for n in define.function.body if isinstance(n, Assign) and n.end <= loop.start and name_of(n.targets[0]) == name]
    if not made or not isinstance(made[-1].value, Display) or any(isinstance(item, Spread) for item in made[-1].value.items):
        return False
    return re.search(rf"\b{re.escape(name)}\b", module.passage.text[made[-1].end : loop.start]) is None


def _event(
    habit: Habit, facts: Facts, node: Node, module: Module, target: str, confidence: Confidence = Confidence.HIGH
) -> Event:
    text = source_of(node, module)
    return Event(habit, span_of(node, module), text, facts.of(text), facts.places, confidence, Expression(target, (target,)))


def _root(target: str) -> str:
    """Return the list that a target is part of: ``messages`` of ``messages[0]["content"]``."""
    return re.split(r"\[|\?|\.content$", target, maxsplit=1)[0]
