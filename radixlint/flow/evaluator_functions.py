"""Functions and objects of the tree: entered with what a call gives, or as entries with what is not known."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from radixlint.flow.classes import ClassInfo
from radixlint.flow.evaluator_base import Named, Values
from radixlint.flow.evaluator_frames import Closure, Frame
from radixlint.flow.evaluator_statements import YIELDED, Statements
from radixlint.flow.merging import either
from radixlint.flow.merging_facts import carried, facts_of
from radixlint.flow.program import Call, Class, Function, Node, Parameter
from radixlint.flow.scope import ModuleSpace, Space
from radixlint.flow.values import (
    Absent,
    Callback,
    Facts,
    Field,
    Instance,
    Library,
    Listed,
    Mapped,
    Number,
    Part,
    Unknown,
    Value,
    Written,
)
from radixlint.prompt import Span

_CALLS_MAX: Final = 8
_RETURNS_MAX: Final = 40
_WORD_MAX: Final = 80
_MAKERS: Final = ("__init__", "constructor")
_FACTORIES: Final = frozenset({"field", "Field", "attrib", "ib"})


class Functions(Statements):
    """Enters functions and makes objects."""

    def function_value(self, function: Function, space: Space) -> Value:
        """Return a function as a value, and take it up as an entry."""
        frame = self.frame
        owner = frame.owner if space.is_class else None
        closure = Closure(function, space, frame.home, owner)
        if function.name or (len(function.body) != 1 or frame.home.module.language == "script"):
            self.take_up(closure)
        return Callback(function.name, closure)

    def take_up(self, closure: Closure) -> None:
        """Take a function of the file itself up as an entry, once."""
        if self.muted or closure.home is not self.home or id(closure.function) in self.queued:
            return
        self.queued.add(id(closure.function))
        self.pending.append(closure)

    def enter(self, closure: Closure, positional: Values, named: Named, span: Span) -> Value:
        """Return what a function of the tree gives where it is called; unknown if it calls itself or goes too deep."""
        is_active = any(frame.function is closure.function for frame in self.frames)
        depth = sum(1 for frame in self.frames if frame.function is not None)
        if is_active or depth > _CALLS_MAX or self.budget.entry_left < 0:
            name = closure.function.name
            return Unknown(facts_of(*positional, *(value for _, value in named)), span, name)
        frame = self._frame(closure, (*self.frame.callers, span))
        self.frames.append(frame)
        try:
            self._bind_arguments(closure, positional, named, span)
            result = self._result(closure.function)
        finally:
            self.frames.pop()
        return carried(result, span)

    def _frame(self, closure: Closure, callers: tuple[Span, ...]) -> Frame:
        space = Space(closure.space)
        return Frame(closure.home, space, closure.function, callers, closure.owner, closure.receiver, self.store.mark())

    def _result(self, function: Function) -> Value:
        """Walk the body of the function of the innermost frame and return what it gives."""
        frame = self.frame
        is_reached = self.run_block(function.body)
        if frame.exits:
            self.rejoin([e for e in frame.exits if e.changes or e.controls], frame.mark, is_reached)
        yielded = frame.space.bound.get(YIELDED)
        if isinstance(yielded, Listed):
            return yielded
        returns = frame.returns[-_RETURNS_MAX:]
        if not returns:
            return Absent()
        return either([*returns, ((), Absent())] if is_reached else returns)

    def _bind_arguments(self, closure: Closure, positional: Values, named: Named, span: Span) -> None:
        """Bind parameters in the innermost frame to the arguments of a call."""
        parameters = self._without_receiver(closure)
        given = dict(named)
        rest = list(positional)
        spread = given.pop("*", None)
        unknown = given.pop("**", None)
        for parameter in parameters:
            if parameter.kind == "*":
                parts = tuple(Part(value, span) for value in rest)
                extra = (Part(spread, span, is_spread=True),) if spread is not None else ()
                value: Value = Listed((*parts, *extra), span, "tuple" if closure.home.module.language == "python" else "list")
                rest = []
            elif parameter.kind == "**":
                fields = tuple(Field(key, each, span) for key, each in given.items())
                more = (Field(None, unknown, span, is_spread=True),) if unknown is not None else ()
                value = Mapped((*fields, *more), span)
            elif rest:
                value = rest.pop(0)
            elif parameter.name in given:
                value = given.pop(parameter.name)
            elif spread is not None or (unknown is not None and parameter.default is None):
                value = self._of_spread(parameter, spread, unknown, span)
            elif parameter.default is not None:
                value = self._default(parameter, closure)
            else:
                self._bind_unknown(parameter)
                continue
            self._bind_parameter(parameter, value)

    def _of_spread(self, parameter: Parameter, spread: Value | None, unknown: Value | None, span: Span) -> Value:
        facts = facts_of(spread, unknown)
        if isinstance(unknown, Unknown) and spread is None and unknown.path:
            return Unknown(Facts(names=(f"{unknown.path}.{parameter.name}",)), span, unknown.text)
        return Unknown(facts, span, parameter.name)

    def _default(self, parameter: Parameter, closure: Closure) -> Value:
        """Return the value of a default, in the names around the function."""
        if parameter.default is None:
            return Absent()
        frame = self.frame
        around, frame.space = frame.space, closure.space
        try:
            return self.evaluate(parameter.default)
        finally:
            frame.space = around

    def _without_receiver(self, closure: Closure) -> tuple[Parameter, ...]:
        """Bind the object of a method, and return the other parameters."""
        parameters, space = closure.function.parameters, self.frame.space
        if closure.receiver is None:
            return parameters
        if closure.home.module.language == "script":
            self.store.write(space, "this", closure.receiver)
            return parameters
        if parameters and not parameters[0].kind:
            self.store.write(space, parameters[0].name, closure.receiver)
            return parameters[1:]
        return parameters

    def _bind_parameter(self, parameter: Parameter, value: Value) -> None:
        if not parameter.fields:
            self.store.write(self.frame.space, parameter.name, value)
            return
        for field in parameter.fields:
            each = value.get(field.name) if isinstance(value, Mapped) else None
            if each is None and isinstance(value, Mapped) and not any(f.key is None for f in value.fields):
                each = self.evaluate(field.default) if field.default is not None else None
            if each is None:
                each = self._field_of(value, field)
            self._bind_parameter(field, each)

    def _field_of(self, value: Value, field: Parameter) -> Value:
        path = f"{value.path}.{field.name}" if isinstance(value, Unknown) and value.path else field.name
        facts = facts_of(value)
        if not isinstance(value, Unknown) or value.path:
            facts = Facts(names=(path,))
        return Unknown(facts, self.span(field), self.text(field), path, field.annotation)

    def _bind_unknown(self, parameter: Parameter) -> None:
        """Bind a parameter of which only its name, annotation and default are known."""
        space = self.frame.space
        if parameter.fields:
            for field in parameter.fields:
                self._bind_unknown(field)
            return
        annotation = self._resolved_type(parameter.annotation)
        value: Value = Unknown(Facts(names=(parameter.name,)), self.span(parameter), parameter.name, parameter.name, annotation)
        default = self.evaluate(parameter.default) if parameter.default is not None and not parameter.kind else None
        if default is not None and _says_more(default):
            value = default
        space.given.add(parameter.name)
        self.store.write(space, parameter.name, value)

    def _resolved_type(self, annotation: str) -> str:
        """Return an annotation with its first name as a full dotted name where it is a library's."""
        name = annotation.partition(".")[0]
        if not name.isidentifier():
            return annotation
        space = self.frame.home.holder(name)
        value = self.resolved(space.bound[name], space, name) if space is not None else None
        return value.name + annotation[len(name) :] if isinstance(value, Library) else annotation

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
        made, space = self.new_object(owner, given, span)
        maker = next((found for name in _MAKERS if (found := owner.find(name)) is not None), None)
        if maker is not None:
            target = self._bound_maker(maker[1], made)
            if target is not None:
                self.enter(target, positional, named, span)
        elif owner.has_fields:
            self._fill(owner, space, positional, named, span)
            after = owner.find("__post_init__")
            target = self._bound_maker(after[1], made) if after is not None else None
            if target is not None:
                self.enter(target, (), (), span)
        return made

    def _bound_maker(self, value: Value, made: Instance) -> Closure | None:
        target = value.target if isinstance(value, Callback) else None
        if not isinstance(target, Closure):
            return None
        return Closure(target.function, target.space, target.home, target.owner, made)

    def new_object(self, owner: ClassInfo, given: Named, span: Span) -> tuple[Instance, Space]:
        """Return a new object with no attributes, and the space that holds them."""
        made = Instance(owner.name, given, span, len(self.objects) + 1)
        space = Space()
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
            return self.evaluate(default)
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
                return self.invoke(factory, (), (), self.span(default))
        return Absent()


def _says_more(default: Value) -> bool:
    """Whether a default is what a parameter most often is: long text, a filled list, or what a call made; not a mere word."""
    if isinstance(default, Written):
        return default.fixed is None or len(default.fixed) > _WORD_MAX
    if isinstance(default, Listed | Mapped):
        return bool(default.parts if isinstance(default, Listed) else default.fields)
    if isinstance(default, Number | Absent):
        return False
    return isinstance(default, Unknown) and bool(default.facts.calls)
