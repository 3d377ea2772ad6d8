"""The parameters of a request body: until when a placeholder stays as it is, and times and ids in fixed ones."""

from __future__ import annotations

from msgspec.structs import replace

from radixlint.lifetime.expression_nature import Variables, nature_of
from radixlint.lifetime.volatile_text import find_volatile
from radixlint.prompt import Confidence, Lifetime, Origin, Parameter, RequestFacts


def judge_parameters(facts: RequestFacts, variables: Variables) -> RequestFacts:
    """Return ``facts`` with lifetime, origin, confidence and reason of every parameter."""
    return replace(facts, parameters=tuple(_judged(parameter, variables) for parameter in facts.parameters))


def _judged(parameter: Parameter, variables: Variables) -> Parameter:
    if parameter.expression is not None:
        nature = nature_of(parameter.expression, variables)
        return replace(
            parameter, lifetime=nature.lifetime, origin=nature.origin, confidence=nature.confidence, reason=nature.reason
        )
    found = next(find_volatile(parameter.text), None)
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
