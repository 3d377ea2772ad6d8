"""The parameters of a request body: until when a placeholder stays as it is, and times and ids in fixed ones."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from radixlint.lifetime.expression_nature import Variables, nature_of
from radixlint.lifetime.name_match import nature_of_name, words_of
from radixlint.lifetime.name_table import Nature
from radixlint.lifetime.settings_match import configured
from radixlint.lifetime.volatile_text import find_volatile
from radixlint.prompt import Confidence, Expression, Lifetime, Origin, Parameter, RequestFacts

# What requests are made from one by one: a field of it may have another value in the next.
_RECORDS: Final = frozenset(("turn", "step", "message", "msg", "record", "row", "entry", "item", "sample", "case", "event"))
_SAYS_NOTHING: Final = frozenset((Origin.UNKNOWN, Origin.RELEASE, Origin.TOOLS, Origin.LITERAL))


def judge_parameters(facts: RequestFacts, variables: Variables) -> RequestFacts:
    """Return ``facts`` with lifetime, origin, confidence and reason of every parameter."""
    return replace(facts, parameters=tuple(_judged(parameter, variables) for parameter in facts.parameters))


def _judged(parameter: Parameter, variables: Variables) -> Parameter:
    if parameter.expression is not None:
        nature = _of_a_record(parameter.expression, variables) or nature_of(parameter.expression, variables)
        return replace(
            parameter, lifetime=nature.lifetime, origin=nature.origin, confidence=nature.confidence, reason=nature.reason
        )
    found = next((f for f in find_volatile(parameter.text) if f.origin is not Origin.COUNTER), None)
    if found is None:
        return parameter
    is_clock = found.origin is Origin.CLOCK
    # An id may well be a session's or a tenant's own.
    return replace(
        parameter,
        lifetime=Lifetime.CALL,
        origin=found.origin,
        confidence=Confidence.MEDIUM if is_clock else Confidence.LOW,
        reason="it looks like a time" if is_clock else "it looks like an id",
    )


def _of_a_record(expression: Expression, variables: Variables) -> Nature | None:
    """Return what a field of one turn or record stands for, where its own name says nothing of when it changes; else None."""
    for name in expression.names:
        holder = words_of(name.rpartition(".")[0].rpartition(".")[2])
        if not holder or holder[-1] not in _RECORDS or configured(name, variables, nature_of_name(name)) is not None:
            continue
        if nature_of(expression, variables).origin in _SAYS_NOTHING:
            reason = f"`{name}` belongs to one of many"
            return Nature(Origin.INPUT, Lifetime.TURN, Confidence.MEDIUM, reason)
    return None
