"""Statements: assignments, branches, loops, and what a function gives back."""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import Final

from msgspec.structs import replace

from radixlint.flow.classes import ClassInfo
from radixlint.flow.counting import counted_by
from radixlint.flow.evaluator_base import LEVELS_MAX, dotted
from radixlint.flow.evaluator_branches import Branches, Walk
from radixlint.flow.evaluator_frames import Closure, Exit, Imported
from radixlint.flow.merging_facts import carried
from radixlint.flow.model_orders import written_out
from radixlint.flow.model_pieces import BUFFER
from radixlint.flow.program import (
    Assign,
    Augment,
    Call,
    Class,
    Constant,
    Declare,
    Define,
    Evaluate,
    For,
    If,
    Import,
    Item,
    Member,
    Name,
    Node,
    Outer,
    Return,
    Stop,
    Try,
    While,
    With,
)
from radixlint.flow.rounds import round_of
from radixlint.flow.scope import Changes
from radixlint.flow.values import Absent, Callback, Instance, Listed, Part, Unknown, Value
from radixlint.prompt import COUNTED, Control, ControlKind, Expression

YIELDED: Final = "<yield>"


class Statements(Branches):
    """Walks statements."""

    def run_block(self, statements: tuple[Node, ...]) -> bool:
        """Walk statements; return whether what follows them is reached."""
        if self.levels >= LEVELS_MAX:
            return True
        self.levels += 1
        try:
            return all(self._run(statement) for statement in statements)
        finally:
            self.levels -= 1

    def _run(self, node: Node) -> bool:
        self.spend(1)
        method = _STATEMENTS.get(type(node))
        if method is None:
            self.evaluate(node)
            return True
        return getattr(self, method)(node) is not False

    def _assign(self, node: Assign) -> None:
        value = self._count_of(self.evaluate(node.value), node)
        target = value.target if isinstance(value, Callback) else None
        if isinstance(target, Closure) and not target.function.name:
            self.take_up(target)
        if node.annotation and isinstance(value, Unknown) and not value.type:
            value = replace(value, type=self.resolved_type(node.annotation))
        for each in node.targets:
            self.bind(each, value, node)

    def _augment(self, node: Augment) -> None:
        old, value = self.evaluate(node.target), self.evaluate(node.value)
        own = self.own(old, ("__iadd__",), (value,), self.span(node)) if node.operator == "+" else None
        new = own or self._count_of(self.operated(node.operator, [old, value], node), node)
        if isinstance(old, Listed):
            self.changed(node.target, old, new)
        elif isinstance(node.target, Name):
            self.store.write(self.frame.space.outside.get(node.target.name, self.frame.space), node.target.name, new)
        else:
            self._put(node.target, new)
        self.tell_bound(node.target, new, node, value)

    def _count_of(self, value: Value, node: Assign | Augment) -> Value:
        """Return what is assigned as a count where the statement counts up what an object or mapping from elsewhere keeps."""
        if not isinstance(value, Unknown) or value.facts.calls or not value.facts.names:
            return value
        target = node.target if isinstance(node, Augment) else node.targets[0]
        if not isinstance(target, Member | Item) or COUNTED in value.facts.filters or counted_by(node) is None:
            return value
        return replace(value, facts=replace(value.facts, filters=(*value.facts.filters, COUNTED)))

    def _evaluate(self, node: Evaluate) -> None:
        self.evaluate(node.value)

    def _declare(self, node: Declare) -> None:
        return None

    def _outer(self, node: Outer) -> None:
        space = self.frame.space
        for name in node.names:
            outer = space.outer.holder(name) if space.outer is not None else None
            if outer is None and self.module.language == "script":
                outer = self.frame.home  # declared without a value
            around = self.frame.home if node.is_global else outer
            if around is not None and around is not space:
                space.outside[name] = around

    def _return(self, node: Return) -> bool:
        value = self.as_given_back(self.evaluate(node.value)) if node.value is not None else Absent()
        frame = self.frame
        if node.is_yield:
            self._yield(node, value)
            return True
        if frame.function is not None and not self.muted:
            self.listener.returned(frame.function, self.module, value, node, frame.callers)
        frame.returns.append((tuple(frame.under), value))
        frame.exits.append(Exit(tuple(frame.under), self._outside_changes()))
        return False

    def _outside_changes(self) -> Changes:
        frame = self.frame
        return {slot: value for slot, value in self.store.changes(frame.mark).items() if slot[0] is not frame.space}

    def _yield(self, node: Return, value: Value) -> None:
        frame = self.frame
        parts = (Part(value, self.span(node)),)
        known = frame.space.bound.get(YIELDED)
        before = known.parts if isinstance(known, Listed) else ()
        made = Listed((*before, *parts), self.span(node), "generator")
        self.store.write(frame.space, YIELDED, made)
        if frame.function is not None and not self.muted:
            self.listener.returned(frame.function, self.module, value, node, frame.callers)

    def _stop(self, node: Stop) -> bool:
        if node.value is not None:
            self.evaluate(node.value)
        if node.word in ("break", "continue") and self.frame.loops:
            self.leave(self.frame.loops[-1], node.word == "break")
        return False

    def _if(self, node: If) -> bool:
        """Walk an ``if`` with all its ``elif``, which are one tag with several branches."""
        walks: list[tuple[Control, Walk]] = []
        first: Control | None = None
        rest: tuple[Node, ...] = (node,)
        while len(rest) == 1 and isinstance(rest[0], If):
            each = rest[0]
            test = self.evaluate(each.test)
            decided = self.decided(test)
            control = self.control(ControlKind.CONDITION, each.test, test)
            first = first or control
            control = replace(control, node=first.node, branch=len(walks))
            if decided is not False:
                walks.append((control, self._walk(each.yes)))
            rest = each.no if decided is not True else ()
            if decided is True:
                return self._decided_block(walks, each.yes)
        last = replace(walks[-1][0], branch=len(walks)) if walks else None
        if last is None:
            return self.run_block(rest)
        return self.branches([*walks, (last, self._walk(rest))])

    def _decided_block(self, walks: list[tuple[Control, Walk]], body: tuple[Node, ...]) -> bool:
        return self.run_block(body) if len(walks) == 1 else self.branches(walks)

    def _walk(self, statements: tuple[Node, ...]) -> Walk:
        return lambda: self.run_block(statements)

    def _for(self, node: For) -> bool:
        iterable = self.gone_through(self.evaluate(node.iterable), self.span(node.iterable))
        items = written_out(iterable)
        if items and not (isinstance(iterable, Listed) and iterable.taints):
            is_reached = self.unroll(items, lambda item: self.bind(node.target, item, node), self._walk(node.body))
            return is_reached and (self.run_block(node.otherwise) if node.otherwise else True)
        control = self.control(ControlKind.LOOP, node.iterable, iterable)
        around = round_of(control, iterable)
        element = carried(self.models.iterated(iterable, self.span(node.iterable), self), around.span)
        self.repeat(control, lambda: self.bind(node.target, element, node), self._walk(node.body), around, node.body)
        return self.run_block(node.otherwise) if node.otherwise else True

    def _while(self, node: While) -> bool:
        test = self.evaluate(node.test)
        control = self.control(ControlKind.LOOP, node.test, test)
        has_break = self.repeat(control, lambda: None, self._walk(node.body), control, node.body)
        return has_break or not (isinstance(node.test, Constant) and bool(node.test.value))

    def _with(self, node: With) -> bool:
        buffer: tuple[Value, list[Node | None]] | None = None
        for value_node, target in node.items:
            value = self._entered(self.evaluate(value_node), value_node)
            if target is not None:
                self.bind(target, value, node)
            is_buffer = isinstance(value, Listed) and value.kind == BUFFER
            if is_buffer and isinstance(value_node, Call) and dotted(value_node.callee).endswith("redirect_stdout"):
                buffer = value, [target, *(given.value for given in value_node.arguments)]
        return self.run_block(node.body) if buffer is None else self.redirected_to(node, *buffer)

    def _entered(self, value: Value, node: Node) -> Value:
        if isinstance(value, Listed) and value.kind == "generator" and value.parts:
            return value.parts[0].value
        if isinstance(value, Instance) and value.identity:
            owner = self.objects[value.identity][1]
            found = owner.find("__enter__") or owner.find("__aenter__")
            entered = self._member(found, value, node) if found is not None else None
            if isinstance(entered, Callback) and isinstance(entered.target, Closure):
                return self.enter(entered.target, (), (), self.span(node))
        return value

    def _try(self, node: Try) -> bool:
        if not node.handlers:
            is_reached = self.run_block(node.body)
            return (self.run_block(node.finally_) if node.finally_ else True) and is_reached
        self._nodes += 1
        start = self.module.passage.span(node.start, min(node.start + len("try"), node.end))
        control = Control(ControlKind.CONDITION, self._nodes, 0, Expression("try"), start)
        bodies = (node.body, *node.handlers)
        is_reached = self.branches([(replace(control, branch=i), self._walk(body)) for i, body in enumerate(bodies)])
        return (self.run_block(node.finally_) if node.finally_ else True) and is_reached

    def _define(self, node: Define) -> None:
        function = node.function
        value = self.function_value(function, self.frame.space)
        for name in reversed(function.decorators):
            value = self._decorated(name, value, node)
        self.store.write(self.frame.space, function.name, value)

    def _decorated(self, name: str, value: Value, node: Define) -> Value:
        """Return what a decorator of the tree makes of a function; others leave it as it is.

        What a decorator is given is not known here.
        """
        space = self.frame.space.holder(name)
        maker = self.resolved(space.bound[name], space, name) if space is not None else None
        is_plain = re.search(rf"^[ \t]*@{re.escape(name)}[ \t]*(?:#.*)?$", self.module.passage.text, re.MULTILINE)
        if not isinstance(maker, Callback) or not isinstance(maker.target, Closure | ClassInfo):
            return value
        if not is_plain:
            maker = self.invoke(maker, (), (), self.span(node))
        made = self.invoke(maker, (value,), (), self.span(node)) if isinstance(maker, Callback | Instance) else value
        is_called = isinstance(made, Instance) and made.identity and self.objects[made.identity][1].find("__call__")
        return made if is_called or (isinstance(made, Callback) and isinstance(made.target, Closure)) else value

    def _class(self, node: Class) -> None:
        self.store.write(self.frame.space, node.name, self.class_value(node))

    @abstractmethod
    def resolved_type(self, annotation: str) -> str:
        """Return what an annotation names, its first name as a full dotted name where it is a library's."""

    @abstractmethod
    def class_value(self, node: Class) -> Value:
        """Return a class as a value."""

    @abstractmethod
    def take_up(self, closure: Closure) -> None:
        """Take a function up as an entry."""

    @abstractmethod
    def star_names(self, node: Import) -> None:
        """Bind all names of a module."""

    def _import(self, node: Import) -> None:
        frame = self.frame
        if node.alias:
            self.store.write(frame.space, node.alias, Callback(node.alias, Imported(node.module, "", node.alias, frame.home)))
        for there, here in node.names:
            if there == "*":
                self.star_names(node)
            else:
                self.store.write(frame.space, here, Callback(here, Imported(node.module, there, here, frame.home)))


_STATEMENTS: Final = {
    Assign: "_assign",
    Augment: "_augment",
    Evaluate: "_evaluate",
    Declare: "_declare",
    Outer: "_outer",
    Return: "_return",
    Stop: "_stop",
    If: "_if",
    For: "_for",
    While: "_while",
    With: "_with",
    Try: "_try",
    Define: "_define",
    Class: "_class",
    Import: "_import",
}
