"""Classes and objects of the tree: what a class holds, and the attributes that a new object has."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from radixlint.flow.classes import ClassInfo
from radixlint.flow.evaluator_base import Named, Values
from radixlint.flow.evaluator_frames import Closure, Frame
from radixlint.flow.evaluator_functions import Functions
from radixlint.flow.keeping import PROCESS
from radixlint.flow.program import Call, Class, Node
from radixlint.flow.scope import ModuleSpace, Space
from radixlint.flow.values import Absent, Callback, Facts, Field, Instance, Library, Listed, Mapped, Unknown, Value, Written
from radixlint.prompt import Span

_MAKERS: Final = ("__init__", "constructor")
_FACTORIES: Final = frozenset({"field", "Field", "attrib", "ib"})


class Objects(Functions):
    """Makes classes and objects."""

    def class_value(self, node: Class) -> Value:
        """Return a class as a value; its body is run."""
        frame = self.frame
        space = Space(frame.space, is_class=True)
        bases = tuple(self._base(name) for name in node.bases)
        info = ClassInfo(node, space, frame.home, bases)
        self.frames.append(Frame(frame.home, space, frame.function, frame.callers, info, None, self.store.mark()))
        try:
            self.run_block(node.body)
        finally:
            self.frames.pop()
        if frame.function is None:
            self.keep_space(space, PROCESS)
        if frame.home is self.home and frame.function is None and any(each.own is not self.home for each in info.lineage()):
            self.heirs_made.append(info)
        return Callback(node.name, info)

    def _base(self, written: str) -> Value:
        words = written.partition("[")[0].split(".")
        space = self.frame.space.holder(words[0])
        value: Value = self.resolved(space.bound[words[0]], space, words[0]) if space is not None else Library(words[0])
        for word in words[1:]:
            if isinstance(value, Library):
                value = Library(f"{value.name}.{word}")
            elif isinstance(value, Callback):
                value = self.attribute_of_module(value, word)
        return value

    @abstractmethod
    def attribute_of_module(self, value: Callback, name: str) -> Value:
        """Return ``name`` of a module or class."""

    def make(self, owner: ClassInfo, positional: Values, named: Named, span: Span) -> Value:
        """Return a new object of a class of the tree."""
        given = (*((str(index), value) for index, value in enumerate(positional)), *named)
        if owner.is_typed_dict:
            return Mapped(tuple(Field(None if key == "**" else key, value, span) for key, value in named), span)
        if owner.is_enum:
            return positional[0] if positional else Absent()
        known = self.content(owner, positional, named, span)
        if known is not None:
            self._begin(owner, known, positional, named, span)
            return self.latest(known)
        made, space = self.new_object(owner, given, span)
        if not self._begin(owner, made, positional, named, span) and owner.has_fields:
            self._fill(owner, space, positional, named, span)
            after = owner.find("__post_init__")
            target = self._bound_maker(after[1], made) if after is not None else None
            if target is not None:
                self.enter(target, (), (), span)
        return made

    def _begin(self, owner: ClassInfo, made: Value, positional: Values, named: Named, span: Span) -> bool:
        """Run what a class says is done with a new object; return whether it says so."""
        maker = next((found for name in _MAKERS if (found := owner.find(name)) is not None), None)
        target = self._bound_maker(maker[1], made) if maker is not None else None
        if target is not None:
            self.enter(target, positional, named, span)
        return maker is not None

    def _bound_maker(self, value: Value, made: Value) -> Closure | None:
        target = value.target if isinstance(value, Callback) else None
        if not isinstance(target, Closure):
            return None
        return Closure(target.function, target.space, target.home, target.owner, made)

    def new_object(self, owner: ClassInfo, given: Named, span: Span) -> tuple[Instance, Space]:
        """Return a new object with no attributes, and the space that holds them."""
        made = Instance(owner.name, given, span, len(self.objects) + 1)
        space = Space()
        if owner.own.module.language == "script":
            # Fields of a class in JavaScript are made anew for each object.
            for each in reversed(owner.lineage()):
                own = {name: self.keep(value, "") for name, value in each.space.bound.items() if not isinstance(value, Callback)}
                space.bound.update(own)
        self.objects[made.identity] = (space, owner)
        return made, space

    def _fill(self, owner: ClassInfo, space: Space, positional: Values, named: Named, span: Span) -> None:
        """Give an object its declared fields."""
        given, rest = dict(named), list(positional)
        for name, default, declarer in owner.fields():
            if name in given:
                value: Value | None = given[name]
            elif rest:
                value = rest.pop(0)
            else:
                value = self.field_default(default, declarer) if default is not None else None
            if value is not None:
                self.store.write(space, name, value)

    def field_default(self, default: Node, owner: ClassInfo) -> Value:
        """Return the default of a declared field, also from ``field(default_factory=list)``."""
        home = self._home_of(owner)
        self.frames.append(Frame(home, Space(owner.space.outer), None, self.frame.callers, owner, None, self.store.mark()))
        try:
            if isinstance(default, Call) and self.text(default.callee).rpartition(".")[2] in _FACTORIES:
                return self._made_by(default)
            return self.keep(self.evaluate(default), PROCESS)
        finally:
            self.frames.pop()

    @abstractmethod
    def _home_of(self, owner: ClassInfo) -> ModuleSpace:
        """Return the module of a class."""

    def _made_by(self, default: Call) -> Value:
        for argument in default.arguments:
            if argument.name in ("default", None):
                return self.evaluate(argument.value)
            if argument.name in ("default_factory", "factory"):
                factory = self.evaluate(argument.value)
                if isinstance(factory, Library) and factory.name in ("list", "set", "tuple"):
                    return Listed((), self.span(default), factory.name)
                if isinstance(factory, Library) and factory.name == "dict":
                    return Mapped((), self.span(default))
                if isinstance(factory, Library) and factory.name == "str":
                    return Written(())
                if isinstance(factory, Library) and factory.name.rpartition(".")[2].islower():
                    return Unknown(Facts(calls=(factory.name,)), self.span(argument.value), self.text(argument.value))
                return self.invoke(factory, (), (), self.span(default))
        return Absent()
