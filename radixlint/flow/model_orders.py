"""Which order is left to chance: where taints come from, where they are put on values, and what takes them away."""

from __future__ import annotations

import re
from typing import Final

import msgspec
from msgspec.structs import replace

from radixlint.flow.calls import Context, Site
from radixlint.flow.merging_facts import NO_FACTS, joined, union
from radixlint.flow.values import (
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
from radixlint.prompt import Chance, ControlKind, Segment, Span, Taint

ORDERS: Final = frozenset((Chance.SET, Chance.IO, Chance.MAPPING))
_SET_TYPE: Final = re.compile(
    r"^(?:typing\.|collections\.abc\.|t\.)?(?:set|frozenset|Set|FrozenSet|AbstractSet|MutableSet|ReadonlySet)\b"
)
_TEXT_TYPE: Final = re.compile(r"^(?:str|string|bytes|int|float|bool|number)\b")
_ITEMS: Final = re.compile(r"^[\w.]*\[(.*)\]$|^(.*)\[\]$")
_KEY_WORD: Final = re.compile(r"\.(\w+)|\[\s*['\"](\w+)['\"]\s*\]")
_DRAWN: Final = frozenset(("random", "uniform", "randint", "getrandbits", "uuid4", "token_hex", "randrange"))
_DEPTH_MAX: Final = 8
ITEMS_MAX: Final = 24
SORTED: Final = "sorted"


def is_set(value: Value) -> bool:
    """Whether a value is a set, whose order differs between processes."""
    if isinstance(value, Listed):
        return value.kind == "set"
    return isinstance(value, Unknown) and bool(_SET_TYPE.match(value.type))


def is_scalar(value: Value) -> bool:
    """Whether a value is annotated as text or a number."""
    return isinstance(value, Unknown) and bool(_TEXT_TYPE.match(value.type))


def written_out(value: Value) -> list[Value] | None:
    """Return the items of a short list that is written out, None for a set, a longer list, and what is not all known."""
    if not isinstance(value, Listed) or value.kind in ("set", SORTED) or len(value.parts) > ITEMS_MAX:
        return None
    if any(part.is_spread or part.controls for part in value.parts):
        return None
    return [part.value for part in value.parts]


def order_taints(value: Value, span: Span) -> tuple[Taint, ...]:
    """Return the taints that the items of ``value`` get by being taken one after another at ``span``."""
    own = value.taints if isinstance(value, Listed | Mapped) else ()
    if is_set(value) and not _is_single(value):
        text = getattr(value, "text", "") or "a set"
        return (*own, Taint(Chance.SET, span, text))
    return own


def _is_single(value: Value) -> bool:
    """Whether a set is known to have at most one item, or none that is known of."""
    if not isinstance(value, Listed) or len(value.parts) > 1:
        return False
    return not any(p.is_spread or any(c.kind is ControlKind.LOOP for c in p.controls) for p in value.parts)


def ordered(value: Listed, span: Span, kind: str = "list") -> Listed:
    """Return a list with the items of a set or list in the order that they happen to have at ``span``."""
    return msgspec.structs.replace(value, kind=kind, taints=tuple(dict.fromkeys(order_taints(value, span))), identity=0)


def tainted(value: Value, taints: tuple[Taint, ...], depth: int = 0) -> Value:
    """Return ``value`` with ``taints`` on all that is in it."""
    if not taints or depth > _DEPTH_MAX:
        return value
    if isinstance(value, Unknown):
        found = tuple(dict.fromkeys((*value.facts.taints, *taints)))
        return msgspec.structs.replace(value, facts=msgspec.structs.replace(value.facts, taints=found))
    if isinstance(value, Written):
        return Written(tuple(tainted_part(part, taints) for part in value.parts))
    if isinstance(value, Listed | Mapped):
        return msgspec.structs.replace(value, taints=tuple(dict.fromkeys((*value.taints, *taints))))
    if isinstance(value, Several):
        return Several(tuple((controls, tainted(choice, taints, depth + 1)) for controls, choice in value.choices))
    return value


def without_taints(value: Value, taints: tuple[Taint, ...], depth: int = 0) -> Value:
    """Return ``value`` without ``taints`` on all that is in it."""
    if depth > _DEPTH_MAX:
        return value
    if isinstance(value, Unknown):
        facts = msgspec.structs.replace(value.facts, taints=_less(value.facts.taints, taints))
        return msgspec.structs.replace(value, facts=facts)
    if isinstance(value, Written):
        return Written(tuple(replace(part, taints=_less(part.taints, taints)) for part in value.parts))
    if isinstance(value, Listed | Mapped):
        return msgspec.structs.replace(value, taints=_less(value.taints, taints))
    if isinstance(value, Several):
        return Several(tuple((controls, without_taints(choice, taints, depth + 1)) for controls, choice in value.choices))
    return value


def _less(taints: tuple[Taint, ...], gone: tuple[Taint, ...]) -> tuple[Taint, ...]:
    return tuple(taint for taint in taints if taint not in gone)


def tainted_part(part: Segment, taints: tuple[Taint, ...]) -> Segment:
    """Return a part of text with ``taints`` besides its own."""
    return replace(part, taints=tuple(dict.fromkeys((*part.taints, *taints)))) if taints else part


def sorted_by(value: Value, site: Site, context: Context) -> Value:
    """Return ``value`` sorted as a call says; of a list that is not known the words of the sort key are kept.

    Where the key is the same for many items (their length, a constant) these keep the order that they had; a key that is drawn
    leaves all to chance.
    """
    is_method = site.name.startswith(".") or site.module.language == "script"
    by = site.argument("key", 0 if is_method else None)
    drawn = _sort_key(by, site, context)
    if drawn is None:
        return value
    if isinstance(drawn, Unknown) and any(call.rpartition(".")[2] in _DRAWN for call in drawn.facts.calls):
        return Unknown(union((joined((value,), site.span, site.text).facts, drawn.facts)), site.span, site.text)
    found = settled(value)
    names = ("key", None) if is_method else ("key",)
    key = next((given.value for given in site.node.arguments if given.name in names), None)
    if key is None or not isinstance(found, Unknown):
        return found
    words = tuple(one or other for one, other in _KEY_WORD.findall(site.module.passage.text[key.start : key.end]))
    facts = msgspec.structs.replace(found.facts, constants=(*found.facts.constants, *words))
    return msgspec.structs.replace(found, facts=facts)


def _sort_key(by: Value | None, site: Site, context: Context) -> Value | None:
    """Return what a sort key gives for an item that is not known; None if it is the same for many items."""
    item = Unknown(Facts(names=("item",)), site.span, "item")
    if not isinstance(by, Callback | Library):
        return item
    found = context.invoke(by, (item,), (), site.span)
    is_length = isinstance(found, Unknown) and found.facts.calls == ("len",)
    is_same = isinstance(found, Number) or (isinstance(found, Written) and found.fixed is not None)
    return None if is_length or is_same else found


def settled(value: Value, depth: int = 0) -> Value:
    """Return ``value`` after it was sorted: no order in it is left to chance any more."""
    if depth > _DEPTH_MAX:
        return value
    if isinstance(value, Unknown):
        kept = _kept(value.facts.taints)
        facts = msgspec.structs.replace(value.facts, taints=kept, filters=(*value.facts.filters, "sorted"))
        is_typed_set = bool(_SET_TYPE.match(value.type))
        return msgspec.structs.replace(value, facts=facts, type="list" if is_typed_set else value.type)
    if isinstance(value, Written):
        return Written(tuple(replace(part, taints=_kept(part.taints)) if part.taints else part for part in value.parts))
    if isinstance(value, Listed):
        parts = tuple(_settled_item(part, depth) for part in value.parts)
        # In which order a set comes out of sorting is not worked out here.
        kind = SORTED if value.kind == "set" or _kept(value.taints) != value.taints else "list"
        return msgspec.structs.replace(value, parts=parts, kind=kind, taints=_kept(value.taints), identity=0)
    if isinstance(value, Mapped):
        fields = tuple(_settled_item(field, depth) for field in value.fields)
        return msgspec.structs.replace(value, fields=fields, taints=_kept(value.taints))
    if isinstance(value, Several):
        return Several(tuple((controls, settled(choice, depth + 1)) for controls, choice in value.choices))
    return value


def _settled_item(item: Part | Field, depth: int) -> Part | Field:
    return msgspec.structs.replace(item, value=settled(item.value, depth + 1))


def _kept(taints: tuple[Taint, ...]) -> tuple[Taint, ...]:
    return tuple(taint for taint in taints if taint.chance not in ORDERS)


def element_of(value: Value, span: Span) -> Value:
    """Return one item of ``value`` as a loop at ``span`` sees it."""
    taints = order_taints(value, span)
    if isinstance(value, Listed | Mapped):
        items = [item.value for item in (value.parts if isinstance(value, Listed) else value.fields)]
        if isinstance(value, Mapped):
            return _keys(value, span, taints)
        if len(items) == 1:
            inner = element_of(items[0], span) if value.parts[0].is_spread else items[0]
            return tainted(inner, taints)
        return tainted(_alike(items, span), taints)
    if isinstance(value, Several):
        return Several(tuple((controls, element_of(choice, span)) for controls, choice in value.choices))
    if isinstance(value, Unknown):
        match = _ITEMS.match(value.type)
        found = msgspec.structs.replace(value, type=(match[1] or match[2] or "") if match else "")
        return tainted(found, taints)
    return value if isinstance(value, Written) else joined((value,), span, "")


def _alike(items: list[Value], span: Span) -> Value:
    """Return what any one of several items is: a mapping of the keys that all have, or unknown."""
    if items and all(isinstance(item, Mapped) for item in items):
        mappings = [item for item in items if isinstance(item, Mapped)]
        keys = [field.key for field in mappings[0].fields if field.key is not None]
        shared = [key for key in keys if all(mapping.get(key) is not None for mapping in mappings)]
        fields = tuple(
            Field(key, _alike([v for m in mappings if (v := m.get(key)) is not None], span), mappings[0].span) for key in shared
        )
        return Mapped(fields, mappings[0].span)
    if items and all(item == items[0] for item in items):
        return items[0]
    if items and all(isinstance(item, Written) and item.fixed is not None for item in items):
        # Which of the fixed texts it is, the loop decides; together they are fixed.
        first = items[0]
        return first if isinstance(first, Written) else joined(items, span, "")
    # Something is there, whatever it is: a part without a text would be none.
    names = (item.text or item.path for item in items if isinstance(item, Unknown))
    return joined(items, span, next(names, ""))


def _keys(value: Mapped, span: Span, taints: tuple[Taint, ...]) -> Value:
    names = tuple(field.key for field in value.fields if field.key is not None)
    if names and len(names) == len(value.fields):
        place = value.fields[0].span
        first = Segment(names[0], place, offsets=((place.line, place.column),) * len(names[0]))
        return tainted(Written((first,)), taints)
    return tainted(joined([field.value for field in value.fields], span, ""), taints)


def counted_order(site: Site, last: str) -> Value | None:
    """Return ``Counter(items).most_common()``: of items that are counted alike the first comes first, in a set any."""
    counter = site.receiver
    if last not in ("most_common", "elements") or not isinstance(counter, Instance) or not counter.made.endswith("Counter"):
        return None
    items = dict(counter.given).get("0")
    taints = order_taints(items, site.span) if items is not None else ()
    return tainted(joined((items,), site.span, site.text), taints) if taints else None


def with_taint(value: Value, chance: Chance, span: Span, text: str, extra: Facts = NO_FACTS) -> Unknown:
    """Return an unknown value made of ``value`` with one taint of its own, at ``span``."""
    found = joined((value,), span, text, extra)
    facts = union((found.facts, Facts(taints=(Taint(chance, span, text),))))
    return Unknown(facts, span, text, found.path, found.type)
