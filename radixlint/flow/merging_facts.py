"""What a value is made of, whatever its form: facts of several values together, and the one source to point at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from radixlint.flow.values import (
    Absent,
    Callback,
    Facts,
    Field,
    Instance,
    Library,
    Listed,
    Mapped,
    Number,
    Part,
    Several,
    Unknown,
    Value,
    Written,
)
from radixlint.prompt import Control, Expression, Segment, Span, Taint

T = TypeVar("T")
# What depends on more than this is not told apart any better by further names.
_FACTS_MAX: Final = 32
_LEAVES_MAX: Final = 200
_PLACES_MAX: Final = 8
_TEXT_MAX: Final = 300
_DEPTH_MAX: Final = 12
NO_FACTS: Final = Facts()

Leaf = Unknown | Segment | Expression | Taint


def leaves(values: Iterable[Value | None]) -> Iterator[Leaf]:
    """Yield what is not fixed inside of ``values``: unknown values, parts of text, conditions and loops, taints of order."""
    stack: list[Any] = list(values)[::-1]
    for _ in range(_LEAVES_MAX):
        if not stack:
            return
        item = stack.pop()
        kind = type(item)
        if kind is Unknown:
            yield item
        elif kind is Written:
            yield from _leaves_of_text(item)
        elif kind is Control:
            yield item.expression
        elif kind not in _FACTLESS:
            yield from getattr(item, "taints", ())
            stack.extend(_inside(item)[::-1])


def _leaves_of_text(value: Written) -> Iterator[Leaf]:
    for segment in value.parts[:_LEAVES_MAX]:
        for control in segment.controls:
            yield control.expression
        if segment.expression is not None:
            yield segment
        elif segment.taints:
            yield from segment.taints


def _inside(item: Any) -> list[Any]:
    kind = type(item)
    if kind is Part or kind is Field:
        return [*item.controls, item.value]
    if isinstance(item, Listed):
        return list(item.parts[:_LEAVES_MAX])
    if isinstance(item, Mapped):
        return list(item.fields[:_LEAVES_MAX])
    if isinstance(item, Instance):
        return [value for _, value in item.given]
    if isinstance(item, Callback):
        return [value for _, value in item.bound]
    if isinstance(item, Several):
        return [each for controls, value in item.choices for each in (*controls, value)]
    return []


def facts_of(*values: Value | None) -> Facts:
    """Return the facts of all values together, each once, in order."""
    known: list[Facts] = []
    for value in values:
        kind = type(value)
        if kind is Unknown:
            known.append(value.facts)  # type: ignore[union-attr]
        elif kind not in _FACTLESS:
            known.extend(_facts(leaf) for leaf in leaves((value,)))
    return union(known)


def _facts(leaf: Leaf) -> Facts:
    if isinstance(leaf, Unknown):
        return leaf.facts
    if isinstance(leaf, Taint):
        return Facts(taints=(leaf,))
    if isinstance(leaf, Expression):
        return Facts(leaf.names, leaf.calls, leaf.filters, leaf.constants, kept=leaf.kept)
    found = leaf.expression or Expression("")
    return Facts(found.names, found.calls, found.filters, found.constants, leaf.taints, leaf.related, found.kept)


_FACTLESS: Final = frozenset({type(None), Number, Library, Absent})


def union(known: Iterable[Facts]) -> Facts:
    """Return all facts together, each once, in the order given."""
    known = list({id(facts): facts for facts in known if facts is not NO_FACTS}.values())
    if len(known) < 2:
        return known[0] if known else NO_FACTS
    return Facts(
        _each([facts.names for facts in known]),
        _each([facts.calls for facts in known]),
        _each([facts.filters for facts in known]),
        _each([facts.constants for facts in known]),
        _each([facts.taints for facts in known]),
        _each([facts.places for facts in known])[:_PLACES_MAX],
        _each([facts.kept for facts in known]),
    )


def _each(groups: list[tuple[T, ...]]) -> tuple[T, ...]:
    found: dict[T, None] = {}
    last: tuple[T, ...] = ()
    for group in groups:
        if group and group is not last:
            last = group
            found.update(dict.fromkeys(group))
            if len(found) >= _FACTS_MAX:
                break
    return tuple(found)[:_FACTS_MAX] if found else ()


def joined(values: Iterable[Value | None], span: Span, text: str, extra: Facts = NO_FACTS) -> Unknown:
    """Return a value that is made of ``values`` in a way that is not known.

    Its source is the one value inside that a call made, or the one unknown value; else the whole expression at ``span``.
    """
    known = tuple(values)
    facts = union((facts_of(*known), extra)) if extra is not NO_FACTS else facts_of(*known)
    source = None if extra.calls and not facts.calls[: -len(extra.calls)] else source_of(known)
    where, what = source or (span, text)
    return Unknown(facts, where, what[:_TEXT_MAX])


def source_of(values: Iterable[Value | None]) -> tuple[Span, str] | None:
    """Return place and text of the one source inside of ``values``, None if there is none or more than one."""
    made: dict[Span, str] = {}
    named: dict[Span, str] = {}
    for leaf in leaves([value for value in values if type(value) not in _FACTLESS]):
        if isinstance(leaf, Unknown):
            (made if leaf.facts.calls else named)[leaf.span] = leaf.text
        elif isinstance(leaf, Segment) and leaf.expression is not None:
            (made if leaf.expression.calls else named)[leaf.span] = leaf.expression.text
    found = made or named
    return next(iter(found.items())) if len(found) == 1 else None


def taints_of(value: Value | None) -> tuple[Taint, ...]:
    """Return every taint inside of ``value``."""
    return facts_of(value).taints


def carried(value: Value, span: Span, depth: int = 0) -> Value:
    """Return ``value`` as it comes through the call at ``span``: what is not fixed has the call among its places."""
    if isinstance(value, Unknown):
        if span == value.span or span in value.facts.places or len(value.facts.places) >= _PLACES_MAX:
            return value
        return replace(value, facts=replace(value.facts, places=(*value.facts.places, span)))
    if isinstance(value, Written):
        parts = tuple(_passed(part, span) for part in value.parts)
        is_same = all(new is old for new, old in zip(parts, value.parts, strict=True))
        return value if is_same else replace(value, parts=parts)
    if isinstance(value, Number) or depth > _DEPTH_MAX:
        return value
    if isinstance(value, Listed | Mapped):
        return _carried_items(value, span, depth)
    if isinstance(value, Several):
        return Several(tuple((controls, carried(choice, span, depth + 1)) for controls, choice in value.choices))
    return value


def _carried_items(value: Listed | Mapped, span: Span, depth: int) -> Value:
    name = "parts" if isinstance(value, Listed) else "fields"
    items: tuple[Part | Field, ...] = getattr(value, name)
    if len(items) > _LEAVES_MAX:
        return value
    found = [carried(item.value, span, depth + 1) for item in items]
    if all(new is item.value for new, item in zip(found, items, strict=True)):
        return value
    changed = tuple(replace(item, value=new) for item, new in zip(items, found, strict=True))
    return replace(value, **{name: changed})


def _passed(part: Segment, span: Span) -> Segment:
    if part.expression is None or span == part.span or span in part.related or len(part.related) >= _PLACES_MAX:
        return part
    return replace(part, related=(*part.related, span))
