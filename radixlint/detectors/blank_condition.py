"""A condition that prints nothing but blanks: each outcome leaves another number of line breaks ahead of fixed text."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.prompt import Control, ControlKind, Lifetime, Prompt
from radixlint.stake import CountTokens
from radixlint.stake.behind import stakes_of
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import value_fields


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the literal tokens that must stand behind the condition."""

    min_tokens: int


def concerns(params: Params, traits: Traits) -> bool:
    """Whether the prompt has a condition."""
    return traits.has_conditions


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the first such condition."""
    stakes = stakes_of(prompt, count)
    for control, branches, last in _conditions(prompt):
        if len(set(branches.values())) == 1 or any(text.strip() for text in branches.values()):
            continue
        stake = stakes.behind(last, control.lifetime, control.confidence)
        if stake.holds(params.min_tokens):
            value = replace(
                prompt.segments[last],
                controls=(),
                expression=control.expression,
                lifetime=control.lifetime,
                origin=control.origin,
                confidence=control.confidence,
                reason=control.reason,
            )
            yield Hit(last, value, control.span, stake.tokens, value_fields(value, stake), cause=control.span)
            return


def _conditions(prompt: Prompt) -> list[tuple[Control, dict[int, str], int]]:
    """List outermost conditions that differ between requests: the first test, what each branch prints, its last segment.

    The case that no branch holds prints nothing.
    """
    found: dict[int, tuple[Control, dict[int, str], int]] = {}
    for index, segment in enumerate(prompt.segments):
        control = segment.controls[0] if segment.controls else None
        if control is None or control.kind is not ControlKind.CONDITION or control.lifetime >= Lifetime.DAY:
            continue
        first, branches, _ = found.get(control.node, (control, {-1: ""}, index))
        text = segment.text if segment.is_literal and len(segment.controls) == 1 else "?"
        branches[control.branch] = branches.get(control.branch, "") + text
        if control.branch and control.span == first.span:
            # An ``else``, which is told by the place of its ``if``, leaves no other case.
            branches.pop(-1, None)
        found[control.node] = (first, branches, index)
    return list(found.values())
