"""What methods of lists, sets and mappings do, in Python and JavaScript."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from radixlint.flow.calls import Context, Outcome, Site
from radixlint.flow.merging_facts import joined, union
from radixlint.flow.model_callbacks import asked, filtered, flat_mapped, mapped, numbered, reduced
from radixlint.flow.model_orders import element_of, is_set, order_taints, ordered, sorted_by, tainted
from radixlint.flow.model_types import value_type
from radixlint.flow.values import Absent, Facts, Field, Listed, Mapped, Number, Part, Unknown, Value, Written
from radixlint.prompt import Chance, Segment, Span, Taint

_ARRAY: Final = re.compile(r"\[\]$|^(?:Readonly)?Array\b")
Method = Callable[[Site, Context], Outcome | None]


def _grown(site: Site, new: tuple[Part, ...], *, in_front: bool = False) -> Outcome | None:
    receiver = site.receiver
    if isinstance(receiver, Listed):
        parts = (*new, *receiver.parts) if in_front else (*receiver.parts, *new)
        return Outcome(Absent(), msgspec.structs.replace(receiver, parts=parts))
    if isinstance(receiver, Unknown):
        # A list from elsewhere that is added to here: what it held stands as one part.
        first = Part(receiver, receiver.span, is_spread=True)
        parts = (*new, first) if in_front else (first, *new)
        return Outcome(Absent(), Listed(parts, receiver.span))
    return None


def _append(site: Site, context: Context) -> Outcome | None:
    context.spend(1)
    spread = dict(site.named).get("*")
    if spread is not None and not site.positional:
        # ``list.push(...more)`` takes any number of items.
        return _extend(msgspec.structs.replace(site, positional=(spread,), named=()), context)
    return _grown(site, tuple(Part(value, site.span) for value in site.positional)) if site.positional else None


def _extend(site: Site, context: Context) -> Outcome | None:
    if not site.positional:
        return None
    value = site.positional[0]
    if isinstance(value, Listed):
        found = ordered(value, site.span) if is_set(value) else value
        outcome = _grown(site, found.parts)
        if outcome is not None and isinstance(outcome.receiver, Listed) and found.taints:
            return Outcome(Absent(), tainted(outcome.receiver, found.taints))
        return outcome
    return _grown(site, (Part(tainted(value, order_taints(value, site.span)), site.span, is_spread=True),))


def _extend_front(site: Site, context: Context) -> Outcome | None:
    """``deque.extendleft(items)`` puts one item after another in front."""
    value = site.positional[0] if site.positional else None
    if not isinstance(value, Listed):
        return None
    found = ordered(value, site.span)
    outcome = _grown(site, found.parts[::-1], in_front=True)
    if outcome is not None and isinstance(outcome.receiver, Listed) and found.taints:
        return Outcome(Absent(), tainted(outcome.receiver, found.taints))
    return outcome


def _concat(site: Site, context: Context) -> Outcome | None:
    receiver = site.receiver
    if not isinstance(receiver, Listed):
        return None
    new = [
        part for value in site.positional for part in (value.parts if isinstance(value, Listed) else (Part(value, site.span),))
    ]
    return Outcome(msgspec.structs.replace(receiver, parts=(*receiver.parts, *new)))


def _insert(site: Site, context: Context) -> Outcome | None:
    if len(site.positional) < 2:
        return None
    index, value = site.positional[:2]
    new = Part(value, site.span)
    receiver = site.receiver
    at = index.value if isinstance(index, Number) and isinstance(index.value, int) else None
    if at == 0:
        return _grown(site, (new,), in_front=True)
    if isinstance(receiver, Listed) and at is not None and 0 < at <= len(receiver.parts):
        return Outcome(Absent(), msgspec.structs.replace(receiver, parts=(*receiver.parts[:at], new, *receiver.parts[at:])))
    return _grown(site, (new,))


def _unshift(site: Site, context: Context) -> Outcome | None:
    return _grown(site, tuple(Part(value, site.span) for value in site.positional), in_front=True)


def _sort(site: Site, context: Context) -> Outcome | None:
    if site.receiver is None:
        return None
    found = sorted_by(site.receiver, site, context)
    return Outcome(found, found)


def _same(site: Site, context: Context) -> Outcome | None:
    return Outcome(site.receiver) if site.receiver is not None else None


def _copied(site: Site, context: Context) -> Outcome | None:
    receiver = site.receiver
    if isinstance(receiver, Listed | Mapped):
        return Outcome(msgspec.structs.replace(receiver, identity=0))
    return Outcome(receiver) if receiver is not None else None


def _reverse(site: Site, context: Context) -> Outcome | None:
    if not isinstance(site.receiver, Listed):
        return None
    found = msgspec.structs.replace(site.receiver, parts=site.receiver.parts[::-1])
    return Outcome(found, found)


def _clear(site: Site, context: Context) -> Outcome | None:
    receiver = site.receiver
    if isinstance(receiver, Listed):
        return Outcome(Absent(), msgspec.structs.replace(receiver, parts=(), taints=()))
    return Outcome(Absent(), msgspec.structs.replace(receiver, fields=())) if isinstance(receiver, Mapped) else None


def _pop(site: Site, context: Context) -> Outcome | None:
    receiver = site.receiver
    if isinstance(receiver, Mapped):
        return _get(site, context)
    if not isinstance(receiver, Listed) or not receiver.parts:
        return None
    is_front = site.name.endswith(".shift") or bool(site.positional)
    part = receiver.parts[0 if is_front else -1]
    if is_set(receiver):
        return Outcome(element_of(receiver, site.span))
    kept = receiver.parts[1:] if is_front else receiver.parts[:-1]
    return Outcome(part.value, msgspec.structs.replace(receiver, parts=kept) if not part.controls else None)


def _get(site: Site, context: Context) -> Outcome | None:
    receiver, key = site.receiver, site.argument("key", 0)
    fixed = key.fixed if isinstance(key, Written) else None
    if isinstance(receiver, Mapped) and fixed is not None:
        found = receiver.get(fixed) or site.argument("default", 1)
        return Outcome(found) if found is not None else None
    if isinstance(receiver, Mapped) and not any(field.key is not None for field in receiver.fields):
        # What is kept under keys that are not known is one kind of value.
        own = [field.value for field in receiver.fields if not field.is_spread]
        return Outcome(own[0]) if len(own) == 1 else None
    if isinstance(receiver, Unknown) and fixed is not None and receiver.path:
        path = f"{receiver.path}.{fixed}"
        names = tuple(path if name == receiver.path else name for name in receiver.facts.names)
        facts = msgspec.structs.replace(receiver.facts, names=names)
        return Outcome(Unknown(facts, site.span, site.text, path))
    return None


def _update(site: Site, context: Context) -> Outcome | None:
    receiver = site.receiver
    if not isinstance(receiver, Mapped):
        return _extend(site, context) if isinstance(receiver, Listed) else None
    fields = {field.key or str(index): field for index, field in enumerate(receiver.fields)}
    for value in site.positional:
        if isinstance(value, Mapped):
            fields.update({field.key or f"*{field.span}": field for field in value.fields})
        else:
            fields[f"*{site.span}"] = Field(None, value, site.span, is_spread=True)
    fields.update({key: Field(key, value, site.span) for key, value in site.named})
    return Outcome(Absent(), msgspec.structs.replace(receiver, fields=tuple(fields.values())))


def _set_key(site: Site, context: Context) -> Outcome | None:
    """``map.set(key, value)`` and ``dict.setdefault(key, value)``."""
    receiver = site.receiver
    if not isinstance(receiver, Mapped) or len(site.positional) < 2:
        return None
    key, value = site.positional[:2]
    fixed = key.fixed if isinstance(key, Written) else None
    if fixed is not None and site.name.endswith("setdefault") and (known := receiver.get(fixed)) is not None:
        return Outcome(known)
    changed = msgspec.structs.replace(receiver, fields=(*receiver.fields, Field(fixed, value, site.span)))
    return Outcome(value if site.name.endswith("setdefault") else changed, changed)


def _view(site: Site, context: Context) -> Outcome | None:
    """``values()``, ``items()``, ``keys()``: the order of a known mapping is that of its entries, of another that of chance."""
    receiver, last = site.receiver, site.name.rsplit(".", 1)[-1]
    if isinstance(receiver, Mapped):
        return Outcome(view_of(receiver, last, site.span))
    if last == "entries" and (isinstance(receiver, Listed) or (isinstance(receiver, Unknown) and _ARRAY.search(receiver.type))):
        # Only arrays of JavaScript have numbers for keys.
        return Outcome(numbered(receiver, 0, site, context))
    if not isinstance(receiver, Unknown):
        return None
    taint = Taint(Chance.MAPPING, site.span, site.text)
    extra = Facts(taints=(taint,))
    found = joined((receiver,), site.span, site.text, extra)
    inner = value_type(receiver.type) if last == "values" else ""
    known = f"list[{inner}]" if inner else ""
    return Outcome(Unknown(union((found.facts, extra)), receiver.span, site.text, receiver.path, known))


def view_of(mapping: Mapped, view: str, span: Span) -> Listed:
    """Return the values, keys or pairs of a mapping as a list."""
    parts = []
    for field in mapping.fields:
        value = field.value
        if view != "values":
            place = field.span
            key: Value = joined((field.value,), place, "")
            if field.key is not None:
                key = Written((Segment(field.key, place, offsets=((place.line, place.column),) * len(field.key)),))
            value = key if view == "keys" else Listed((Part(key, place), Part(field.value, place)), place, "tuple")
        parts.append(Part(value, field.span, field.controls, field.is_spread))
    return Listed(tuple(parts), span, "list", mapping.taints)


def _add(site: Site, context: Context) -> Outcome | None:
    return _append(site, context) if is_set(site.receiver or Absent()) or isinstance(site.receiver, Listed) else None


def _set_operation(site: Site, context: Context) -> Outcome | None:
    spread = dict(site.named).get("*")
    values = (site.receiver, *site.positional, *((spread,) if spread is not None else ()))
    if not any(value is not None and is_set(value) for value in values):
        return None
    parts = tuple(part for value in values if isinstance(value, Listed) for part in value.parts)
    others = tuple(
        Part(value, site.span, is_spread=True) for value in values if value is not None and not isinstance(value, Listed)
    )
    return Outcome(Listed((*parts, *others), site.span, "set"))


def _slice(site: Site, context: Context) -> Outcome | None:
    receiver = site.receiver
    if isinstance(receiver, Listed):
        numbers = [value.value for value in site.positional if isinstance(value, Number) and isinstance(value.value, int)]
        is_plain = not any(part.controls or part.is_spread for part in receiver.parts)
        if is_plain and len(numbers) == len(site.positional) <= 2:
            start, end = numbers[0] if numbers else 0, numbers[1] if len(numbers) > 1 else None
            return Outcome(msgspec.structs.replace(receiver, parts=receiver.parts[start:end]))
        return Outcome(receiver)
    return None


METHODS: Final[dict[str, Method]] = {
    "append": _append, "push": _append, "appendleft": _unshift, "unshift": _unshift, "extend": _extend, "insert": _insert,
    "extendleft": _extend_front, "sort": _sort, "toSorted": _sort, "reverse": _reverse, "toReversed": _reverse, "clear": _clear,
    "pop": _pop, "shift": _pop,
    "copy": _copied, "concat": _concat, "flat": _same, "get": _get, "update": _update, "setdefault": _set_key, "set": _set_key,
    "values": _view, "items": _view, "keys": _view, "entries": _view, "add": _add, "union": _set_operation,
    "intersection": _set_operation, "difference": _set_operation, "symmetric_difference": _set_operation,
    "map": mapped, "flatMap": flat_mapped, "filter": filtered, "reduce": reduced, "slice": _slice,
    "some": asked, "every": asked,
}  # fmt: skip
