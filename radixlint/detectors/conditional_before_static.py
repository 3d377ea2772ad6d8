"""A condition that differs between requests decides which fixed text is sent, ahead of more fixed text."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit, with_one_guess
from radixlint.prompt import Control, ControlKind, Lifetime, Origin, Prompt, Role, Segment
from radixlint.stake import CountTokens
from radixlint.stake.behind import stakes_of
from radixlint.stake.cause_place import CauseKey
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import value_fields


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the literal tokens that must stand behind the condition."""

    min_tokens: int


def concerns(params: Params, traits: Traits) -> bool:
    """Whether the prompt has a condition."""
    return traits.has_conditions


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each distinct test once, at its opening tag; of tests that nothing is known about only the first."""
    yield from with_one_guess(_hits(prompt, params, count))


def _hits(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    seen: set[CauseKey] = set()
    stakes = stakes_of(prompt, count)
    for controls, indices in _conditions(prompt):
        test = min(controls, key=lambda c: c.lifetime)
        cause = (frozenset(test.expression.names), frozenset(test.expression.calls), test.expression.text)
        if test.lifetime >= Lifetime.DAY or cause in seen or not _decides_fixed_text(prompt, indices, test.lifetime):
            continue
        stake = stakes.behind(indices[-1], test.lifetime, test.confidence)
        if stake.weighs(params.min_tokens) or (stake.has_history and test.lifetime <= Lifetime.TURN):
            seen.add(cause)
            whole = replace(
                prompt.segments[indices[0]],
                controls=(),
                expression=test.expression,
                lifetime=test.lifetime,
                origin=test.origin,
                confidence=test.confidence,
                reason=test.reason,
            )
            opening = min(controls, key=lambda c: c.branch).span
            first = next((i for i in indices if prompt.segments[i].text.strip()), indices[0])
            # Of tools that depend on a test another rule speaks.
            told = opening if all(_is_of_tools(prompt.segments[i]) for i in indices) else None
            yield Hit(first, whole, opening, stake.tokens, value_fields(whole, stake), cause=told)


def _conditions(prompt: Prompt) -> list[tuple[list[Control], list[int]]]:
    """List the conditions outside of growing loops: the controls of their branches, and the segments inside."""
    found: dict[int, tuple[list[Control], list[int]]] = {}
    for index, segment in enumerate(prompt.segments):
        for control in segment.controls:
            if control.kind is ControlKind.LOOP and control.lifetime < Lifetime.STATIC:
                break
            if control.kind is ControlKind.CONDITION:
                controls, indices = found.setdefault(control.node, ([], []))
                indices.append(index)
                if control not in controls:
                    controls.append(control)
    return list(found.values())


def _decides_fixed_text(prompt: Prompt, indices: list[int], lifetime: Lifetime) -> bool:
    """Whether text of longer life hangs on the test, and no value in it, which would be the nearer cause, lives as short."""
    inside = [prompt.segments[i] for i in indices]
    has_nearer_cause = any(not s.is_literal and s.lifetime <= lifetime for s in inside)
    return not has_nearer_cause and any(s.text.strip() if s.is_literal else s.is_long for s in inside)


def _is_of_tools(segment: Segment) -> bool:
    is_blank = segment.is_literal and not segment.text.strip()
    return segment.role is Role.TOOLS or segment.origin is Origin.TOOLS or is_blank
