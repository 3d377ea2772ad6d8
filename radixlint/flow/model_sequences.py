"""Functions that make lists and dicts out of others: pairs, chains, groups, what ``map`` makes of each item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from radixlint.flow.calls import Context, Outcome, Site
from radixlint.flow.merging_facts import carried, joined
from radixlint.flow.model_callbacks import numbered
from radixlint.flow.model_orders import element_of, is_set, order_taints, written_out
from radixlint.flow.rounds import number_of_round
from radixlint.flow.values import GENERATOR, Field, Listed, Mapped, Number, Part, Value, Written

Function = Callable[[Site, Context], Outcome | None]


def _first(site: Site) -> Value | None:
    return site.positional[0] if site.positional else None


def made_dict(site: Site, context: Context) -> Outcome | None:
    """``dict(items, name=value)``, and classes of the library that are made alike."""
    given = tuple(Field(None if key == "**" else key, each, site.span, is_spread=key == "**") for key, each in site.named)
    if site.name.endswith("ChainMap"):
        # The first mapping that has a key counts.
        fields = tuple(field for value in reversed(site.positional) for field in _entries(value, site))
        return Outcome(Mapped((*fields, *given), site.span))
    value = _first(site)
    taints = value.taints if isinstance(value, Mapped | Listed) else ()
    is_factory = site.name.endswith("defaultdict")
    values = (site.argument("", 1) if is_factory else value,)
    fields = tuple(field for value in values for field in _entries(value, site))
    return Outcome(Mapped((*fields, *given), site.span, taints))


def _entries(value: Value | None, site: Site) -> tuple[Field, ...]:
    """Return the entries of what a dict is made of: another mapping, or pairs of a key and a value."""
    if value is None:
        return ()
    if isinstance(value, Mapped):
        return value.fields
    pairs = [part.value for part in value.parts] if isinstance(value, Listed) and not is_set(value) else []
    if not pairs or any(not isinstance(pair, Listed) or len(pair.parts) != 2 for pair in pairs):
        return (Field(None, value, site.span, is_spread=True),)
    fields = []
    for part, pair in zip(value.parts if isinstance(value, Listed) else (), pairs, strict=True):
        key, item = (each.value for each in pair.parts) if isinstance(pair, Listed) else (pair, pair)
        fields.append(Field(key.fixed if isinstance(key, Written) else None, item, part.span, part.controls))
    return tuple(fields)


def _fixed_sequence(site: Site, context: Context) -> Outcome | None:
    """``deepcopy``, ``reversed``, ``chain``: items of all that goes in, in order."""
    values = site.positional
    if len(values) == 1 and site.name.endswith("reversed"):
        value = values[0]
        return Outcome(msgspec.structs.replace(value, parts=value.parts[::-1]) if isinstance(value, Listed) else value)
    if len(values) == 1 and site.name.endswith("from_iterable"):
        return Outcome(_flat(values[0], site))
    parts = [part for v in values for part in (v.parts if isinstance(v, Listed) else (Part(v, site.span, is_spread=True),))]
    taints = tuple(taint for v in values for taint in order_taints(v, site.span))
    return Outcome(Listed(tuple(parts), site.span, "list", taints))


def _flat(value: Value, site: Site) -> Value:
    """Return the items of the lists in a list."""
    if not isinstance(value, Listed):
        return value
    parts: list[Part] = []
    taints = list(order_taints(value, site.span))
    for part in value.parts:
        inner = part.value
        if part.is_spread or not isinstance(inner, Listed):
            parts.append(msgspec.structs.replace(part, is_spread=True))
            continue
        taints.extend(order_taints(inner, site.span))
        parts.extend(msgspec.structs.replace(each, controls=(*part.controls, *each.controls)) for each in inner.parts)
    return Listed(tuple(parts), site.span, "list", tuple(dict.fromkeys(taints)))


def _enumerated(site: Site, context: Context) -> Outcome | None:
    value, start = _first(site), site.argument("start", 1)
    if value is None:
        return None
    first = start.value if isinstance(start, Number) else 0 if start is None else None
    return Outcome(numbered(value, first if isinstance(first, int) else None, site, context))


def _ranged(site: Site, context: Context) -> Outcome | None:
    """``range(n)``: which number it is, the round says."""
    loop = context.loop(site.node, joined(site.positional, site.span, site.text))
    return Outcome(Listed((Part(number_of_round(loop.span), site.span, (loop,)),), site.span))


def _zipped(site: Site, context: Context) -> Outcome | None:
    """``zip(a, b)``: pair by pair where all lists are written out."""
    known = [written_out(value) for value in site.positional]
    lists = [items for items in known if items is not None]
    if lists and len(lists) == len(site.positional):
        rows = (tuple(Part(value, site.span) for value in row) for row in zip(*lists, strict=False))
        taints = tuple(taint for value in site.positional for taint in order_taints(value, site.span))
        return Outcome(Listed(tuple(Part(Listed(row, site.span, "tuple"), site.span) for row in rows), site.span, "list", taints))
    elements = tuple(Part(element_of(value, site.span), site.span) for value in site.positional)
    loop = context.loop(site.node, Listed(elements, site.span))
    elements = tuple(msgspec.structs.replace(part, value=carried(part.value, loop.span)) for part in elements)
    return Outcome(Listed((Part(Listed(elements, site.span, "tuple"), site.span, (loop,)),), site.span))


def mapped(site: Site, context: Context) -> Outcome | None:
    """``map(f, items)``, ``filter(f, items)``."""
    if len(site.positional) < 2:
        return None
    function, value = site.positional[:2]
    if site.name == "filter":
        return Outcome(value)
    if isinstance(value, Listed) and not any(part.is_spread for part in value.parts):
        is_star = site.name.endswith("starmap")
        parts = tuple(
            Part(context.invoke(function, _arguments(p.value, is_star), (), site.span), p.span, p.controls) for p in value.parts
        )
        return Outcome(Listed(parts, site.span, "list", order_taints(value, site.span)))
    loop = context.loop(site.node, value)
    context.rounds.append(loop)
    try:
        result = context.invoke(function, (carried(element_of(value, site.span), loop.span),), (), site.span)
    finally:
        context.rounds.pop()
    return Outcome(Listed((Part(result, site.span, (loop,)),), site.span))


def _arguments(item: Value, is_star: bool) -> tuple[Value, ...]:
    return tuple(part.value for part in item.parts) if is_star and isinstance(item, Listed) else (item,)


def _grouped(site: Site, context: Context) -> Outcome | None:
    """``itertools.groupby(items, key)``: groups in the order of the items, which is told where that is left to chance."""
    value, key = _first(site), site.argument("key", 1)
    taints = order_taints(value, site.span) if value is not None else ()
    if value is None or not taints:
        return None
    element = element_of(value, site.span)
    found = context.invoke(key, (element,), (), site.span) if key is not None else element
    pair = Listed((Part(found, site.span), Part(value, site.span)), site.span, "tuple")
    return Outcome(Listed((Part(pair, site.span),), site.span, "list", taints))


def _wrapped(site: Site, context: Context) -> Outcome | None:
    """``textwrap.wrap(text)``: where its lines end is not worked out."""
    value = site.argument("text", 0)
    return Outcome(Listed((Part(value, site.span),), site.span)) if isinstance(value, Written) else None


def _lazy(function: Function) -> Function:
    """Return ``function``, whose items Python does not make before they are gone through."""

    def made(site: Site, context: Context) -> Outcome | None:
        outcome = function(site, context)
        if outcome is None or not isinstance(outcome.result, Listed) or is_set(outcome.result):
            return outcome
        return Outcome(msgspec.structs.replace(outcome.result, kind=GENERATOR))

    return made


def _table(function: Function, names: str) -> dict[str, Function]:
    return dict.fromkeys(names.split(), function)


SEQUENCES: Final[dict[str, Function]] = {
    **_table(
        made_dict,
        "dict collections.OrderedDict OrderedDict collections.defaultdict defaultdict collections.ChainMap Object.fromEntries "
        "types.SimpleNamespace argparse.Namespace collections.UserDict",
    ),
    **_table(_grouped, "itertools.groupby"),
    **_table(_wrapped, "textwrap.wrap"),
    **_table(_lazy(_fixed_sequence), "reversed itertools.chain itertools.chain.from_iterable chain"),
    **_table(_lazy(_enumerated), "enumerate"),
    **_table(_ranged, "range tqdm.trange trange"),
    **_table(_lazy(_zipped), "zip itertools.zip_longest"),
    **_table(_lazy(mapped), "map filter itertools.starmap"),
}
