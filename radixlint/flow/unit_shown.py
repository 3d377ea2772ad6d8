"""Parts of a history that a program only looks at: printed, logged, counted, asked about, and never sent on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from radixlint.flow.program import (
    Assign,
    Augment,
    Bound,
    Call,
    Constant,
    Element,
    Evaluate,
    For,
    Function,
    If,
    Module,
    Name,
    Node,
    Return,
    While,
)
from radixlint.flow.program_walk import Around, all_statements, children, expressions, name_of, source_of, statements
from radixlint.flow.unit_elements import is_of_page
from radixlint.flow.unit_sent import owner_of

_SHOWS: Final = re.compile(
    r"(?:\w+\.)*(?:print|pprint|pp|display|rprint|secho)|(?:\w+\.)*(?:console|_?log|_?logger|logging)\.\w+"
    r"|st\.(?:write|json|text|markdown|code)|(?:click|typer)\.echo"
)
_ASKS: Final = frozenset(
    ("len", "any", "all", "next", "sum", "max", "min", "isinstance", "bool", "some", "every", "find", "includes")
)
_COUNTS: Final = ("count", "estimate", "num")
_PASS: Final = frozenset(
    ("list", "tuple", "str", "repr", "dumps", "stringify", "join", "enumerate", "reversed", "map", "filter", "get", "reverse")
)
_COLLECTS: Final = frozenset(("append", "extend", "push", "insert", "add", "unshift", "write"))
_READS_MAX: Final = 12
_DEPTH_MAX: Final = 3


def is_only_seen(node: Node, statement: Node, around: Around, module: Module, depth: int = 0) -> bool:
    """Whether what is made at ``node`` is shown, counted or asked about in all places that it gets to."""
    for parent, inner in _upwards(node, statement):
        if isinstance(parent, Call):
            told = _in_call(parent, inner, module)
            if told is not None:
                return told
        elif isinstance(parent, Element) and is_of_page(parent.name):
            return True
        elif isinstance(parent, Function | Bound):
            return False
    if isinstance(statement, Evaluate | If | While):
        return True
    if isinstance(statement, For):
        return _only_goes_over(statement)
    target = statement.targets[0] if isinstance(statement, Assign) and len(statement.targets) == 1 else None
    return isinstance(target, Name) and depth < _DEPTH_MAX and _is_name_seen(target, statement, around, module, depth)


def _in_call(call: Call, inner: Node, module: Module) -> bool | None:
    """Return whether a call only looks at what it is given; None where it passes it on."""
    word = name_of(call.callee)
    if _SHOWS.fullmatch(source_of(call.callee, module)) or word in _ASKS or word.lower().startswith(_COUNTS):
        return True
    return None if word in _PASS else False


def _upwards(node: Node, statement: Node) -> Iterator[tuple[Node, Node]]:
    """Yield what holds ``node``, innermost first, up to the statement, each with the node in it that holds ``node``."""
    path = [statement]
    while path[-1] is not node:
        inside = [each for each in children(path[-1]) if each.start <= node.start and node.end <= each.end]
        if not inside:
            break
        path.append(next((each for each in inside if each is node), inside[-1]))
    yield from ((outer, inner) for outer, inner in zip(path[-2::-1], path[:0:-1], strict=True) if outer is not statement)


def _is_name_seen(target: Name, statement: Node, around: Around, module: Module, depth: int) -> bool:
    """Whether a name is only looked at behind the statement that binds it, in the same function."""
    owner = owner_of(around)
    found = 0
    for node, outer in all_statements(owner.body if owner else module.body):
        for each in expressions(node) if node.end > statement.start and node is not statement else ():
            if isinstance(each, Name) and each.name == target.name and each.start >= statement.end:
                found += 1
                if found > _READS_MAX or not is_only_seen(each, node, (*around, *outer), module, depth + 1):
                    return False
    return found > 0


def _only_goes_over(loop: For) -> bool:
    """Whether a loop collects nothing of what it goes over: it marks, edits, counts or shows."""
    inside = [inner for statement, _ in statements(loop.body) for inner in (statement, *expressions(statement))]
    if any(isinstance(one, Return) or (isinstance(one, Call) and name_of(one.callee) in _COLLECTS) for one in inside):
        return False
    return all(_is_count(one.value) for one in inside if isinstance(one, Augment) and one.operator == "+")


def _is_count(value: Node) -> bool:
    return isinstance(value, Constant) or (isinstance(value, Call) and name_of(value.callee).startswith(("len", *_COUNTS)))
