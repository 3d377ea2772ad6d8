"""One request of many: lists whose items are each sent in a request of their own, and what a loop makes different in each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Site
from radixlint.flow.rounds import INDEX, innermost
from radixlint.flow.sink_table import Sink
from radixlint.flow.unit_layout import is_messages
from radixlint.flow.values import Listed, Part, Several, Value
from radixlint.prompt import COUNTED, EACH, Control, ControlKind, Segment

_ITEMS_MAX: Final = 24


def requests_of(site: Site, sink: Sink) -> Iterator[Site]:
    """Yield the call once for each item of a list of which each is a request of its own, else the call as it is."""
    for name in sink.items:
        given = site.argument(name, int(name) if name.isdigit() else None)
        items = list(_items(given))[:_ITEMS_MAX] if given is not None else []
        if items:
            for item in items:
                yield _with(site, name, item)
            return
    yield site


def _items(value: Value) -> Iterator[Part]:
    """Yield the items of a list that are prompts each: all but the messages of one conversation."""
    if isinstance(value, Several):
        for _, choice in value.choices:
            yield from _items(choice)
    elif isinstance(value, Listed) and not is_messages(value):
        yield from (part for part in value.parts if not part.is_spread)


def _with(site: Site, name: str, item: Part) -> Site:
    """Return the call with one item in place of the list."""
    loop = innermost(item.controls) or site.loop
    if any(key == name for key, _ in site.named):
        named = tuple((key, item.value if key == name else value) for key, value in site.named)
        return replace(site, named=named, loop=loop)
    at = int(name)
    return replace(site, positional=(*site.positional[:at], item.value, *site.positional[at + 1 :]), loop=loop)


def of_round(segment: Segment, loop: Control | None) -> Segment:
    """Return a part of a request that is made in ``loop`` with what that says of it.

    The number of the round is another one in each request; so is what is known as nothing but an item of the loop. In which
    order the items come is no matter, since each request has one.
    """
    expression = segment.expression
    if loop is None or expression is None or any(control.kind is ControlKind.LOOP for control in segment.controls):
        return segment
    if INDEX in expression.filters and not (expression.names or expression.calls):
        return replace(segment, expression=replace(expression, filters=(COUNTED,)))
    if loop.span != segment.span and loop.span not in segment.related:
        return segment
    taints = tuple(taint for taint in segment.taints if taint.span != loop.span)
    return replace(segment, expression=replace(expression, filters=(*expression.filters, EACH)), taints=taints)
