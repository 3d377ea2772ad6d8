"""What functions of the libraries of Python and JavaScript do to order, form and data; all others leave only facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from radixlint.flow.calls import Context, Outcome, Site
from radixlint.flow.merging_facts import facts_of, joined, union
from radixlint.flow.model_callbacks import mapped_by
from radixlint.flow.model_collections import view_of
from radixlint.flow.model_orders import is_set, order_taints, ordered, sorted_by, tainted, with_taint
from radixlint.flow.model_rows import fetched_row, queried, shuffled_io
from radixlint.flow.model_sequences import SEQUENCES, made_dict
from radixlint.flow.values import Facts, Listed, Mapped, Number, Part, Several, Unknown, Value, Written
from radixlint.prompt import Chance, Taint

Function = Callable[[Site, Context], Outcome | None]


def _first(site: Site) -> Value | None:
    return site.positional[0] if site.positional else None


def _list(site: Site, context: Context) -> Outcome | None:
    """``list()``, ``tuple()``, ``Array.from()``: the order of a set is fixed by chance here."""
    value, kind = _first(site), "tuple" if site.name == "tuple" else "list"
    if value is None:
        return Outcome(Listed((), site.span, kind))
    mapped = site.argument("", 1) if site.name == "Array.from" else None
    if isinstance(value, Mapped) and not (mapped is not None and value.get("length") is not None):
        value = view_of(value, "entries" if site.name == "Array.from" else "keys", site.span)
    if mapped is not None:
        return Outcome(mapped_by(value, mapped, site, context))
    if isinstance(value, Listed):
        return Outcome(ordered(value, site.span, kind))
    if isinstance(value, Several):
        return Outcome(Several(tuple((c, ordered(v, site.span) if isinstance(v, Listed) else v) for c, v in value.choices)))
    found = tainted(value, order_taints(value, site.span))
    return Outcome(msgspec.structs.replace(found, type="list") if isinstance(found, Unknown) else found)


def _set(site: Site, context: Context) -> Outcome | None:
    value = _first(site)
    if value is None:
        return Outcome(Listed((), site.span, "set"))
    if isinstance(value, Listed):
        return Outcome(msgspec.structs.replace(value, kind="set", taints=(), span=site.span))
    return Outcome(Listed((Part(value, site.span, is_spread=True),), site.span, "set"))


def _script_set(site: Site, context: Context) -> Outcome | None:
    """JavaScript's sets keep the order of insertion."""
    value = _first(site)
    return Outcome(
        value if isinstance(value, Listed) else Listed((Part(value, site.span, is_spread=True),) if value else (), site.span)
    )


def _sorted(site: Site, context: Context) -> Outcome | None:
    value = _first(site)
    if value is None:
        return None
    node = site.node.arguments[0].value if site.node.arguments else site.node
    # Where items that are alike keep their order, it is that of what is sorted.
    span = site.module.passage.span(node.start, node.end)
    if isinstance(value, Mapped):
        value = view_of(value, "keys", span)
    if isinstance(value, Listed) and is_set(value):
        value = ordered(value, span)
    elif isinstance(value, Unknown) and is_set(value):
        value = msgspec.structs.replace(tainted(value, order_taints(value, span)), type="list")
    return Outcome(sorted_by(value, site, context))


def _same(site: Site, context: Context) -> Outcome | None:
    value = _first(site)
    return Outcome(value) if value is not None else None


def _cast(site: Site, context: Context) -> Outcome | None:
    """``cast(str, value)``."""
    value = site.argument("val", 1)
    return Outcome(value) if value is not None else None


def _discovered(site: Site, context: Context) -> Outcome | None:
    """Tools come from a server in the order in which it happens to hold them."""
    extra = Facts(calls=(site.name.lstrip("."),), taints=(Taint(Chance.MAPPING, site.span, site.text),))
    values = [value for value in (site.receiver, *site.positional) if value is not None]
    return Outcome(Unknown(union((joined(values, site.span, site.text).facts, extra)), site.span, site.text))


