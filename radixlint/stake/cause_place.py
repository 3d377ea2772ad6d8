"""Where a cause is reported and what makes two segments one cause: a loop's items belong to the loop's tag."""

from __future__ import annotations

from typing import Final

from radixlint.prompt import Confidence, Control, ControlKind, Expression, Lifetime, Origin, Prompt, Role, Segment, Span
from radixlint.stake.tool_names import filters_tools, gives_tools

CauseKey = tuple[object, ...]
OWNERS: Final = frozenset((Origin.TENANT, Origin.USER, Origin.SESSION, Origin.INPUT, Origin.RETRIEVAL, Origin.FLAG))
"""Origins of values by which tools are chosen."""
_VOLATILE: Final = frozenset((Origin.CLOCK, Origin.ID, Origin.RANDOM, Origin.COUNTER))


def owning_loop(segment: Segment) -> Control | None:
    """Return the outermost loop whose items the segment consists of: literal text in it, or a value of its target."""
    for control in segment.controls:
        if control.kind is ControlKind.LOOP and (segment.expression is None or _depends(segment.expression, control.expression)):
            return control
    return None


def _depends(value: Expression, iterable: Expression) -> bool:
    """Whether ``value`` reads what ``iterable`` yields; loop targets were followed, so their names say so."""
    if any(_covers(ours, theirs) for ours in iterable.names for theirs in value.names):
        return True
    return not iterable.names and bool(set(iterable.calls) & set(value.calls))


def _covers(prefix: str, name: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def place_of(segment: Segment) -> Span:
    """Return the tag to report: the loop's for its items, else the tag that prints the value."""
    loop = owning_loop(segment)
    return loop.span if loop else segment.span


def is_told_for_tools(segment: Segment) -> bool:
    """Whether a rule of its own speaks of such a value: one that differs on every call, in the text of a tool."""
    return segment.role is Role.TOOLS and segment.origin in _VOLATILE


def is_choice_of_tools(prompt: Prompt, segment: Segment) -> bool:
    """Whether a rule of its own speaks of such a value: what a program takes its tools from, and chosen tools of a template."""
    if prompt.evidence is None:
        return are_chosen_tools(segment)
    return segment.role is Role.TOOLS and segment.origin not in _VOLATILE


def are_chosen_tools(segment: Segment) -> bool:
    """Whether a template prints the tools that belong to someone, or that were picked or filtered for this request."""
    expression = expression_of(segment)
    if expression is None:
        return False
    judged = owning_loop(segment) or segment
    if judged.lifetime > Lifetime.TENANT or judged.confidence is Confidence.LOW:
        return False
    return (judged.origin in OWNERS and gives_tools(expression)) or filters_tools(expression)


def told_by_others(prompt: Prompt, segment: Segment) -> Span | None:
    """Return the place of a value of which the rules on tools or on cache marks speak if it matters to them; else None."""
    has_marks = prompt.request is not None and bool(prompt.request.marks)
    return place_of(segment) if has_marks or is_told_for_tools(segment) else None


def expression_of(segment: Segment) -> Expression | None:
    """Return what varies: the loop's iterable for its items, else the value's expression."""
    loop = owning_loop(segment)
    return loop.expression if loop else segment.expression


def cause_of(segment: Segment) -> CauseKey:
    """Return what makes two segments one cause: the same loop, the same names and calls, or the same text."""
    loop = owning_loop(segment)
    expression = expression_of(segment)
    if expression is None:
        return ("text", segment.origin, segment.text)
    if not expression.names and not expression.calls:
        return ("text", loop.node if loop else 0, expression.text)
    return ("value", frozenset(expression.names), frozenset(expression.calls), expression.kept)


def span_at(literal: Segment, offset: int) -> Span:
    """Return the place of one code point of a literal."""
    if literal.offsets:
        line, column = literal.offsets[offset]
    else:
        before = literal.text[:offset]
        line = literal.span.line + before.count("\n")
        column = len(before) - before.rfind("\n") if "\n" in before else literal.span.column + offset
    return Span(literal.span.path, line, column, line, column + 1)
