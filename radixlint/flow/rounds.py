"""Rounds of a loop: the number of each, and which loop it is that tells items apart."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from radixlint.flow.values import Facts, Listed, Unknown, Value
from radixlint.prompt import Control, ControlKind, Span

INDEX: Final = "[index]"
"""Among the filters of a value: it says which round of a loop it is."""
_FACTS: Final = Facts(filters=(INDEX,))


def number_of_round(span: Span) -> Unknown:
    """Return the number of a round of the loop at ``span``."""
    return Unknown(_FACTS, span, "")


def round_of(control: Control, items: Value) -> Control:
    """Return the loop that tells ``items`` apart: the one that made them, where they come from another loop."""
    if not isinstance(items, Listed) or len(items.parts) != 1:
        return control
    return innermost(items.parts[0].controls) or control


def innermost(controls: tuple[Control, ...]) -> Control | None:
    """Return the innermost loop among ``controls``."""
    return next((control for control in reversed(controls) if control.kind is ControlKind.LOOP), None)


def uncounted(value: Value | None) -> Value | None:
    """Return a number as it is behind the loop that counted it: the same for all that follows."""
    if not isinstance(value, Unknown) or INDEX not in value.facts.filters:
        return value
    filters = tuple(name for name in value.facts.filters if name != INDEX)
    return replace(value, facts=replace(value.facts, filters=filters))