def _shuffle(site: Site, context: Context) -> Outcome | None:
    """``random.shuffle(items)`` leaves the items in an order that differs on every call, unless the seed is fixed."""
    value = _first(site)
    if value is None:
        return None
    facts = union((facts_of(value), Facts(calls=("random.shuffle",))))
    mixed = Unknown(facts, site.span, site.text)
    return Outcome(Number(None, site.span), None, ((0, mixed),))


def _hash(site: Site, context: Context) -> Outcome | None:
    value = _first(site)
    if isinstance(value, Number):
        return None
    return Outcome(with_taint(value, Chance.HASH, site.span, site.text)) if value is not None else None


def _address(site: Site, context: Context) -> Outcome | None:
    value = _first(site)
    return Outcome(with_taint(value, Chance.ADDRESS, site.span, site.text)) if value is not None else None


def _length(site: Site, context: Context) -> Outcome | None:
    value = _first(site)
    if isinstance(value, Written) and value.fixed is not None:
        return Outcome(Number(len(value.fixed), site.span))
    facts = facts_of(value)
    kept = msgspec.structs.replace(facts, taints=(), calls=(*facts.calls, "len"))
    return Outcome(Unknown(kept, site.span, site.text))


def _object_view(site: Site, context: Context) -> Outcome | None:
    """``Object.keys(x)`` and the like."""
    value, view = _first(site), site.name.rsplit(".", 1)[-1]
    if isinstance(value, Mapped):
        return Outcome(view_of(value, view, site.span))
    return Outcome(value) if value is not None else None


def _assigned(site: Site, context: Context) -> Outcome | None:
    fields = [f for value in site.positional if isinstance(value, Mapped) for f in value.fields]
    return Outcome(Mapped(tuple(fields), site.span)) if fields else None


def _table(function: Function, names: str) -> dict[str, Function]:
    return dict.fromkeys(names.split(), function)


FUNCTIONS: Final[dict[str, Function]] = {
    **SEQUENCES,
    **_table(_list, "list tuple Array.from collections.deque deque collections.UserList"),
    **_table(_set, "set frozenset"),
    **_table(_sorted, "sorted natsort.natsorted natsorted"),
    **_table(
        _same,
        "copy.copy copy.deepcopy structuredClone deepcopy iter asyncio.create_task asyncio.ensure_future "
        "contextlib.redirect_stdout "
        "Promise.resolve Promise.all asyncio.shield tuple.__new__ Object.freeze functools.cache functools.lru_cache "
        "asyncio.run asyncio.wait_for anyio.run itertools.islice",
    ),
    **_table(_cast, "typing.cast t.cast str.__new__ str().__new__"),
    **_table(
        shuffled_io,
        "os.listdir os.scandir os.walk glob.glob glob.iglob pathlib.Path.iterdir asyncio.as_completed as_completed "
        "concurrent.futures.as_completed asyncio.wait fs.readdirSync fs.readdir "
        "fs.promises.readdir fs/promises.readdir readdirSync readdir",
    ),
    **_table(_shuffle, "random.shuffle numpy.random.shuffle np.random.shuffle"),
    **_table(_hash, "hash"),
    **_table(_address, "id"),
    **_table(_length, "len"),
    **_table(_object_view, "Object.keys Object.values Object.entries"),
    **_table(_assigned, "Object.assign"),
}

BY_LAST: Final[dict[str, Function]] = {
    **_table(shuffled_io, "iterdir glob rglob iglob imap_unordered scandir listdir readdir readdirSync globSync"),
    **_table(_discovered, "list_tools listTools get_tools"),
    **_table(queried, "execute fetch fetchall fetch_all query raw all"),
    **_table(
        fetched_row,
        "fetchone fetch_one fetchOne scalar scalar_one scalar_one_or_none scalarOne one one_or_none fetchval fetchrow",
    ),
    **_table(_shuffle, "shuffle"),
}
"""By the last part of the name, where the object that has the method is not known."""
SCRIPT_FUNCTIONS: Final[dict[str, Function]] = {**_table(_script_set, "Set"), **_table(made_dict, "Map Object")}
