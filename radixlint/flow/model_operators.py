"""Operators that are called as functions: ``operator.add``, ``text.__add__``, ``sum``, methods of a type given their object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Context, Outcome, Site
from radixlint.flow.model_orders import written_out
from radixlint.flow.values import Listed, Mapped, Number, Value, Written

Function = Callable[[Site, Context], Outcome | None]

_SIGNS: Final = {"add": "+", "concat": "+", "iadd": "+", "iconcat": "+", "mod": "%", "mul": "*", "or_": "|", "ior": "|"}
_SIGNS_OF_METHODS: Final = {"__add__": "+", "__iadd__": "+", "__mod__": "%", "__mul__": "*", "__or__": "|"}
_TYPES: Final = ("str.", "bytes.")
_FORMATTERS: Final = ("string.Formatter().format", "string.Formatter().vformat")


def operated(site: Site, context: Context) -> Outcome | None:
    """Return what an operator gives that is called by its name, None for all other calls."""
    module, _, last = site.name.rpartition(".")
    if module == "operator" and last in _SIGNS and len(site.positional) == 2:
        return Outcome(context.operated(_SIGNS[last], list(site.positional), site.node))
    if last in _SIGNS_OF_METHODS and site.receiver is not None and len(site.positional) == 1:
        return Outcome(context.operated(_SIGNS_OF_METHODS[last], [site.receiver, *site.positional], site.node))
    return None


def of_type(site: Site) -> Site | None:
    """Return ``str.join(separator, items)`` as ``separator.join(items)``, None if no such call is made."""
    if site.name.endswith(_FORMATTERS) and site.positional and isinstance(site.positional[0], Written):
        return _of_formatter(site)
    if not site.name.startswith(_TYPES) or not site.positional or not isinstance(site.positional[0], Written):
        return None
    return replace(site, name=site.name[site.name.index(".") :], receiver=site.positional[0], positional=site.positional[1:])


def _of_formatter(site: Site) -> Site:
    """Return ``string.Formatter().format(text, ...)`` as ``text.format(...)``."""
    text, *rest = site.positional
    if site.name.endswith(".format"):
        return replace(site, name=".format", receiver=text, positional=tuple(rest))
    values = rest[0].parts if rest and isinstance(rest[0], Listed) else ()
    fields = rest[1].fields if len(rest) > 1 and isinstance(rest[1], Mapped) else ()
    named = tuple((field.key, field.value) for field in fields if field.key is not None)
    return replace(site, name=".format", receiver=text, positional=tuple(part.value for part in values), named=named)


def _summed(site: Site, context: Context) -> Outcome | None:
    """``sum(lists, [])`` is one list; a sum of numbers is not followed."""
    items, start = site.argument("", 0), site.argument("start", 1)
    values = written_out(items) if items is not None else None
    if values is None or not isinstance(start, Listed | Written):
        return None
    return Outcome(context.operated("+", [start, *values], site.node))


def _added_up(site: Site, context: Context) -> Outcome | None:
    """``itertools.accumulate(texts)``: its last item holds all of them."""
    items = site.argument("", 0)
    values = written_out(items) if items is not None and len(site.positional) == 1 else None
    if not values or any(isinstance(value, Number) for value in values):
        return None
    totals: list[Value] = [values[0]]
    for value in values[1:]:
        totals.append(context.operated("+", [totals[-1], value], site.node))
    parts = items.parts if isinstance(items, Listed) else ()
    return Outcome(Listed(tuple(replace(part, value=each) for part, each in zip(parts, totals, strict=True)), site.span))


OPERATORS: Final[dict[str, Function]] = {"sum": _summed, "itertools.accumulate": _added_up}
