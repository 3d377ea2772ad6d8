"""Functions of the tree: entered with what a call gives, or as entries with what is not known."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from radixlint.flow.evaluator_base import Named, Values
from radixlint.flow.evaluator_frames import Closure, Frame
from radixlint.flow.evaluator_statements import YIELDED, Statements
from radixlint.flow.keeping import PROCESS, is_drawn
from radixlint.flow.merging import either, size_of
from radixlint.flow.merging_facts import NO_FACTS, carried, facts_of, joined
from radixlint.flow.model_types import plain_type
from radixlint.flow.program import Function, Parameter
from radixlint.flow.scope import ModuleSpace, Space
from radixlint.flow.stubs import filled, is_stub, unsaid
from radixlint.flow.values import (
    Absent,
    Callback,
    Facts,
    Field,
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


class Functions(Statements):
    """Enters functions."""

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
        if is_stub(closure):
            return self._enter_stub(closure, positional, named, span)
        is_active = any(frame.function is closure.function for frame in self.frames)
        depth = sum(1 for frame in self.frames if frame.function is not None)
        if is_active or depth > _CALLS_MAX or self.budget.entry_left < 0:
            if not is_active:
                self.tell_unfollowed()
            name = closure.function.name
            # What a function that calls itself gives is made of what it has given so far.
            given = [value for frame in self.frames if frame.function is closure.function for _, value in frame.returns]
            return joined((*given, *positional, *(value for _, value in named)), span, name)
        frame = self._frame(closure, (*self.frame.callers, span))
        self._set_apart(frame, self.frame)
        self.frames.append(frame)
        try:
            self._bind_arguments(closure, positional, named, span)
            result = self._as_declared(self._result(closure.function), closure.function)
        finally:
            self.frames.pop()
        return carried(result, span)

    def _enter_stub(self, stub: Closure, positional: Values, named: Named, span: Span) -> Value:
        """Return what a property, or a function handed to another one, gives that has no body of its own."""
        values = [self.enter(each, positional, named, span) for each in filled(stub)]
        if len(values) == 1:
            return values[0]
        facts = NO_FACTS if values else unsaid(stub)
        found = joined((*values, *positional, *(value for _, value in named)), span, stub.function.name, facts)
        return self._as_declared(found, stub.function)

    def _set_apart(self, frame: Frame, caller: Frame) -> None:
        """Note whether a function runs beside others: one that waits is called in each round of a loop, and not waited for."""
        is_awaited = bool(self.calling) and id(self.calling[-1]) in self.awaited
        frame.rounds = len(self.rounds)
        frame.is_apart = caller.is_apart or (len(self.rounds) > caller.rounds and not is_awaited)
        frame.waits, self.is_beside = self.is_beside or (caller.is_apart and caller.waits), False

    def beside(self, callback: Value, positional: Values, named: Named, span: Span) -> Value:
        """Return what a function gives that runs when others are done, or in a thread."""
        self.is_beside = True
        try:
            return self.invoke(callback, positional, named, span)
        finally:
            self.is_beside = False

    def _as_declared(self, result: Value, function: Function) -> Value:
        """Return a value that is not known as of the type that a function says it gives."""
        if not isinstance(result, Unknown) or result.type or not function.returns:
            return result
        return replace(result, type=self.resolved_type(function.returns))

    def tell_unfollowed(self) -> None:
        """Note that calls in a function are followed no further: they go too deep, or the work allowed for one is used up."""
        outermost = next((frame.function for frame in self.frames if frame.function is not None), None)
        if outermost is not None and not self.muted:
            self.unfollowed.setdefault(outermost.name, outermost.start)

    def _frame(self, closure: Closure, callers: tuple[Span, ...]) -> Frame:
        space = Space(closure.space)
        mark = self.store.mark()
        return Frame(closure.home, space, closure.function, callers, closure.owner, closure.receiver, mark, around=closure.space)

    def _result(self, function: Function) -> Value:
        """Walk the body of the function of the innermost frame and return what it gives."""
        frame = self.frame
        is_reached = self.run_block(function.body)
        exits = frame.exits
        if exits and not is_reached and not exits[-1].controls:
            exits, is_settled = exits[:-1], True
        else:
            is_settled = is_reached
        self.rejoin(exits, frame.mark, is_settled)
        yielded = frame.space.bound.get(YIELDED)
        if isinstance(yielded, Listed):
            return yielded
        returns = frame.returns[-_RETURNS_MAX:]
        if not returns:
            return Absent()
        self.spend(sum(size_of(value) for _, value in returns) // 4)
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
            return self._as_default(self.evaluate(parameter.default), closure.space)
        finally:
            frame.space = around

    def _as_default(self, value: Value, around: Space | None) -> Value:
        """Return what a default gives: Python makes it where the function is defined, JavaScript in each call."""
        is_once = isinstance(around, ModuleSpace) or (around is not None and around.is_class)
        return self.keep(value, PROCESS) if is_once and self.module.language == "python" else value

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
            if parameter.annotation and not parameter.kind and isinstance(value, Unknown) and not value.type:
                value = replace(value, type=self.resolved_type(parameter.annotation))
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
        annotation = self.resolved_type(parameter.annotation)
        value: Value = Unknown(Facts(names=(parameter.name,)), self.span(parameter), parameter.name, parameter.name, annotation)
        default = self.evaluate(parameter.default) if parameter.default is not None and not parameter.kind else None
        if default is not None and _says_more(default):
            value = self._as_default(default, space.outer)
        space.given.add(parameter.name)
        self.store.write(space, parameter.name, value)

    def resolved_type(self, annotation: str) -> str:
        """Return what an annotation names, its first name as a full dotted name where it is a library's."""
        annotation = plain_type(annotation)
        name = annotation.partition(".")[0]
        if not name.isidentifier():
            return annotation
        space = self.frame.home.holder(name)
        value = self.resolved(space.bound[name], space, name) if space is not None else None
        return value.name + annotation[len(name) :] if isinstance(value, Library) else annotation


def _says_more(default: Value) -> bool:
    """Whether a default is what a parameter most often is: long text, a filled list, or what a call made; not a mere word."""
    if isinstance(default, Written):
        return default.fixed is None or len(default.fixed) > _WORD_MAX
    if isinstance(default, Listed | Mapped):
        return bool(default.parts if isinstance(default, Listed) else default.fields)
    if isinstance(default, Number | Absent):
        return False
    return is_drawn(default) or (isinstance(default, Unknown) and bool(default.facts.calls))
