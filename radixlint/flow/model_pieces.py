"""Functions that put text and items together piece by piece, or hand them on: buffers, folds, gathered results, first items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from radixlint.flow.calls import Context, Outcome, Site
from radixlint.flow.model_orders import element_of, is_set, ordered
from radixlint.flow.values import Absent, Instance, Listed, Part, Value, Written

Function = Callable[[Site, Context], Outcome | None]

_FOLDED_MAX: Final = 60
_ENVIRONMENTS: Final = ("nvironment().from_string", "nvironment.from_string", "env.from_string", "ENV.from_string")


def _gathered(site: Site, context: Context) -> Outcome | None:
    """``asyncio.gather(a(), b())`` gives what each gives, in the order of the arguments."""
    if any(argument.is_spread for argument in site.node.arguments):
        return None
    return Outcome(Listed(tuple(Part(value, site.span) for value in site.positional), site.span))


def _next(site: Site, context: Context) -> Outcome | None:
    """Which item of a set comes first is left to chance."""
    value = site.argument("", 0)
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
    return Outcome(Listed(tuple(Part(value, site.span) for value in site.positional[:1]), site.span))


def _written(site: Site, context: Context) -> Outcome | None:
    receiver = site.receiver
    if not isinstance(receiver, Listed) or not site.positional:
        return None
    return Outcome(Absent(), Listed((*receiver.parts, Part(site.positional[0], site.span)), receiver.span))


def _template(site: Site, context: Context) -> Outcome | None:
    """``environment.from_string(text)`` is a template like ``Template(text)``."""
    text = site.argument("source", 0)
    if not isinstance(text, Written) or not site.name.endswith(_ENVIRONMENTS):
        return None
    return Outcome(Instance(site.name, (("0", text),), site.span))


PIECES: Final[dict[str, Function]] = {
    **dict.fromkeys(("asyncio.gather", "anyio.gather"), _gathered),
    "next": _next,
    "dict.fromkeys": _from_keys,
    **dict.fromkeys(("functools.reduce", "reduce"), _folded),
    **dict.fromkeys(("io.StringIO", "StringIO"), _buffer),
}
PIECES_BY_LAST: Final[dict[str, Function]] = {"write": _written, "from_string": _template, "reduce": _folded}
"""By the last part of the name: each looks at its receiver itself."""
