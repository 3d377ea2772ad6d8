"""What a program does to messages that were sent before: cut off from the front, rewrite, insert ahead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Site
from radixlint.flow.merging_facts import facts_of
from radixlint.flow.program import Assign, Augment, Call, Constant, Cut, Define, For, Function, Item, Member, Module, Name, Node
from radixlint.flow.program_walk import SOURCE_MAX, Around, expressions, name_of, source_of, span_of, statements
from radixlint.flow.unit_bounds import size_tests
from radixlint.flow.unit_edits import bound_by, is_made_here
from radixlint.flow.unit_layout import Layout
from radixlint.flow.unit_sent import dotted_of
from radixlint.flow.unit_signs import names_prompt
from radixlint.flow.values import Facts, Listed, Mapped, Number, Unknown, Value
from radixlint.prompt import Confidence, Event, Evidence, Expression, Habit, Prompt, Segment, Span

_FIRST: Final = re.compile(r"\[\s*0\s*\]$")
_FIRST_CONTENT: Final = re.compile(r"\[\s*0\s*\]\s*(?:\[\s*['\"]content['\"]\s*\]|\??\.content)$")
_WRITES_FIRST: Final = re.compile(r"\[0\](?:\[['\"]content['\"]\]|\.content)?\s*\+?=[^=]")
_OWN_CONTENT: Final = re.compile(r"^\w+\s*(?:\[\s*['\"]content['\"]\s*\]|\??\.content)$")
_COUNTS: Final = frozenset(("range", "enumerate", "itertools.count"))
_MAKERS: Final = frozenset(("__init__", "__post_init__", "constructor"))
_INSERTS: Final = (".insert", ".unshift", ".appendleft")


def writes_first_message(code: str) -> bool:
    """Whether ``code`` may write the first message of a list anew: a fast test."""
    return _WRITES_FIRST.search(code) is not None


def event_prompts(module: Module, events: Iterable[Event]) -> Iterator[Prompt]:
    """Yield a prompt for each event: what it is done to, and what goes in or decides, for the rules to judge."""
    for event in sorted(events, key=lambda found: (found.span, found.habit)):
        # What it is done to stands ahead: a change is no part of the prompt that is judged for what stands behind it.
        parts = [Segment(target.text, event.span, expression=target)] if (target := event.target) is not None else []
        if event.value is not None or not parts:
            parts.append(Segment(event.text, event.span, expression=event.value, related=event.related))
        yield Prompt(module.path, event.habit.value, module.language, tuple(parts), evidence=Evidence.NAME, events=(event,))


def habit_of_binding(
    target: str, value: Value, node: Node, module: Module, owner: Function | None, added: Value | None
) -> Event | None:
    """Return that the first message is written anew, or that something is put in front of all.

    ``added`` is what stands behind ``+=``: it is what changes, and not what was there.
    """
    if isinstance(value, Listed):
        return _put_ahead(target, value, node, module, owner)
    facts = facts_of(added or value)
    is_message = isinstance(value, Mapped) and value.get("content") is not None and bool(_FIRST.search(target))
    if is_message or _FIRST_CONTENT.search(target):
        return _first_written(facts, added or value, node, module, owner)
    if not (facts.names or facts.calls):
        return None
    if isinstance(node, Augment):
        return _grown_system(target, facts, node, module, owner)
    root = _root(target)
    is_own = root in facts.names or any(name.startswith(f"{root}.") for name in facts.names)
    if not is_own or not _OWN_CONTENT.search(target):
        return None
    return _event(Habit.HISTORY_EDITED, facts, node, module, root, Confidence.MEDIUM)


def _first_written(facts: Facts, value: Value, node: Node, module: Module, owner: Function | None) -> Event | None:
    """Return that the system message of a conversation gets another text; not while the conversation is made."""
    target = node.target if isinstance(node, Augment) else node.targets[0] if isinstance(node, Assign) else node
    while isinstance(target, Item | Member) and not (isinstance(target, Item) and isinstance(target.key, Constant)):
        target = target.base
    items = target.base if isinstance(target, Item) else target
    around = _around(node, module, owner)
    if not facts.names and _COUNTS.issuperset(facts.calls):
        # What differs from step to step of a loop that counts.
        words = {each.name for each in expressions(node) if isinstance(each, Name)}
        counted = [name for loop in around if isinstance(loop, For) for name in bound_by(loop) & words]
        facts = Facts(names=tuple(counted[:1]))
    if not (facts.names or facts.calls) or (owner is not None and owner.name in _MAKERS):
        return None
    if is_made_here(items, node, around, module):
        return None
    event = _event(Habit.SYSTEM_REWRITTEN, facts, node, module, dotted_of(items) or source_of(items, module))
    is_counted = any(isinstance(loop, For) and set(facts.names) & bound_by(loop) for loop in around)
    return replace(event, covers=_places(value), grows=isinstance(node, Augment) or is_counted)


def _around(node: Node, module: Module, owner: Function | None) -> Around:
    """Return what stands around a statement, its function the outermost."""
    body = owner.body if owner is not None else module.body
    around = next((outer for each, outer in statements(body) if each is node), ())
    return (Define(owner.start, owner.end, owner), *around) if owner is not None else around


def _places(value: Value) -> tuple[Span, ...]:
    """Return the places of what is not fixed in a text or message, and of what decides about it."""
    layout = Layout()
    layout.messages(value)
    parts = layout.segments
    spans = [part.span for part in parts if part.expression is not None] + [c.span for part in parts for c in part.controls]
    return tuple(dict.fromkeys(spans))


def _put_ahead(target: str, value: Listed, node: Node, module: Module, owner: Function | None) -> Event | None:
    """Return that a list becomes itself behind something else: ``messages = [state] + messages``.

    A summary of many turns that are dropped when the list is full is none.
    """
    spread = next((part.value for part in value.parts if part.is_spread), None)
    if len(value.parts) < 2 or value.parts[0].is_spread or not isinstance(spread, Unknown):
        return None
    ahead = facts_of(value.parts[0].value)
    is_itself = isinstance(node, Assign) and target in (spread.path, spread.text)
    if not is_itself or not (ahead.names or ahead.calls):
        return None
    if _is_cut(node) and size_tests(node, _around(node, module, owner), module):
        return None
    return _event(Habit.INSERTED_IN_FRONT, ahead, node, module, target)


def _is_cut(node: Node) -> bool:
    """Whether what is bound is a part of a list."""
    return any(
        isinstance(each, Cut) or (isinstance(each, Call) and name_of(each.callee) == "slice") for each in expressions(node)
    )


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


def _event(
    habit: Habit, facts: Facts, node: Node, module: Module, target: str, confidence: Confidence = Confidence.HIGH
) -> Event:
    text = source_of(node, module)
    return Event(habit, span_of(node, module), text, facts.of(text), facts.places, confidence, Expression(target, (target,)))


def _root(target: str) -> str:
    """Return the list that a target is part of: ``messages`` of ``messages[0]["content"]``."""
    return re.split(r"\[|\?|\.content$", target, maxsplit=1)[0]
