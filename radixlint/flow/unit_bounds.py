"""How many of the newest items a program keeps, and at which size it drops the others: turn by turn, or many at once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from radixlint.flow.program import (
    Assign,
    Call,
    Choice,
    Constant,
    Cut,
    Function,
    If,
    Member,
    Module,
    Name,
    Node,
    Return,
    Stop,
    Waited,
    While,
)
from radixlint.flow.program_walk import Around, all_statements, expressions, name_of, source_of
from radixlint.flow.unit_sent import dotted_of, owner_of

FEW: Final = 4
"""So many messages are an exchange or two; who drops more at once has room for a while."""
_SIZE: Final = re.compile(r"len\(|\.length\b|\.size\b|token|count\w*\(", re.I)
_BOUND: Final = re.compile(
    r"(?:len\([^()]*\)|\.(?:length|size)|(?:token|count)\w*(?:\([^()]*\))?)\s*(?:>=?|<=?)\s*([\w.]+(?:\s*[*/]+\s*[\w.]+)*)", re.I
)
_LENGTH: Final = r"(?:len\({0}\)|{0}\??\.length)"
_NOT_NEGATIVE: Final = re.compile(r"(?:Math\.)?max\((?:0,)?(.*?)(?:,0)?\)")
_NEWEST_ALONE: Final = frozenset(("", "1"))

Size = int | str


def newest_kept(cut: Cut, module: Module, sizes: Sizes) -> Size | None:
    """Return how many of the newest items a cut takes, as a number or as it is written; None if it is no such cut.

    The newest item alone is the current turn; the last one or two may be left out.
    """
    if cut.lower is None or cut.step is not None or not _is_end(cut.upper):
        return None
    return sizes.before_end(cut.lower, cut.base, module)


def _is_end(upper: Node | None) -> bool:
    return upper is None or (isinstance(upper, Constant) and upper.value in (-1, -2))


class Sizes:
    """The constants of a program and the bounds that its tests set."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._known: dict[str, Node | None] | None = None

    def before_end(self, bound: Node, base: Node, module: Module) -> Size | None:
        """Return how many items ahead of the end of ``base`` a bound stands, None if it is not counted from there."""
        text = _tight(bound, module)
        if isinstance(bound, Name) and (given := self._given(bound.name)) is not None:
            text = _tight(given, module)
        inner = _NOT_NEGATIVE.fullmatch(text)
        text = inner[1] if inner else text
        length = re.match(_LENGTH.format(re.escape(_tight(base, module))) + "-", text)
        rest = text[length.end() :] if length else text[1:] if text.startswith("-") else ""
        rest = rest[1:-1] if re.fullmatch(r"\([^()]*\)", rest) else rest
        return None if rest in _NEWEST_ALONE else self.of(rest)

    def of(self, text: str) -> Size:
        """Return what a size stands for: a number where it is one or the only value of a name, else the text."""
        if text.isdecimal():
            return int(text)
        first, sign, second = text.partition("*")
        if sign:
            one, two = self.of(first), self.of(second)
            return one * two if isinstance(one, int) and isinstance(two, int) else text
        given = self._given(text)
        return given.value if isinstance(given, Constant) and type(given.value) is int else text

    def _given(self, name: str) -> Node | None:
        """Return the value of a name that is bound once in the whole file."""
        if self._known is None:
            self._known = {}
            assigned = [node for node, _ in all_statements(self._module.body) if isinstance(node, Assign)]
            for word, value in ((dotted_of(target), node.value) for node in assigned for target in node.targets):
                self._known[word] = None if word in self._known else value
        return self._known.get(name.replace("this.", "self."))

    def bounds(self, tests: Iterable[Node]) -> list[Size]:
        """Return the sizes that tests compare with, outermost first."""
        texts = (source_of(test, self._module) for test in tests)
        return [self.of("".join(found[1].split())) for text in texts if (found := _BOUND.search(text))]


def size_tests(statement: Node, around: Around, module: Module) -> tuple[Node, ...]:
    """Return the tests of a size that decide whether a statement runs: around it, in it, or with a way out ahead of it."""
    tests = [node.test for node in (*around, statement) if isinstance(node, If | While)]
    tests += [node.test for node in expressions(statement) if isinstance(node, Choice)]
    owner = owner_of(around)
    for node in owner.body if owner is not None else ():
        is_way_out = isinstance(node, If) and node.end <= statement.start and bool(node.yes) and not node.no
        if isinstance(node, If) and is_way_out and isinstance(node.yes[-1], Return | Stop):
            tests.append(node.test)
    return tuple(test for test in tests if _SIZE.search(source_of(test, module)))


def drops_many(cut: Cut, kept: Size, statement: Node, around: Around, module: Module, sizes: Sizes) -> bool:
    """Whether a list that is full is cut to a part of what it may hold, and goes on from there."""
    tests = size_tests(statement, around, module)
    if not tests or not _is_kept(cut, statement, around, module):
        return False
    bounds = sizes.bounds(tests)
    limit = bounds[-1] if bounds else None
    if isinstance(limit, int) and isinstance(kept, int) and "token" not in source_of(tests[-1], module).lower():
        return limit - kept > FEW
    return limit != kept


def _is_kept(cut: Cut, statement: Node, around: Around, module: Module) -> bool:
    """Whether the list itself becomes what is left of it: at once, under a name in between, or where a function is called."""
    base, owner = _tight(cut.base, module), owner_of(around)
    if isinstance(statement, Assign):
        if any(_is_of(target, base, module) for target in statement.targets):
            return True
        names = {name_of(item) for target in statement.targets for item in getattr(target, "items", (target,))} - {""}
        rest = [node for node, _ in all_statements(owner.body if owner else module.body) if node.start >= statement.end]
        for node in rest:
            is_used = any(isinstance(each, Name) and each.name in names for each in expressions(node))
            if is_used and isinstance(node, Assign) and any(_is_of(target, base, module) for target in node.targets):
                return True
            if is_used and isinstance(node, Return):
                return _is_put_back(owner, module)
    return isinstance(statement, Return) and _is_put_back(owner, module)


def _is_of(target: Node, base: str, module: Module) -> bool:
    return _tight(target.base if isinstance(target, Cut) else target, module) == base


def _is_put_back(owner: Function | None, module: Module) -> bool:
    """Whether what a function gives takes the place of what it was given, as far as calls of it in the file say."""
    calls = [
        (node, each)
        for node, _ in all_statements(module.body)
        for each in expressions(node)
        if isinstance(each, Call) and owner is not None and name_of(each.callee) == owner.name
    ]
    return all(_takes_place(node, call, module) for node, call in calls)


def _takes_place(node: Node, call: Call, module: Module) -> bool:
    value = node.value if isinstance(node, Assign | Return) else None
    if (value.value if isinstance(value, Waited) else value) is not call:
        return False
    given = {_tight(argument.value, module) for argument in call.arguments}
    targets = node.targets if isinstance(node, Assign) else ()
    is_object = isinstance(call.callee, Member) and not given
    return isinstance(node, Return) or is_object or any(_is_of(target, each, module) for target in targets for each in given)


def _tight(node: Node, module: Module) -> str:
    """Return how a node is written, without blanks."""
    return "".join(module.passage.text[node.start : node.end].split())
