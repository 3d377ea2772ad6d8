"""Classify a prompt: until when each of its segments stays byte-identical, where it comes from, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from radixlint.lifetime.expression_nature import nature_of, nature_of_test
from radixlint.lifetime.name_table import Nature
from radixlint.lifetime.request_parameters import judge_parameters
from radixlint.lifetime.request_turns import classify_request
from radixlint.prompt import Confidence, Control, ControlKind, Cut, Expression, Lifetime, Origin, Prompt, Role, Segment

_TOOLS: Final = Nature(Origin.TOOLS, Lifetime.RELEASE, Confidence.MEDIUM, "it is given as the tools")
_SYSTEM: Final = Nature(Origin.RELEASE, Lifetime.RELEASE, Confidence.MEDIUM, "it is given as the system text", True)
_FROM_THE_END: Final = frozenset({"loop.revindex", "loop.revindex0", "loop.length"})


def classify(prompt: Prompt, variables: Mapping[str, Lifetime]) -> Prompt:
    """Return ``prompt`` with lifetime, origin, confidence and reason of every segment, loop and condition.

    A literal in a loop takes the loop's lifetime, since the number of items decides how often it is sent; a literal
    under a condition stays static. In a request body as sent, times and ids become segments of their own.

    Args:
        prompt: as a source read it.
        variables: lifetimes from the settings, by variable name; they win over the tables.
    """
    known: dict[Control, Control] = {}
    # Segments of one branch share the tuple of what encloses them.
    chains: dict[int, tuple[Control, ...]] = {}
    for segment in prompt.segments:
        if id(segment.controls) not in chains:
            chains[id(segment.controls)] = tuple(_judged(control, variables, known) for control in segment.controls)
    segments = tuple([_classified(segment, variables, chains[id(segment.controls)]) for segment in prompt.segments])
    request = None if prompt.request is None else judge_parameters(prompt.request, variables)
    classified = replace(prompt, segments=segments, request=request)
    return classify_request(classified) if prompt.is_rendered else classified


def _classified(segment: Segment, variables: Mapping[str, Lifetime], controls: tuple[Control, ...]) -> Segment:
    if segment.expression is None and not controls:
        return segment
    if segment.role is Role.SYSTEM and any(_is_input_prompt(control) for control in controls):
        controls = tuple(_of_system(control) if _is_input_prompt(control) else control for control in controls)
    if segment.expression is not None:
        nature = _counted_from_the_end(segment.expression, controls) or nature_of(segment.expression, variables)
        if nature.origin is Origin.UNKNOWN and segment.role is Role.TOOLS:
            nature = _TOOLS
        if nature.origin is Origin.INPUT and segment.role is Role.SYSTEM and _is_prompt(segment.expression):
            nature = _SYSTEM
        is_doubted = segment.confidence is Confidence.LOW  # by the source that read it
        return replace(
            segment,
            controls=controls,
            lifetime=nature.lifetime,
            origin=nature.origin,
            confidence=Confidence.LOW if is_doubted else nature.confidence,
            reason=segment.reason if is_doubted else nature.reason,
            is_long=nature.is_long,
            kept=nature.kept,
        )
    loops = [c for c in controls if c.kind is ControlKind.LOOP]
    loop = min(loops, key=lambda c: c.lifetime, default=None)
    if loop is None or loop.lifetime is Lifetime.STATIC:
        return replace(segment, controls=controls)
    return replace(
        segment, controls=controls, lifetime=loop.lifetime, origin=loop.origin, confidence=loop.confidence, reason=loop.reason
    )


def _is_input_prompt(control: Control) -> bool:
    return control.origin is Origin.INPUT and _is_prompt(control.expression)


def _of_system(control: Control) -> Control:
    return replace(control, lifetime=_SYSTEM.lifetime, origin=_SYSTEM.origin, reason=_SYSTEM.reason)


def _is_prompt(expression: Expression) -> bool:
    """Whether a value is called ``prompt`` and no more: the user's where a user speaks, the system's where it does."""
    return not expression.calls and {name.rpartition(".")[2].lower() for name in expression.names} == {"prompt"}


def _counted_from_the_end(expression: Expression, controls: tuple[Control, ...]) -> Nature | None:
    """Return a counter for what a loop over the history says of its length; an index from the start stays with its turn."""
    loop = next((c for c in reversed(controls) if c.kind is ControlKind.LOOP), None)
    found = next((name for name in expression.names if name in _FROM_THE_END), None)
    if loop is None or loop.origin is not Origin.HISTORY or found is None or Cut.NEWEST in expression.filters:
        return None
    return Nature(Origin.COUNTER, Lifetime.CALL, Confidence.HIGH, f"`{found}` changes in every turn as the history grows")


def _judged(control: Control, variables: Mapping[str, Lifetime], known: dict[Control, Control]) -> Control:
    if control not in known:
        judge = nature_of if control.kind is ControlKind.LOOP else nature_of_test
        nature = judge(control.expression, variables)
        is_doubted = control.confidence is Confidence.LOW  # by the source that read it
        known[control] = replace(
            control,
            lifetime=nature.lifetime,
            origin=nature.origin,
            confidence=Confidence.LOW if is_doubted else nature.confidence,
            reason=control.reason if is_doubted else nature.reason,
        )
    return known[control]
