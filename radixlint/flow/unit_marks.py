"""Faults of cache marks that the form of a program shows: a helper whose result is dropped, marks set without a bound."""

from __future__ import annotations

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
from radixlint.flow.program_walk import as_comprehension, expressions, name_of, root_of, source_of, span_of, statements
from radixlint.flow.unit_layout import MARK_KEYS
from radixlint.prompt import Event, Expression, Habit

_ADDS = frozenset(("append", "push"))
_BOUNDED = frozenset(("range", "islice", "take", "slice"))


def habits_of_marks(module: Module) -> Iterator[Event]:
    """Yield the faults of a file; a file that names no mark has none."""
    if not any(mark in module.passage.text for mark in MARK_KEYS):
        return
    makers = {f.name for f in _functions(module.body) if _gives_marked(f, module)}
    for node, _ in statements(module.body):
        if isinstance(node, Evaluate) and isinstance(node.value, Call) and name_of(node.value.callee) in makers:
            yield Event(Habit.MARK_UNUSED, span_of(node, module), source_of(node, module))
        elif isinstance(node, For):
            yield from _marks_in_loop(node, module)
        for inner in expressions(node):
            each = as_comprehension(inner)
            if isinstance(each, Comprehension):
                yield from _marks_in_comprehension(each, module)


def _marks_in_loop(loop: For, module: Module) -> Iterator[Event]:
    """Yield marks set on each item of a loop that has no condition, no bound and no end before the last item."""
    if _is_bounded(loop.iterable) or any(isinstance(node, Stop | Return) for node in loop.body):
        return
    for node in loop.body:
        if _adds_marked(node) or (isinstance(node, Assign) and any(_is_mark(target) for target in node.targets)):
            yield _in_loop(node, loop.iterable, module)


def _adds_marked(node: Node) -> bool:
    """Whether a statement adds a message that has a mark to a list."""
    call = node.value if isinstance(node, Evaluate) else None
    if not isinstance(call, Call) or name_of(call.callee) not in _ADDS:
        return False
    added = [argument.value for argument in call.arguments]
    return any(isinstance(one, Mapping) and any(map(_is_mark_entry, one.entries)) for one in added)


def _marks_in_comprehension(node: Comprehension, module: Module) -> Iterator[Event]:
    clause = node.clauses[0]
    is_marked = isinstance(node.element, Mapping) and any(_is_mark_entry(entry) for entry in node.element.entries)
    if is_marked and not clause.tests and not _is_bounded(clause.iterable):
        yield _in_loop(node, clause.iterable, module)


def _in_loop(node: Node, iterable: Node, module: Module) -> Event:
    items = source_of(root_of(iterable), module)
    return Event(Habit.MARK_IN_LOOP, span_of(node, module), source_of(node, module), target=Expression(items, (items,)))


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
