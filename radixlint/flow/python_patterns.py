"""``match`` as a chain of conditions: a pattern is a test that binds the names it captures."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Final

from radixlint.flow.program import Assign, Bound, Constant, Cut, Either, If, Item, Member, Name, Node, Other
from radixlint.flow.python_expressions import Expressions

# No name of a program can be this.
_SUBJECT: Final = "<subject>"


def chain_of_cases(
    node: ast.Match, around: Expressions, body_of: Callable[[list[ast.stmt]], tuple[Node, ...]]
) -> tuple[Node, ...]:
    """Return the statements that ``node`` comes to; ``body_of`` lowers the statements of a case."""
    subject = around.lower(node.subject)
    ahead: tuple[Node, ...] = ()
    if not isinstance(subject, Name | Member):
        # It is evaluated once, not for each case.
        name = Name(subject.start, subject.end, _SUBJECT)
        ahead, subject = (Assign(subject.start, subject.end, (name,), subject),), name
    chain: tuple[Node, ...] = ()
    for case in reversed(node.cases):
        body = body_of(case.body)
        start, end = around.places.range(case.pattern)
        test: Node = Other(start, end, (subject, *_parts(case.pattern, subject, around)), "match")
        if case.guard is not None:
            test = Either(start, end, "and", (test, around.lower(case.guard)))
        elif _takes_all(case.pattern):
            # What it binds is all that counts.
            chain = (*_captures(case.pattern, subject, around), *body)
            continue
        chain = (If(start, max(end, body[-1].end) if body else end, test, body, chain),)
    return (*ahead, *chain)


def _takes_all(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def _captures(pattern: ast.pattern, subject: Node, around: Expressions) -> Iterator[Node]:
    for part in _parts(pattern, subject, around):
        if isinstance(part, Bound):
            yield Assign(part.start, part.end, (part.target,), part.value)


def _parts(pattern: ast.pattern, subject: Node, around: Expressions) -> Iterator[Node]:
    """Yield the values that ``subject`` is compared with, and the names that parts of it are bound to."""
    start, end = around.places.range(pattern)
    match pattern:
        case ast.MatchValue(value):
            yield around.lower(value)
        case ast.MatchAs(inner, name):
            if inner is not None:
                yield from _parts(inner, subject, around)
            if name is not None:
                yield Bound(start, end, Name(start, end, name), subject)
        case ast.MatchOr(patterns):
            for inner in patterns:
                yield from _parts(inner, subject, around)
        case ast.MatchSequence(patterns):
            yield from _of_sequence(patterns, subject, around)
        case ast.MatchMapping():
            yield from _of_mapping(pattern, subject, around)
        case ast.MatchClass():
            yield from _of_class(pattern, subject, around)


def _of_mapping(pattern: ast.MatchMapping, subject: Node, around: Expressions) -> Iterator[Node]:
    start, end = around.places.range(pattern)
    for key, inner in zip(pattern.keys, pattern.patterns, strict=True):
        yield from _parts(inner, Item(start, end, subject, around.lower(key)), around)
    if pattern.rest is not None:
        yield Bound(start, end, Name(start, end, pattern.rest), subject)


def _of_class(pattern: ast.MatchClass, subject: Node, around: Expressions) -> Iterator[Node]:
    start, end = around.places.range(pattern)
    for inner in pattern.patterns:
        yield from _parts(inner, Other(start, end, (subject,), "match"), around)
    for word, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
        yield from _parts(inner, Member(start, end, subject, word), around)


def _of_sequence(patterns: list[ast.pattern], subject: Node, around: Expressions) -> Iterator[Node]:
    """Yield the parts of a sequence; behind ``*rest`` items are counted from the end."""
    star = next((index for index, inner in enumerate(patterns) if isinstance(inner, ast.MatchStar)), len(patterns))
    for index, inner in enumerate(patterns):
        start, end = around.places.range(inner)
        if not isinstance(inner, ast.MatchStar):
            place = index if index < star else index - len(patterns)
            yield from _parts(inner, Item(start, end, subject, Constant(start, end, place)), around)
        elif inner.name is not None:
            behind = len(patterns) - index - 1
            upper = Constant(start, end, -behind) if behind else None
            value = Cut(start, end, subject, Constant(start, end, index), upper)
            yield Bound(start, end, Name(start, end, inner.name), value)
