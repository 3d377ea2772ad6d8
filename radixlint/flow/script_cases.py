"""A ``switch`` as a chain of conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

from radixlint.flow.program import Either, If, Node, Other
from radixlint.flow.script_tree import inner, parts

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

    from radixlint.flow.script_expressions import Expressions

_ENDS = ("break_statement", "return_statement", "throw_statement", "continue_statement")


def cases(tree: Tree, around: Expressions, body: Callable[[Iterable[Tree]], tuple[Node, ...]]) -> tuple[Node, ...]:
    """Return the conditions of a ``switch``; ``body`` lowers the statements of a case.

    A case without statements belongs to the next one; one that is not left goes on in the next one.
    """
    subject = around.lower(inner(tree, "value"))
    found: list[tuple[Tree, list[Tree], tuple[Node, ...]]] = []
    waiting: list[Tree] = []
    for child in parts(inner(tree, "body")):
        statements = _statements(child)
        waiting.append(child)
        if statements:
            found.append((child, waiting, body(statements)))
            waiting = []
    rest: tuple[Node, ...] = next((lowered for _, cases_, lowered in found if _has_default(cases_)), ())
    # Of a default that stands in the middle the others still come first.
    others = [row for row in found if not _has_default(row[1])]
    follow = _followers(found)
    for child, labels, lowered in reversed(others):
        test = _test(subject, labels, around)
        rest = (If(*around.range(child), test, (*lowered, *follow.get(child.id, ())), rest),)
    return rest


def _followers(found: list[tuple[Tree, list[Tree], tuple[Node, ...]]]) -> dict[int, tuple[Node, ...]]:
    """Return what comes next for each case that is not left, by the case."""
    follow: dict[int, tuple[Node, ...]] = {}
    for (child, _, _), (_, _, lowered) in pairwise(found):
        if not _is_left(_statements(child)):
            follow[child.id] = lowered
    return follow


def _statements(case: Tree) -> list[Tree]:
    own = case.child_by_field_name("value")
    found = [child for child in parts(case) if own is None or child.id != own.id]
    while len(found) == 1 and found[0].type == "statement_block":
        found = parts(found[0])
    return found


def _is_left(statements: list[Tree]) -> bool:
    return statements[-1].type in _ENDS


def _has_default(labels: list[Tree]) -> bool:
    return any(label.type == "switch_default" for label in labels)


def _test(subject: Node, labels: list[Tree], around: Expressions) -> Node:
    tests: list[Node] = []
    for label in labels:
        value = around.lower(inner(label, "value"))
        tests.append(Other(subject.start, value.end, (subject, value), "==="))
    return tests[0] if len(tests) == 1 else Either(tests[0].start, tests[-1].end, "or", tuple(tests))
