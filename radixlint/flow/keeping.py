"""What calls gave is told as kept by what outlives one prompt: a value that a process, or an object, draws only once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from radixlint.flow.values import Callback, Facts, Field, Instance, Listed, Mapped, Part, Several, Unknown, Value, Written
from radixlint.prompt import Control, Expression, Segment

PROCESS: Final = "process"
OBJECT: Final = "object"
CACHES: Final = {"cache": PROCESS, "lru_cache": PROCESS, "cached_property": OBJECT, "get": "reading"}
"""Decorators that keep what a function gave first, by their last word; what a getter gives is drawn where it is read."""

# Lists beyond this are tables of data.
_ITEMS_MAX: Final = 200
_DEPTH_MAX: Final = 4
# Objects of libraries that stand for the moment or the number drawn when they were made.
_DRAWN: Final = frozenset({"Date", "ObjectId", "ULID"})

Kept = tuple[tuple[str, str], ...]


def kept_data(value: Value, keeper: str, other: Callable[[Value], Value], depth: int = 0) -> Value:
    """Return ``value`` with all that calls gave kept by ``keeper``, or by nothing where that is empty.

    What has a keeper retains it. ``other`` is given what is no data: objects, functions. A value that does not change is the same
    object.
    """
    if isinstance(value, Unknown):
        kept = _kept(value.facts, keeper)
        return value if kept == value.facts.kept else replace(value, facts=replace(value.facts, kept=kept))
    if isinstance(value, Written):
        parts = tuple([kept_part(part, keeper) for part in value.parts])
        return value if _same(parts, value.parts) else replace(value, parts=parts)
    if depth > _DEPTH_MAX:
        return value
    if isinstance(value, Several):
        choices = tuple((_controls(c, keeper), kept_data(each, keeper, other, depth + 1)) for c, each in value.choices)
        is_same = all(new[0] is old[0] and new[1] is old[1] for new, old in zip(choices, value.choices, strict=True))
        return value if is_same else Several(choices)
    if isinstance(value, Listed | Mapped):
        return _items(value, keeper, other, depth)
    if isinstance(value, Instance) and not value.identity:
        return _instance(value, keeper)
    if isinstance(value, Callback) and value.bound:
        bound = tuple((name, kept_data(each, keeper, other, depth + 1)) for name, each in value.bound)
        return (
            value if all(new[1] is old[1] for new, old in zip(bound, value.bound, strict=True)) else replace(value, bound=bound)
        )
    return other(value)


def _kept(facts: Facts | Expression, keeper: str) -> Kept:
    if not keeper or not facts.calls:
        return ()
    known = {call for call, _ in facts.kept}
    return (*facts.kept, *dict.fromkeys((call, keeper) for call in facts.calls if call not in known))


def _expression(expression: Expression | None, keeper: str) -> Expression | None:
    if expression is None or not expression.calls:
        return expression
    kept = _kept(expression, keeper)
    return expression if kept == expression.kept else replace(expression, kept=kept)


def _controls(controls: tuple[Control, ...], keeper: str) -> tuple[Control, ...]:
    made = tuple(
        control if (told := _expression(control.expression, keeper)) is control.expression else replace(control, expression=told)
        for control in controls
    )
    return controls if _same(made, controls) else made


def kept_part(part: Segment, keeper: str) -> Segment:
    """Return a part of text with what calls gave kept by ``keeper``."""
    expression = _expression(part.expression, keeper)
    controls = _controls(part.controls, keeper) if part.controls else part.controls
    if expression is part.expression and controls is part.controls:
        return part
    return replace(part, expression=expression, controls=controls)


def _items(value: Listed | Mapped, keeper: str, other: Callable[[Value], Value], depth: int) -> Value:
    name = "parts" if isinstance(value, Listed) else "fields"
    items: tuple[Part | Field, ...] = getattr(value, name)
    if len(items) > _ITEMS_MAX:
        return value
    made = tuple([_item(item, keeper, other, depth) for item in items])
    return value if _same(made, items) else replace(value, **{name: made})


def _item(item: Part | Field, keeper: str, other: Callable[[Value], Value], depth: int) -> Part | Field:
    value = kept_data(item.value, keeper, other, depth + 1)
    controls = _controls(item.controls, keeper) if item.controls else item.controls
    return item if value is item.value and controls is item.controls else replace(item, value=value, controls=controls)


def is_drawn(value: Value) -> bool:
    """Whether an object of a library stands for the moment, or the number, at which it was made."""
    return isinstance(value, Instance) and not value.given and value.made.rpartition(".")[2] in _DRAWN


def _instance(value: Instance, keeper: str) -> Instance:
    """Return an object of a library; one that stands for a moment is given that moment."""
    is_fixed = any(key for key, _ in value.given)
    if value.made.rpartition(".")[2] not in _DRAWN or is_fixed or bool(value.given) == bool(keeper):
        return value
    written = f"new {value.made}()" if value.made == "Date" else f"{value.made}()"
    drawn = Unknown(Facts(calls=(value.made,), kept=((value.made, keeper),)), value.span, written)
    return replace(value, given=(("", drawn),) if keeper else ())


def _same(made: tuple[object, ...], old: tuple[object, ...]) -> bool:
    return all(new is each for new, each in zip(made, old, strict=True))
