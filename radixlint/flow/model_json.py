"""What writing data as text leaves open: JSON whose keys come as they were put in, objects without a form of their own."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Context, Site
from radixlint.flow.classes import ClassInfo
from radixlint.flow.merging_facts import facts_of
from radixlint.flow.model_orders import is_scalar, is_set, order_taints, tainted_part
from radixlint.flow.scope import ModuleSpace
from radixlint.flow.values import (
    Callback,
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
from radixlint.prompt import Chance, Control, Expression, Segment, Span, Taint

DUMPS: Final = frozenset(
    (
        "json.dumps", "orjson.dumps", "ujson.dumps", "simplejson.dumps", "rapidjson.dumps", "yaml.dump", "yaml.safe_dump",
        "JSON.stringify", "toml.dumps", "tomli_w.dumps", "tomlkit.dumps", "xmltodict.unparse", "json5.dumps",
        "pprint.pformat", "json_dumps",
    )
)  # fmt: skip
LOADS: Final = frozenset(("json.loads", "orjson.loads", "ujson.loads", "simplejson.loads", "JSON.parse"))
# Sort keys unless told otherwise.
_SORTED: Final = frozenset(("yaml.dump", "yaml.safe_dump", "pprint.pformat"))
# What else than the data decides about the bytes.
_FORM: Final = re.compile(r"\b(?:indent|separators|ensure_ascii)\s*=\s*(?:\([^()]*\)|[^,()]+)|,\s*null\s*,\s*\d+")
_DEPTH_MAX: Final = 12
_NESTING_MAX: Final = 4
GENERATED: Final = "a generator"
"""What a generator is called, which has no name."""
_PARTS_MAX: Final = 500


def dumped(site: Site, context: Context) -> Written | None:
    """Return data as the text that ``json.dumps`` or the like writes, None if no data is given."""
    data = site.argument("obj", 0) or site.argument("data") or site.argument("value")
    if data is None:
        return None
    taints: list[Taint] = []
    if not _sorts_keys(site) and _has_open_keys(data):
        taints.append(Taint(Chance.KEYS, site.span, site.text))
    default = site.argument("default")
    shown = data
    if isinstance(default, Library) and (last := default.name.rsplit(".", 1)[-1]) in ("str", "repr"):
        shown = spelled_inside(data, site.span, context, last[0])
        if not any(taint.chance is Chance.ADDRESS for taint in facts_of(shown).taints):
            taints.append(Taint(Chance.DEFAULT, site.span, site.text))
    parts = _leaves(shown, site.span, (), 0)
    if not parts:
        parts = [Segment("{}", site.span, offsets=((site.span.line, site.span.column),) * 2)]
    found = [_through(part, site) for part in parts[:_PARTS_MAX]]
    if taints:
        at = next((i for i, part in enumerate(found) if part.expression is not None), 0)
        found[at] = tainted_part(found[at], tuple(taints))
    return Written(tuple(found), data)


def loaded(site: Site) -> Value | None:
    """Return the data that ``json.loads`` reads out of text that was written from it here, None if that is not known."""
    text = site.positional[0] if site.positional else None
    return text.data if isinstance(text, Written) else None


def _sorts_keys(site: Site) -> bool:
    option = site.argument("sort_keys")
    if option is not None:
        return not (isinstance(option, Number) and not option.value)
    is_sorted = site.name in _SORTED
    given = [*site.positional[1:], *(value for _, value in site.named)]
    return is_sorted or any("SORT_KEYS" in getattr(value, "name", getattr(value, "text", "")) for value in given)


def _has_open_keys(value: Value, depth: int = 0) -> bool:
    """Whether the keys of some mapping inside come from elsewhere, in the order in which they happened to be put in."""
    if depth > _DEPTH_MAX:
        return False
    if isinstance(value, Unknown):
        # What is made of constants alone has the keys that are written there.
        is_open = bool(value.facts.names or value.facts.calls)
        return is_open and not is_scalar(value) and not is_set(value)
    if isinstance(value, Mapped):
        # What is read out of a record is mostly a word or a number; what is spread into this is not.
        return any(
            f.key is None or (not isinstance(f.value, Unknown) and _has_open_keys(f.value, depth + 1)) for f in value.fields
        )
    if isinstance(value, Listed):
        # What was in a set can be hashed, and has no keys.
        return not any(taint.chance is Chance.SET for taint in value.taints) and any(
            (part.is_spread or not isinstance(part.value, Unknown)) and _has_open_keys(part.value, depth + 1)
            for part in value.parts
        )
    if isinstance(value, Several):
        return any(_has_open_keys(choice, depth + 1) for _, choice in value.choices)
    return isinstance(value, Instance) and bool(value.identity or value.given)


def _through(part: Segment, site: Site) -> Segment:
    if part.expression is None or part.span == site.span:
        return part
    form = " ".join("".join(found.split()) for found in _FORM.findall(site.text))
    written = replace(part.expression, filters=(*part.expression.filters, "dumps", *([form] if form else [])))
    return replace(part, expression=written, related=(*part.related, site.span))


def _leaves(value: Value, span: Span, controls: tuple[Control, ...], depth: int) -> list[Segment]:
    """Return all text inside of data in order, fixed or not."""
    if depth > _DEPTH_MAX:
        return []
    if isinstance(value, Written):
        return [replace(part, controls=(*controls, *part.controls)) if controls else part for part in value.parts]
    if isinstance(value, Unknown):
        facts = value.facts
        related = tuple(place for place in facts.places if place != value.span)
        return [
            Segment(
                value.text, value.span, expression=facts.of(value.text), controls=controls, related=related, taints=facts.taints
            )
        ]
    if isinstance(value, Several):
        return [part for inner, choice in value.choices for part in _leaves(choice, span, (*controls, *inner), depth + 1)]
    if isinstance(value, Instance):
        inner = facts_of(value)
        made = () if value.identity else (value.made,)
        expression = replace(inner, calls=(*inner.calls, *made)).of(value.made)
        return [Segment(value.made, value.span, expression=expression, controls=controls, taints=inner.taints)]
    if isinstance(value, Callback):
        name = value.name or "function"
        printed = Segment(name, span, expression=facts_of(value).of(name), controls=controls)
        return [tainted_part(printed, address_taint(value, span, name))]
    return _leaves_of_items(value, span, controls, depth)


def _leaves_of_items(value: Value, span: Span, controls: tuple[Control, ...], depth: int) -> list[Segment]:
    items = value.parts if isinstance(value, Listed) else value.fields if isinstance(value, Mapped) else ()
    found: list[Segment] = []
    for item in items:
        if not isinstance(item, Part) and item.key is not None:
            place = item.span
            key = Segment(item.key, place, offsets=((place.line, place.column),) * len(item.key))
            found.append(replace(key, controls=(*controls, *item.controls)))
        found.extend(_leaves(item.value, span, (*controls, *item.controls), depth + 1))
        if len(found) > _PARTS_MAX:
            break
    taints = order_taints(value, span)
    if taints and found:
        found[0] = tainted_part(found[0], taints)
    return found


def address_taint(value: Value, span: Span, text: str) -> tuple[Taint, ...]:
    """Return the taint of printing a function, which shows where it lies in memory; classes and modules print their names."""
    is_named = not isinstance(value, Callback) or isinstance(value.target, ClassInfo | ModuleSpace)
    return () if is_named else (Taint(Chance.ADDRESS, span, text),)


def printed_at_its_address(text: str, span: Span) -> Written:
    """Return the print at ``span`` of an object that shows its address, called ``text``."""
    return Written((Segment(text, span, expression=Expression(text), taints=(Taint(Chance.ADDRESS, span, text),)),))


def spelled_inside(value: Value, span: Span, context: Context, conversion: str = "r", depth: int = 0) -> Value:
    """Return a list or mapping with the texts that objects of the tree say for ``repr()``, or ``str()``."""
    if isinstance(value, Instance) and value.identity:
        return context.spelled(value, span, "", conversion) or value
    if not isinstance(value, Listed | Mapped) or depth > _NESTING_MAX:
        return value
    items: tuple[Part | Field, ...] = value.parts if isinstance(value, Listed) else value.fields
    found = [spelled_inside(item.value, span, context, conversion, depth + 1) for item in items]
    if all(new is item.value for new, item in zip(found, items, strict=True)):
        return value
    changed = tuple(replace(item, value=new) for item, new in zip(items, found, strict=True))
    return replace(value, **{"parts" if isinstance(value, Listed) else "fields": changed})


def printed_data(value: Value, span: Span) -> Written:
    """Return a list or mapping as ``str()`` writes it."""
    return Written(tuple(_leaves(value, span, (), 0)))
