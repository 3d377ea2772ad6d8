"""Functions that put text and items together piece by piece, or hand them on: buffers, folds, gathered results, first items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Context, Outcome, Site
from radixlint.flow.model_orders import element_of, is_set, ordered
from radixlint.flow.values import Absent, Instance, Listed, Part, Value, Written
from radixlint.prompt import Segment

Function = Callable[[Site, Context], Outcome | None]

_FOLDED_MAX: Final = 60
BUFFER: Final = "buffer"
"""The kind of list that a buffer of text is."""
_ENVIRONMENTS: Final = ("nvironment().from_string", "nvironment.from_string", "env.from_string", "ENV.from_string")


def _next(site: Site, context: Context) -> Outcome | None:
    """Which item of a set comes first is left to chance; a generator gives its items in order, each once."""
    value = site.argument("", 0)
    if isinstance(value, Listed) and value.kind == "generator" and value.parts:
        first = value.parts[0]
        if first.controls or first.is_spread or value.taints:
            return None
        return Outcome(first.value, None, ((0, replace(value, parts=value.parts[1:])),))
    return Outcome(element_of(value, site.span)) if value is not None and is_set(value) else None


def _from_keys(site: Site, context: Context) -> Outcome | None:
    """``dict.fromkeys(items)`` has its keys in the order of the items."""
    value = site.argument("", 0)
    return Outcome(ordered(value, site.span)) if isinstance(value, Listed) else None


def _folded(site: Site, context: Context) -> Outcome | None:
    """``reduce(f, items, start)`` and ``items.reduce(f, start)``: the items go through ``f`` one after another."""
    function, given = site.argument("", 0), list(site.positional[1:])
    items = site.receiver if isinstance(site.receiver, Listed) else given.pop(0) if given else None
    if function is None or not isinstance(items, Listed) or is_set(items) or len(items.parts) > _FOLDED_MAX:
        return None
    if any(part.is_spread or part.controls for part in items.parts):
        return None
    values: list[Value] = [*given[:1], *(part.value for part in items.parts)]
    total = values[0] if values else None
    for value in values[1:]:
        total = context.invoke(function, (total, value), (), site.span) if total is not None else None
    return Outcome(total) if total is not None else None


def _buffer(site: Site, context: Context) -> Outcome | None:
    """A buffer of text is the list of what is written to it."""
    return Outcome(Listed(tuple(Part(value, site.span) for value in site.positional[:1]), site.span, BUFFER))


def _printed_to(site: Site, context: Context) -> Outcome | None:
    """``print(a, b, file=buffer)`` writes to a buffer as ``buffer.write`` does."""
    buffer = dict(site.named).get("file")
    if not isinstance(buffer, Listed):
        return None
    space = Segment(" ", site.span, offsets=((site.span.line, site.span.column),))
    separator, end = site.argument("sep") or Written((space,)), site.argument("end") or Written((replace(space, text="\n"),))
    pieces: list[Value] = []
    for number, value in enumerate(site.positional):
        pieces.extend((separator, value) if number else (value,))
    spread = dict(site.named).get("*")
    parts = [Part(value, site.span) for value in (*pieces, end)]
    if isinstance(spread, Listed):
        parts = [*parts[:-1], *ordered(spread, site.span).parts, parts[-1]]
    return Outcome(Absent(), None, (("file", replace(buffer, parts=(*buffer.parts, *parts))),))


def _written_lines(site: Site, context: Context) -> Outcome | None:
    receiver, lines = site.receiver, site.argument("", 0)
    if not isinstance(receiver, Listed) or lines is None:
        return None
    if not isinstance(lines, Listed):
        return Outcome(Absent(), replace(receiver, parts=(*receiver.parts, Part(lines, site.span, is_spread=True))))
    found = ordered(lines, site.span)
    taints = tuple(dict.fromkeys((*receiver.taints, *found.taints)))
    return Outcome(Absent(), replace(receiver, parts=(*receiver.parts, *found.parts), taints=taints))


def _written(site: Site, context: Context) -> Outcome | None:
    receiver = site.receiver
    if not isinstance(receiver, Listed) or not site.positional:
        return None
    return Outcome(Absent(), replace(receiver, parts=(*receiver.parts, Part(site.positional[0], site.span))))


def _template(site: Site, context: Context) -> Outcome | None:
    """``environment.from_string(text)`` is a template like ``Template(text)``."""
    text = site.argument("source", 0)
    if not isinstance(text, Written) or not site.name.endswith(_ENVIRONMENTS):
        return None
    return Outcome(Instance(site.name, (("0", text),), site.span))


PIECES: Final[dict[str, Function]] = {
    "print": _printed_to,
    "next": _next,
    "dict.fromkeys": _from_keys,
    **dict.fromkeys(("functools.reduce", "reduce"), _folded),
    **dict.fromkeys(("io.StringIO", "StringIO"), _buffer),
}
PIECES_BY_LAST: Final[dict[str, Function]] = {
    "write": _written,
    "writelines": _written_lines,
    "from_string": _template,
    "reduce": _folded,
}
"""By the last part of the name: each looks at its receiver itself."""
