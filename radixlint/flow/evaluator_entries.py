"""Entries: every function is also evaluated as if called from outside, on an object as other calls may have left it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Listener, Models
from radixlint.flow.classes import ClassInfo
from radixlint.flow.evaluator_base import Load, OpenTemplate
from radixlint.flow.evaluator_frames import Budget, Closure, Frame
from radixlint.flow.evaluator_modules import Modules
from radixlint.flow.heirs import entered_on, inherited
from radixlint.flow.keeping import OBJECT
from radixlint.flow.merging import size_of
from radixlint.flow.model_types import plain_type
from radixlint.flow.program import Function, Module
from radixlint.flow.scope import ModuleSpace, Space, Store
from radixlint.flow.scope_signs import Signs
from radixlint.flow.values import Absent, Callback, Facts, Field, Instance, Listed, Mapped, Number, Part, Unknown, Value, Written
from radixlint.prompt import COUNTED, Span

_NESTING_MAX: Final = 6
_MAKERS: Final = ("__init__", "constructor", "__post_init__")


class Evaluator(Modules):
    """Evaluates one module: its body, then each of its functions."""

    def __init__(
        self, module: Module, models: Models, listener: Listener, load: Load, budget: Budget, open_template: OpenTemplate | None
    ) -> None:
        super().__init__(module, models, listener, load, budget, open_template)
        self.signs = Signs(module, None)
        self.given: dict[tuple[int, int], dict[str, Value]] = {}
        self.is_asking = False
        self.hoist(self.home)
        self.home.is_run = True

    def run(self, signs: Signs) -> None:
        """Run the body, then the entries that show signs, those that entries bring up included."""
        self.signs = signs
        self.frames.append(Frame(self.home, self.home))
        self.budget.enter()
        self.run_block(self.home.module.body)
        changes = self.changes_of(self.home)
        self._grow(self.home, changes.names, changes.counted)
        self._grow_entries(self.home, changes.counted)
        self._run_pending(0)
        self._run_inherited()
        self.frames.pop()

    def _run_pending(self, nesting: int) -> None:
        queue, self.pending = self.pending, []
        for closure in queue:
            if self.signs.has(closure.function):
                self._run_entry(closure, nesting)

    def _run_entry(self, closure: Closure, nesting: int) -> None:
        words = {word.rpartition(".")[2] for word in closure.function.decorators}
        owner = closure.owner
        if owner is None or words & {"staticmethod", "static"}:
            # In a static method of a script ``this`` is the class.
            around = Callback(owner.name, owner) if owner is not None and "static" in words else None
            self._run_on(closure, around, nesting)
            return
        for each in entered_on(closure, self._is_set_by):
            receiver: Value = Callback(each.name, each) if "classmethod" in words else self._self(each)
            self._run_on(closure, receiver, nesting)

    def _run_inherited(self) -> None:
        """Enter the methods of other files that a class of this one fills in, as if they stood in it."""
        for heir in self.heirs_made:
            for closure in inherited(heir, self._is_set_by):
                function = closure.function
                text = closure.home.module.passage.text[function.start : function.end]
                if function.name not in _MAKERS and self.signs.shows(text):
                    self._run_on(closure, self._self(heir), 0, (heir.own_span(),))

    def _run_on(self, closure: Closure, receiver: Value | None, nesting: int, callers: tuple[Span, ...] = ()) -> None:
        self.budget.enter()
        mark = self.store.mark()
        if receiver is not None:
            closure = Closure(closure.function, closure.space, closure.home, closure.owner, receiver)
        self._enter_unknown(closure, callers)
        self.budget.leave()
        if nesting < _NESTING_MAX:
            self._run_pending(nesting + 1)
        self.store.undo(mark)

    def _is_set_by(self, owner: ClassInfo, name: str) -> bool:
        return f"{owner.name}.{name}" in self.changes_of(self._home_of(owner)).setters

    def _enter_unknown(self, closure: Closure, callers: tuple[Span, ...] = ()) -> None:
        """Walk a function with parameters of which nothing is known."""
        frame = self._frame(closure, callers)
        self.frames.append(frame)
        try:
            for parameter in self._without_receiver(closure):
                self._bind_unknown(parameter)
            # A function that it gives away sees what is drawn here in all its calls.
            self.keep(self._result(closure.function), OBJECT)
            if self.pending:
                changes = self.changes_of(closure.home)
                counted = [name for name in changes.shared if f".{name}" in changes.counted]
                self._grow(frame.space, changes.shared, counted)
        finally:
            self.frames.pop()

    def _self(self, owner: ClassInfo) -> Instance:
        """Return the object that methods of a class are entered on: made by its ``__init__``, then used by its methods."""
        found = self.selves.get(owner)
        if found is not None:
            return found
        span = owner.own_span()
        made, space = self.new_object(owner, (), span)
        self.selves[owner] = made
        store, self.store = self.store, Store()
        self.muted += 1
        try:
            self._prepare(owner, made, space, span)
        finally:
            self.muted -= 1
            self.store = store
        return made

    def _prepare(self, owner: ClassInfo, made: Instance, space: Space, span: Span) -> None:
        for name in _MAKERS:
            maker = owner.find(name)
            if name == "__post_init__" or (maker is None and name == "__init__" and owner.has_fields):
                self._fill_unknown(owner, space)
            target = self._bound_maker(maker[1], made) if maker is not None else None
            if target is not None:
                self._enter_unknown(target)
        for each in owner.lineage():
            changes = self.changes_of(self._home_of(each))
            prefix = f"{each.name}."
            names = [name[len(prefix) :] for name in sorted(changes.attributes) if name.startswith(prefix)]
            counted = {name for name in names if prefix + name in changes.counted}
            for name in counted - space.bound.keys():
                found = owner.find(name)
                if found is not None and isinstance(found[1], Number):
                    self.store.write(space, name, found[1])
            self._grow_attributes(space, names, counted)
        self.keep_space(space, OBJECT)

    def _fill_unknown(self, owner: ClassInfo, space: Space) -> None:
        for name, default, declarer in owner.fields() if owner.has_fields else ():
            if name in space.bound:
                continue
            value = self.field_default(default, declarer) if default is not None else None
            is_filled = isinstance(value, Written | Listed | Mapped) and bool(size_of(value))
            if value is not None and (is_filled or (isinstance(value, Unknown) and value.facts.calls)):
                self.store.write(space, name, value)
            else:
                path = f"self.{name}"
                known = plain_type(owner.type_of(name))
                self.store.write(space, name, Unknown(Facts(names=(path,)), owner.own_span(), path, path, known))
                space.given.add(name)

    def _grow_attributes(self, space: Space, names: list[str], counted: set[str]) -> None:
        for name in names:
            value = space.bound.get(name)
            if value is not None:
                self._grow_one(space, name, f"self.{name}", value, is_counted=name in counted)

    def _grow(self, space: Space, names: frozenset[str], counted: Collection[str]) -> None:
        """Let names that functions change stand for what they may have become."""
        for name in sorted(names.intersection(space.bound)):
            self._grow_one(space, name, name, space.bound[name], is_counted=name in counted)

    def _grow_entries(self, home: ModuleSpace, counted: frozenset[str]) -> None:
        """Let entries of mappings that functions count stand for what they may have become."""
        for path in sorted(counted):
            name, _, key = path.partition(".")
            value = home.bound.get(name)
            if key and isinstance(value, Mapped) and isinstance(value.get(key), Number):
                fields = tuple(_counted_field(field, path) if field.key == key else field for field in value.fields)
                self.store.write(home, name, replace(value, fields=fields))

    def _grow_one(self, space: Space, name: str, path: str, value: Value, *, is_counted: bool) -> None:
        span = getattr(value, "span", None) or self.home.module.passage.span(0, 0)
        filters = (COUNTED,) if is_counted and isinstance(value, Number) else ()
        grown = Unknown(Facts(names=(path,), filters=filters), span, "", path)
        kept: Value
        if isinstance(value, Listed):
            kept = replace(value, parts=(*value.parts, Part(grown, span, is_spread=True)))
        elif isinstance(value, Mapped):
            kept = replace(value, fields=(*value.fields, Field(None, grown, span, is_spread=True)))
        elif isinstance(value, Number | Absent) or (isinstance(value, Written) and not value.parts):
            kept = replace(grown, text=path)
        else:
            return
        space.given.add(name)
        self.store.write(space, name, kept)

    def set_elsewhere(self, owner: ClassInfo, name: str, receiver: Value) -> Value | None:
        """Return what another method of the object gives to an attribute, None if none does."""
        if not isinstance(receiver, Instance):
            return None
        for each in owner.lineage():
            for function in self.changes_of(self._home_of(each)).setters.get(f"{each.name}.{name}", ()):
                value = self._set_by(function, each, name, receiver)
                if value is not None:
                    return self.keep(value, OBJECT)
        return None

    def _set_by(self, function: Function, owner: ClassInfo, name: str, receiver: Instance) -> Value | None:
        key = (receiver.identity, id(function))
        if key not in self.given:
            # A method that is run for what it sets runs no other for that; it is run once for an object.
            if self.is_asking or any(frame.function is function for frame in self.frames) or len(self.frames) > _NESTING_MAX:
                return None
            self.given[key] = self._attributes_by(Closure(function, owner.space, self._home_of(owner), owner, receiver))
        return self.given[key].get(name)

    def _attributes_by(self, closure: Closure) -> dict[str, Value]:
        """Return the attributes of an object after one of its methods ran, which is then as if it had not."""
        space = self.objects[closure.receiver.identity][0] if isinstance(closure.receiver, Instance) else closure.space
        mark = self.store.mark()
        self.muted += 1
        self.is_asking = True
        try:
            self._enter_unknown(closure)
            return dict(space.bound)
        finally:
            self.is_asking = False
            self.muted -= 1
            self.store.undo(mark)

    def _home_of(self, owner: ClassInfo) -> ModuleSpace:
        home = owner.own
        return home if isinstance(home, ModuleSpace) else self.home


def _counted_field(field: Field, path: str) -> Field:
    """Return an entry as a number that functions add to."""
    return replace(field, value=Unknown(Facts(names=(path,), filters=(COUNTED,)), field.span, path, path))
