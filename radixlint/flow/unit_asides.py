"""Tell what a program makes on the way and nobody reads as it is: a list that is sorted at once, a question at the terminal."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from radixlint.flow.program import Assign, Call, Member, Module, Name, Node
from radixlint.flow.program_walk import expressions, statements

_SORTERS: Final = frozenset(("sorted", "natsorted", "toSorted", "sort", "sortBy"))
_ASKS: Final = (
    r"(?<![\w.])(?:input|raw_input|prompt|getpass(?:\.getpass)?|(?:click|typer)\.(?:prompt|confirm)|questionary\.\w+|inquirer\.\w+"
    r"|(?:\w+\.)?(?:Prompt|Confirm|IntPrompt|FloatPrompt)\.ask|(?:console|self\.console)\.input|(?:rl|readline|window)\.(?:question|prompt))"
)


class Sorted(NamedTuple):
    """The half-open ranges of what is sorted where it is written, and the names whose lists are sorted."""

    places: tuple[tuple[int, int], ...]
    names: frozenset[str]


def sorted_in(module: Module) -> Sorted:
    """Return what the calls of ``module`` sort."""
    every = [statement for statement, _ in statements(module.body)]
    nodes = (node for statement in every for node in expressions(statement))
    given = [found for node in nodes if (found := _sorted_by(node)) is not None]
    names = frozenset(node.name for node in given if isinstance(node, Name))
    given += [s.value for s in every if isinstance(s, Assign) and any(isinstance(t, Name) and t.name in names for t in s.targets)]
    return Sorted(tuple((node.start, node.end) for node in given), names)


def _sorted_by(node: Node) -> Node | None:
    if not isinstance(node, Call):
        return None
    callee, first = node.callee, node.arguments[0].value if node.arguments else None
    if isinstance(callee, Name):
        return first if callee.name in _SORTERS else None
    if not isinstance(callee, Member) or callee.name not in _SORTERS:
        return None
    is_lodash = isinstance(callee.base, Name) and callee.base.name == "_"
    return first if is_lodash else callee.base


def asked_at_terminal(module: Module) -> frozenset[str]:
    """Return the names whose texts the program shows to the person at the terminal, who answers."""
    return frozenset(re.findall(rf"{_ASKS}\(\s*(?:self\.)?([^\W\d]\w*)\s*[,)]", module.passage.text))
