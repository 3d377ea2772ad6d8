"""What methods of lists do that take a function for their items: ``map``, ``flatMap``, ``filter``, ``reduce``, ``Array.from``.

Of a list that is written out each item goes through the function; of all others one does, in a loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Context, Outcome, Site
from radixlint.flow.merging import looped
from radixlint.flow.merging_facts import NO_FACTS, carried, facts_of, joined
from radixlint.flow.model_orders import ITEMS_MAX, element_of, order_taints, written_out
from radixlint.flow.rounds import innermost, number_of_round
from radixlint.flow.values import Absent, Callback, Facts, Listed, Mapped, Number, Part, Unknown, Value
from radixlint.prompt import Control, Span

_MAPPED_MAX: Final = 60
_ITEM: Final = "[item]"
_OWN_MODULES: Final = ("/", "./", "../", "@/", "~/")
"""Ahead of what a program imports of itself."""


def mapped(site: Site, context: Context) -> Outcome | None:
    """``items.map(f)``: one part a part, through ``f``."""
    receiver, function = site.receiver, site.argument("", 0)
    if function is None or receiver is None:
        return None
    return Outcome(mapped_by(receiver, function, site, context))


def mapped_by(items: Value, function: Value, site: Site, context: Context) -> Listed:
    """Return what ``function`` gives for the items of a list, or for as many as the ``length`` of an object says."""
    if isinstance(items, Mapped) and (size := items.get("length")) is not None:
        return _counted(size, function, site, context)
    if not isinstance(items, Listed) or len(items.parts) > _MAPPED_MAX:
        items = Listed((Part(items, site.span, is_spread=True),), site.span)
    taints = order_taints(items, site.span)
    parts = tuple(_through(part, at, function, site, context) for at, part in enumerate(items.parts))
    return Listed(parts, site.span, "list", taints)


def _through(part: Part, at: int, function: Value, site: Site, context: Context) -> Part:
    if not part.is_spread:
        around = innermost(part.controls)
        if around is not None:
            return replace(part, value=_in_round(around, function, part.value, site, context))
        return replace(part, value=_result(function, part.value, Number(at, site.span), site, context))
    loop = context.loop(site.node, part.value)
    item = carried(element_of(part.value, site.span), loop.span)
    return Part(_in_round(loop, function, item, site, context), part.span, (*part.controls, loop))


def _in_round(loop: Control, function: Value, item: Value, site: Site, context: Context) -> Value:
    """Return what a function gives for one of the items that a loop goes through, whose number is not known."""
    context.rounds.append(loop)
    try:
        return _result(function, item, number_of_round(loop.span), site, context)
    finally:
        context.rounds.pop()


def numbered(items: Value, first: int | None, site: Site, context: Context) -> Listed:
    """Return pairs of a number, from ``first`` on if that is known, and an item."""
    if isinstance(items, Listed) and not any(part.is_spread for part in items.parts):
        pairs, is_counted = [], first is not None
        for at, part in enumerate(items.parts):
            is_counted = is_counted and not part.controls
            around = innermost(part.controls)
            number = Number((first or 0) + at, site.span) if is_counted else number_of_round((around or site).span)
            pairs.append(Part(_pair(number, part.value, part.span), part.span, part.controls))
        return Listed(tuple(pairs), site.span, "list", order_taints(items, site.span))
    loop = context.loop(site.node, items)
    pair = _pair(number_of_round(loop.span), carried(element_of(items, site.span), loop.span), site.span)
    return Listed((Part(pair, site.span, (loop,)),), site.span)


def _pair(one: Value, other: Value, span: Span) -> Listed:
    return Listed((Part(one, span), Part(other, span)), span, "tuple")


def _result(function: Value, item: Value, index: Value, site: Site, context: Context) -> Value:
    """Return what a function gives for an item; one of the tree may ask for its number, too."""
    code = getattr(function.target, "function", None) if isinstance(function, Callback) else None
    asks = code is not None and len(code.parameters) > 1
    return context.invoke(function, (item, index) if asks else (item,), (), site.span)


def _counted(size: Value, function: Value, site: Site, context: Context) -> Listed:
    number = size.value if isinstance(size, Number) else None
    if isinstance(number, int) and 0 <= number <= ITEMS_MAX:
        made = [_result(function, Absent(), Number(at, site.span), site, context) for at in range(number)]
        return Listed(tuple(Part(value, site.span) for value in made), site.span)
    loop = context.loop(site.node, size)
    return Listed((Part(_in_round(loop, function, Absent(), site, context), site.span, (loop,)),), site.span)


def flat_mapped(site: Site, context: Context) -> Outcome | None:
    """``items.flatMap(f)``: lists that ``f`` gives are taken apart."""
    found = mapped(site, context)
    if found is None or not isinstance(found.result, Listed):
        return found
    return Outcome(replace(found.result, parts=tuple(one for part in found.result.parts for one in _flat(part))))


def _flat(part: Part) -> Iterator[Part]:
    if isinstance(part.value, Listed):
        yield from (replace(inner, controls=(*part.controls, *inner.controls)) for inner in part.value.parts)
    else:
        yield replace(part, is_spread=isinstance(part.value, Unknown))


def filtered(site: Site, context: Context) -> Outcome | None:
    """``items.filter(f)``: what is known is kept; of a list from elsewhere it is told what decides."""
    receiver, function = site.receiver, site.argument("", 0)
    if receiver is None or function is None:
        return None
    if isinstance(receiver, Listed):
        return Outcome(_chosen(receiver, function, site, context))
    element = element_of(receiver, site.span)
    test = context.invoke(function, (element,), (), site.span)
    told = facts_of(test)
    if told == NO_FACTS:
        return Outcome(receiver)
    if isinstance(receiver, Listed):
        if not any(_is_apart(name, element) for name in told.names):
            return Outcome(receiver)
        # Which of the items are kept depends on more than the items.
        chosen = tuple(replace(part, controls=(*part.controls, context.condition(site.node, test))) for part in receiver.parts)
        return Outcome(replace(receiver, parts=chosen, identity=0))
    if not set(told.names) <= set(facts_of(element).names) and isinstance(element, Unknown):
        # What is kept depends on more than the items themselves.
        controls = (context.loop(site.node, receiver), context.condition(site.node, test))
        return Outcome(Listed((Part(element, site.span, controls),), site.span))
    return Outcome(joined((receiver,), site.span, site.text, told))


def _is_apart(name: str, element: Value) -> bool:
    """Whether a name is of something else than the items of a list."""
    return not any(f"{name}.".startswith(f"{own}.") for own in facts_of(element).names)


def asked(site: Site, context: Context) -> Outcome | None:
    """``items.some(f)`` and ``items.every(f)``: the answer depends on the items, and on all that ``f`` looks at."""
    receiver, function = site.receiver, site.argument("", 0)
    if receiver is None or not isinstance(function, Callback):
        return None
    told = context.invoke(function, (element_of(receiver, site.span),), (), site.span)
    return Outcome(joined((receiver, told), site.span, site.text))


def filtered_elsewhere(site: Site, context: Context) -> Outcome | None:
    """``ITEMS.filter(f)`` of a module that is not in the tree: told only where more than the items decides."""
    function = site.argument("", 0)
    if not site.name.startswith(_OWN_MODULES) or not isinstance(function, Callback):
        return None
    name = site.text.partition(".")[0]
    items = Listed((Part(Unknown(Facts(), site.span, name), site.span, is_spread=True),), site.span)
    found = _chosen(items, function, site, context)
    return Outcome(found) if found is not items else None


def _chosen(items: Listed, function: Value, site: Site, context: Context) -> Listed:
    """Return items, each under the condition that keeps it if more than itself decides; messages are left as they are."""
    if not isinstance(function, Callback) or any(isinstance(p.value, Mapped) and p.value.get("role") for p in items.parts):
        return items
    span = site.span
    told = facts_of(_result(function, Unknown(Facts((_ITEM,)), span, _ITEM, _ITEM), Unknown(Facts(), span, ""), site, context))
    names = tuple(name for name in told.names if not f"{name}.".startswith(f"{_ITEM}."))
    if not names:
        return items
    test = Unknown(replace(told, names=names), span, site.text)
    return replace(items, parts=tuple(_kept_if(part, test, site, context) for part in items.parts), identity=0)


def _kept_if(part: Part, test: Value, site: Site, context: Context) -> Part:
    loop = (context.loop(site.node, part.value),) if part.is_spread else ()
    value = element_of(part.value, site.span) if part.is_spread else part.value
    return Part(value, part.span, (*part.controls, *loop, context.condition(site.node, test)))


def reduced(site: Site, context: Context) -> Outcome | None:
    """``items.reduce(f, start)``: what ``f`` makes of ``start`` and one item after another."""
    receiver, function = site.receiver, site.argument("", 0)
    if receiver is None or not isinstance(function, Callback):
        return None
    items, start = written_out(receiver), site.argument("", 1)
    if items is None:
        element = element_of(receiver, site.span)
        start = element if start is None else start
        after = context.invoke(function, (start, element), (), site.span)
        return Outcome(looped(start, after, context.loop(site.node, receiver)) or after)
    first, *rest = items if start is None and items else [start or Absent(), *items]
    for item in rest:
        first = context.invoke(function, (first, item), (), site.span)
    return Outcome(first)
