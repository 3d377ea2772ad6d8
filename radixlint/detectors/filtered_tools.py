"""Which tools a template prints depends on the user, the session or the turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Chance, Confidence, Control, ControlKind, Lifetime, Origin, Prompt, Role, Segment
from radixlint.stake import CountTokens
from radixlint.stake.behind import stakes_of
from radixlint.stake.cause_place import OWNERS, are_chosen_tools, owning_loop, place_of
from radixlint.stake.tool_names import any_holds, gives_tools
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import value_fields

_ASKERS: Final = frozenset((Origin.TENANT, Origin.USER, Origin.FLAG))
_COMPARES: Final = late_pattern(r"[<>=]|\b(?:in|eq|contains)\b")
_LEAST_GUESSED: Final = 64
"""From so many tokens on that are computed again a choice that nothing is known about is worth a note."""
_LEAST_BEHIND: Final = 16
"""In a template tools may stand at the end, where their choice costs nothing."""


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the ``words`` by which the last part of a name says that it holds tools."""

    words: frozenset[str]


def concerns(params: Params, traits: Traits) -> bool:
    """Whether the prompt holds anything by which tools may be chosen."""
    return traits.is_program or not OWNERS.isdisjoint(traits.origins)


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each such choice once: at the loop or tag that filters, or at the test inside of the loop."""
    is_program = prompt.evidence is not None
    if not is_program and not _may_choose(prompt, params):
        return
    stakes = stakes_of(prompt, count)
    seen: set[object] = set()
    for index, segment in enumerate(prompt.segments):
        if segment.expression is None and not segment.controls:
            continue
        test = _test_in_program(segment) if is_program else _test(segment, params)
        if test is not None:
            place = test.span
        elif _is_chosen(segment) if is_program else are_chosen_tools(segment):
            place = place_of(segment)
        else:
            continue
        if place in seen:
            continue
        seen.add(place)
        judged = _judged(segment, test)
        stake = stakes.behind(index, judged.lifetime)
        if judged.confidence is Confidence.LOW and not stake.weighs(_LEAST_GUESSED):
            continue
        if not is_program and not (stake.has_history or stake.weighs(_LEAST_BEHIND)):
            continue
        fields = value_fields(judged, stake)
        if is_program and not stake.tokens:
            fields["behind"] = "all that the request holds"
        yield Hit(index, judged, place, stake.tokens, fields, has_break=bool(stake.tokens) or not is_program)


def _may_choose(prompt: Prompt, params: Params) -> bool:
    """Whether the template names tools at all."""
    controls = set().union(*(segment.controls for segment in prompt.segments if segment.controls))
    expressions = [*(s.expression for s in prompt.segments if s.expression is not None), *(c.expression for c in controls)]
    return any(any_holds((*e.names, *e.calls), params.words) for e in expressions)


def _test(segment: Segment, params: Params) -> Control | None:
    """Return the condition inside a loop over tools, or around tools, that decides by what differs between requests."""
    controls = segment.controls
    at = next(
        (i for i, c in enumerate(controls) if c.kind is ControlKind.LOOP and _holds_tools(c.expression.names, params)), None
    )
    inner = controls[at + 1 :] if at is not None else ()
    found = next((c for c in inner if c.kind is ControlKind.CONDITION and _differs(c.lifetime, c.confidence)), None)
    is_tools = at is not None or (segment.expression is not None and gives_tools(segment.expression))
    return found or (next(filter(_lets_through, controls[:at]), None) if is_tools else None)


def _lets_through(control: Control) -> bool:
    """Whether a test around tools asks who the request is for, or compares what it is about; that it is given may be usual."""
    if control.kind is not ControlKind.CONDITION or not _differs(control.lifetime, control.confidence):
        return False
    return control.origin in _ASKERS or (control.origin is Origin.INPUT and bool(_COMPARES.search(control.expression.text)))


def _test_in_program(segment: Segment) -> Control | None:
    """Return the condition that decides whether a tool is sent: one known to differ between requests, else one that may."""
    if segment.role is not Role.TOOLS:
        return None
    is_registered = _is_registered(segment)
    # A test of a tool knows what the tool does; only what it knows beyond that chooses.
    tests = [
        c
        for c in segment.controls
        if c.kind is ControlKind.CONDITION
        and c.lifetime <= Lifetime.TENANT
        and not (is_registered and c.reason == segment.reason)
    ]
    guesses = (c for c in tests if segment.is_literal)
    return next((c for c in tests if c.confidence is not Confidence.LOW), None) or next(guesses, None)


def _is_registered(segment: Segment) -> bool:
    """Whether a registry or server gives the tools, and nothing sure is known of what it was asked with: a connection, mostly."""
    return segment.confidence is not Confidence.HIGH and any(taint.chance is Chance.MAPPING for taint in segment.taints)


def _is_chosen(segment: Segment) -> bool:
    """Whether a program takes its tools from what is known to differ between requests."""
    is_list = segment.role is Role.TOOLS and segment.expression is not None and segment.origin in OWNERS
    return is_list and _differs(segment.lifetime, segment.confidence) and not _is_registered(segment)


def _holds_tools(names: tuple[str, ...], params: Params) -> bool:
    return any_holds(names, params.words)


def _differs(lifetime: Lifetime, confidence: Confidence) -> bool:
    return lifetime <= Lifetime.TENANT and confidence is not Confidence.LOW


def _judged(segment: Segment, test: Control | None) -> Segment:
    source: Control | Segment | None = test or owning_loop(segment) or segment
    assert source is not None
    origin = Origin.USER if source.origin is Origin.TOOLS else source.origin
    found = replace(segment, lifetime=source.lifetime, origin=origin, confidence=source.confidence, reason=source.reason)
    return found if test is None else replace(found, expression=test.expression, controls=())
