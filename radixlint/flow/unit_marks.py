"""Faults of cache marks that the form of a program shows: a helper whose result is dropped, marks set without a bound."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from radixlint.flow.program import (
    Assign,
    Augment,
    Call,
    Comprehension,
    Constant,
    Cut,
    Define,
    Display,
    Entry,
    Evaluate,
    For,
    Function,
    If,
    Item,
    Mapping,
    Member,
    Module,
    Name,
    Node,
    Return,
    Stop,
    Text,
)
from radixlint.flow.program_walk import (
    Around,
    all_statements,
    as_comprehension,
    expressions,
    name_of,
    root_of,
    source_of,
    span_of,
    statements,
)
from radixlint.flow.unit_edits import looped_list, of_wrapped
from radixlint.flow.unit_layout import MARK_KEYS
from radixlint.flow.unit_sent import SentLists, dotted_of
from radixlint.flow.unit_signs import names_talk
from radixlint.prompt import Event, Expression, Habit

_ADDS = frozenset(("append", "push"))
_BOUNDED = frozenset(("range", "islice", "take", "slice"))
# What many messages of a conversation have in common; there is one system message.
_OF_MANY = re.compile(
    r"!?\(*(?:not\s)?\(*(?:(?:isinstance|Array\.isArray)\(.*|typeof\s.*\bstring\W+|"
    r"[\w.\[\]()'\"?]*(?:role|type)\W*={2,3}\s*['\"](?:user|assistant|tool|text|tool_result|tool_use)['\"]\)*)"
)


def habits_of_marks(module: Module, lists: SentLists) -> Iterator[Event]:
    """Yield the faults of a file; a file that names no mark has none."""
    if not any(mark in module.passage.text for mark in MARK_KEYS):
        return
    makers = {f.name for f in _functions(module.body) if _gives_marked(f, module)}
    for node, around in all_statements(module.body):
        if isinstance(node, Evaluate) and isinstance(node.value, Call) and name_of(node.value.callee) in makers:
            yield Event(Habit.MARK_UNUSED, span_of(node, module), source_of(node, module))
        items = _marked_in_loop(node, around, module)
        if items is not None and not lists.is_cut(items, around):
            yield _in_loop(node, items, around, module, lists)
        for inner in expressions(node):
            found = _marked_copies(inner)
            if found is not None and not lists.is_cut(found[1], around):
                yield _in_loop(*found, around, module, lists)


def _marked_in_loop(node: Node, around: Around, module: Module) -> Node | None:
    """Return the list each of whose items gets a mark: in a loop without a bound, an end or a choice of few."""
    marks = [target.base for target in _targets(node) if isinstance(target, Item | Member) and _is_mark(target)]
    loops = [each for each in around if isinstance(each, For)]
    if not loops or not (marks or _adds_marked(node)):
        return None
    item = marks[0] if marks else getattr(loops[-1].target, "items", (loops[-1].target,))[0]
    loop, items = looped_list(item, around)
    if loop is None or items is None or _is_bounded(loop.iterable):
        return None
    inside = [each for each, _ in statements(loop.body)]
    if any(isinstance(each, Return) or (isinstance(each, Stop) and each.word != "continue") for each in inside):
        return None
    tests = [each.test for each in around[around.index(loop) :] if isinstance(each, If)]
    tests += [each.test for each in inside if isinstance(each, If) and any(isinstance(way, Stop) for way in each.yes)]
    parts = (part.strip() for test in tests for part in re.split(r"\band\b|&&", source_of(test, module)))
    return of_wrapped(loop.iterable) if all(map(_OF_MANY.fullmatch, parts)) else None


def _adds_marked(node: Node) -> bool:
    """Whether a statement adds a message that has a mark to a list."""
    call = node.value if isinstance(node, Evaluate) else None
    if not isinstance(call, Call) or name_of(call.callee) not in _ADDS:
        return False
    added = [argument.value for argument in call.arguments]
    return any(isinstance(one, Mapping) and any(map(_is_mark_entry, one.entries)) for one in added)


def _marked_copies(node: Node) -> tuple[Node, Node] | None:
    """Return where each message of a list, or each block of each message, is copied with a mark, and the list."""
    node = as_comprehension(node)
    if not isinstance(node, Comprehension) or not isinstance(node.element, Mapping):
        return None
    clause = node.clauses[0]
    if clause.tests or _is_bounded(clause.iterable):
        return None
    if any(_is_mark_entry(entry) for entry in node.element.entries):
        return node, of_wrapped(clause.iterable)
    inner = (_marked_copies(entry.value) for entry in node.element.entries)
    found = next((each for each in inner if each is not None), None)
    if found is None or name_of(root_of(found[1])) != name_of(clause.target):
        return None
    return found[0], of_wrapped(clause.iterable)


def _in_loop(node: Node, items: Node, around: Around, module: Module, lists: SentLists) -> Event:
    name = dotted_of(items) or source_of(items, module)
    if not names_talk(name) and lists.is_history(items, around):
        name = "history"
    return Event(Habit.MARK_IN_LOOP, span_of(node, module), source_of(node, module), target=Expression(name, (name,)))


def _is_bounded(iterable: Node) -> bool:
    """Whether the loop takes a part of a list only: a cut, a range, a list written out."""
    if isinstance(iterable, Call):
        inner = iterable.arguments[0].value if iterable.arguments else None
        return name_of(iterable.callee) in _BOUNDED or (inner is not None and _is_bounded(inner))
    return not isinstance(iterable, Name | Member | Item) or isinstance(iterable, Cut)


def _is_mark(target: Node) -> bool:
    if isinstance(target, Item) and isinstance(target.key, Text):
        return target.key.passage.text in MARK_KEYS
    return isinstance(target, Member) and target.name in MARK_KEYS


def _is_mark_entry(entry: Entry) -> bool:
    """Whether an entry is a mark, or a block of the content has one."""
    if isinstance(entry.key, Text) and entry.key.passage.text in MARK_KEYS:
        return True
    blocks = entry.value.items if isinstance(entry.value, Display) else ()
    return any(isinstance(block, Mapping) and any(map(_is_mark_entry, block.entries)) for block in blocks)


def _gives_marked(function: Function, module: Module) -> bool:
    """Whether a function gives back a copy with a mark and leaves what it is given as it is."""
    text = module.passage.text[function.start : function.end]
    if not any(mark in text for mark in MARK_KEYS):
        return False
    inside = [node for node, _ in statements(function.body)]
    gives = any(isinstance(node, Return) and node.value is not None and not _is_nothing(node.value) for node in inside)
    parameters = {parameter.name for parameter in function.parameters}
    targets = [target for node in inside for target in _targets(node) if not isinstance(target, Name)]
    return gives and not any(name_of(root_of(target)) in parameters for target in targets)


def _targets(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Assign):
        return node.targets
    return (node.target,) if isinstance(node, Augment) else ()


def _is_nothing(node: Node) -> bool:
    return isinstance(node, Constant) and node.value is None


def _functions(body: Iterable[Node]) -> Iterator[Function]:
    for node, _ in statements(body):
        if isinstance(node, Define):
            yield node.function
