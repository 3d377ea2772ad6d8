"""Tell what a program makes on the way and nobody reads as it is: a list that is sorted at once, a question at the terminal."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from radixlint.flow.program import Assign, Call, Define, Function, Member, Module, Name, Node
from radixlint.flow.program_walk import expressions, source_of, statements

_SORTERS: Final = frozenset(("sorted", "natsorted", "toSorted", "sort", "sortBy"))
# How programs ask the person at the terminal, who answers.
_ASKS: Final = re.compile(
    r"input|raw_input|prompt|(?:getpass\.)?getpass|(?:click|typer)\.(?:prompt|confirm)|(?:questionary|inquirer)\.\w+"
    r"|(?:\w+\.)?(?:Prompt|Confirm|IntPrompt|FloatPrompt)\.ask|(?:self\.)?console\.input|(?:rl|readline|window)\.(?:question|prompt)"
)


class Asides(NamedTuple):
    """The half-open ranges of lists that are sorted where they are made or in the same function later on, and the names,
    by the number of their function (0 outside of all), whose texts are questions at the terminal.
    """

    sorted: tuple[tuple[int, int], ...]
    asked: frozenset[tuple[int, str]]

    def is_asked(self, name: str, owner: Function | None) -> bool:
        """Whether the text bound to ``name`` in ``owner`` is a question at the terminal."""
        return (id(owner) if owner else 0, name) in self.asked


def asides_in(module: Module) -> Asides:
    """Return the asides of ``module``, whose functions live as long as it does."""
    places: list[tuple[int, int]] = []
    sorted_names: set[tuple[int, str]] = set()
    asked: set[tuple[int, str]] = set()
    made: list[tuple[int, Assign]] = []
    for statement, around in statements(module.body):
        owner = next((id(node.function) for node in reversed(around) if isinstance(node, Define)), 0)
        if isinstance(statement, Assign):
            made.append((owner, statement))
        for call in (node for node in expressions(statement) if isinstance(node, Call)):
            given = _sorted_by(call)
            if isinstance(given, Name):
                sorted_names.add((owner, given.name))
            elif given is not None:
                places.append((given.start, given.end))
            first = call.arguments[0].value if call.arguments else None
            if isinstance(first, Name) and _ASKS.fullmatch(source_of(call.callee, module)):
                asked.add((owner, first.name))
    for owner, statement in made:
        if any(isinstance(target, Name) and (owner, target.name) in sorted_names for target in statement.targets):
            places.append((statement.start, statement.end))
    return Asides(tuple(places), frozenset(asked))


def _sorted_by(call: Call) -> Node | None:
    callee, first = call.callee, call.arguments[0].value if call.arguments else None
    if isinstance(callee, Name):
        return first if callee.name in _SORTERS else None
    if not isinstance(callee, Member) or callee.name not in _SORTERS:
        return None
    is_lodash = isinstance(callee.base, Name) and callee.base.name == "_"
    return first if is_lodash else callee.base
