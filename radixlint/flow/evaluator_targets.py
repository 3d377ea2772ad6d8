"""Targets: what an assignment, or a change in place, leaves in names, attributes and items."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from radixlint.flow.classes import ClassInfo
from radixlint.flow.evaluator_names import Names
from radixlint.flow.merging_facts import taints_of
from radixlint.flow.model_orders import ORDERS, without_taints
from radixlint.flow.program import Constant, Cut, Display, Item, Mapping, Member, Name, Node, Spread, Text
from radixlint.flow.scope import ModuleSpace, Space
from radixlint.flow.values import Callback, Field, Listed, Mapped, Number, Part, Unknown, Value, Written
from radixlint.prompt import Span

# Spaces and lists beyond these are tables of data, not texts under construction.
_NAMES_MAX: Final = 200
_ITEMS_MAX: Final = 60


class Targets(Names):
    """Binds targets."""

    def bind(self, target: Node, value: Value, node: Node) -> None:
        """Bind a target of any form, and tell the listener."""
        if isinstance(target, Display):
            self._bind_each(target, value, node)
            return
        if isinstance(target, Mapping):
            self._bind_fields(target, value, node)
            return
        if isinstance(target, Spread):
            self.bind(target.value, value, node)
            return
        value = self.as_bound(self.as_filled(target, value, node))
        self._put(target, value)
        self.tell_bound(target, value, node)

    def _put(self, target: Node, value: Value, is_change: bool = False) -> None:
        if isinstance(target, Name):
            space = self.frame.space
            if is_change:
                space = space.holder(target.name) or space
            self.store.write(space.outside.get(target.name, space), target.name, value)
        elif isinstance(target, Member):
            self._put_attribute(target, value)
        elif isinstance(target, Item):
            self._put_item(target, value)
        elif isinstance(target, Cut):
            self._put_cut(target, value)

    @abstractmethod
    def items_of(self, value: Value, span: Span) -> Value:
        """Return the items that an object of the tree gives one after another as a list; all else as it is."""

    def _put_attribute(self, target: Member, value: Value) -> None:
        base = self.evaluate(target.base)
        space = self.space_of_object(base)
        if space is not None:
            if target.name == "__dict__" and isinstance(value, Mapped):
                for field in value.fields:
                    self.store.write(space, field.key or "", field.value)
            self.store.write(space, target.name, value)
        elif isinstance(base, Mapped):
            key = Written(())
            self.changed(target.base, base, self._with_field(base, target.name, value, target, key))
        elif isinstance(base, Unknown) and base.path:
            self.store.write(self.frame.space, f"{base.path}.{target.name}", value)

    def space_of_object(self, base: Value) -> Space | None:
        """Return where the attributes of an object, class or module of the tree are kept, None for all else."""
        identity = getattr(base, "identity", 0)
        if identity:
            space: Space = self.objects[identity][0]
            return space
        if isinstance(base, Callback):
            if isinstance(base.target, ClassInfo):
                return base.target.space
            if isinstance(base.target, ModuleSpace):
                return base.target
        return None

    def _put_item(self, target: Item, value: Value) -> None:
        base = self.evaluate(target.base)
        key = self.evaluate(target.key)
        if isinstance(base, Mapped):
            fixed = key.fixed if isinstance(key, Written) else None
            self.changed(target.base, base, self._with_field(base, fixed, value, target, key))
        elif isinstance(base, Listed) and isinstance(key, Number):
            self.changed(target.base, base, self._with_item(base, key, value, target))

    def _with_field(self, base: Mapped, key: str | None, value: Value, target: Node, by: Value) -> Mapped:
        self.spend(1 + len(base.fields) // 64)
        order = tuple(taint for taint in taints_of(by) if taint.chance in ORDERS)
        if order:
            # Which entry it is the key says, whatever comes first; the entries as a whole stand as they came.
            value = without_taints(value, order)
            base = replace(base, taints=tuple(dict.fromkeys((*base.taints, *order))))
        for index, field in enumerate(base.fields):
            if key is not None and field.key == key and not field.controls:
                fields = (*base.fields[:index], replace(field, value=value), *base.fields[index + 1 :])
                return replace(base, fields=fields)
        return replace(base, fields=(*base.fields, Field(key, value, self.span(target))))

    def _with_item(self, base: Listed, key: Number, value: Value, target: Node) -> Listed:
        self.spend(1 + len(base.parts) // 64)
        index = plain_index(base, key)
        if index is None:
            return base
        part = replace(base.parts[index], value=value, span=self.span(target))
        return replace(base, parts=(*base.parts[:index], part, *base.parts[index + 1 :]))

    def _put_cut(self, target: Cut, value: Value) -> None:
        base = self.evaluate(target.base)
        if not isinstance(base, Listed):
            return
        new = value.parts if isinstance(value, Listed) else (Part(value, self.span(target), is_spread=True),)
        bounds = [0 if bound is None else getattr(bound, "value", None) for bound in (target.lower, target.upper)]
        lower, upper = bounds[0], len(base.parts) if target.upper is None else bounds[1]
        is_plain = not any(part.controls or part.is_spread for part in base.parts)
        if is_plain and target.step is None and isinstance(lower, int) and isinstance(upper, int) and 0 <= lower <= upper:
            new = (*base.parts[:lower], *new, *base.parts[upper:])
        elif target.lower is not None or target.upper is not None:
            is_front = isinstance(target.upper, Constant) and target.lower is None
            new = (*new, *base.parts) if is_front else (*base.parts, *new)
        self.changed(target.base, base, replace(base, parts=new))

    def _bind_each(self, target: Display, value: Value, node: Node) -> None:
        items = target.items
        value = self.items_of(value, self.span(node))
        parts = value.parts if isinstance(value, Listed) else ()
        is_known = bool(parts) and not any(part.controls or part.is_spread for part in parts)
        star = next((i for i, item in enumerate(items) if isinstance(item, Spread)), None)
        if is_known and star is None and len(parts) == len(items):
            for item, part in zip(items, parts, strict=True):
                self.bind(item, part.value, node)
            return
        if is_known and star is not None and len(parts) >= len(items) - 1 and isinstance(value, Listed):
            behind = len(items) - star - 1
            taken = parts[star : len(parts) - behind]
            found = [p.value for p in parts[:star]]
            found += [replace(value, parts=taken, kind="list"), *(p.value for p in parts[len(parts) - behind :])]
            for item, each in zip(items, found, strict=True):
                self.bind(item, each, node)
            return
        for item in items:
            each = value if isinstance(item, Spread) else self.models.iterated(value, self.span(node), self)
            self.bind(item, each, node)

    def _bind_fields(self, target: Mapping, value: Value, node: Node) -> None:
        for entry in target.entries:
            if entry.key is None:
                self.bind(entry.value, value, node)
            elif isinstance(entry.key, Text):
                self.bind(entry.value, self.attribute(value, entry.key.passage.text, entry.value, entry.value), node)

    def changed(self, place: Node, old: Value | None, new: Value) -> None:
        """Put ``new`` where the value that was changed in place stands, also under its other names.

        A value that two names share is the same object here, so the other names are those that hold ``old`` itself.
        """
        if new is old:
            return
        if isinstance(place, Name | Member | Item | Cut):
            self._put(place, new, is_change=True)
        if not isinstance(old, Listed | Mapped):
            return
        is_script = self.module.language == "script"
        for space in self._seen_spaces():
            if len(space.bound) > _NAMES_MAX or (is_script and space.is_class):
                continue
            for name, value in list(space.bound.items()):
                if value is old:
                    self.store.write(space, name, new)
                elif isinstance(value, Listed | Mapped) and value is not new:
                    found = _with_inner(value, old, new)
                    if found is not value:
                        self.store.write(space, name, found)

    def _seen_spaces(self) -> Iterator[Space]:
        known: set[int] = set()
        for frame in reversed(self.frames):
            spaces: list[Space | None] = [frame.space]
            receiver = frame.receiver
            spaces.append(self.space_of_object(receiver) if receiver is not None and not isinstance(receiver, Callback) else None)
            while spaces:
                space = spaces.pop()
                if space is not None and id(space) not in known:
                    known.add(id(space))
                    yield space
                    spaces.append(space.outer)


def _with_inner(value: Listed | Mapped, old: Value, new: Value) -> Listed | Mapped:
    """Return a list or mapping that has ``new`` where it had ``old`` itself as an item."""
    items: tuple[Part | Field, ...] = value.parts if isinstance(value, Listed) else value.fields
    if len(items) > _ITEMS_MAX or not any(item.value is old for item in items):
        return value
    changed = tuple(replace(item, value=new) if item.value is old else item for item in items)
    return replace(value, **{"parts" if isinstance(value, Listed) else "fields": changed})


def plain_index(base: Listed, key: Number) -> int | None:
    """Return the position that a constant index means, None where parts of unknown number stand ahead of it."""
    if not isinstance(key.value, int) or isinstance(key.value, bool):
        return None
    index = key.value
    ahead = base.parts[: index + 1] if index >= 0 else base.parts[index:]
    if not -len(base.parts) <= index < len(base.parts) or any(part.controls or part.is_spread for part in ahead):
        return None
    return index if index >= 0 else index + len(base.parts)
