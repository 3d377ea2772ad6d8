"""Calls: what is called, and with which arguments; functions and classes of the tree are followed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Outcome
from radixlint.flow.classes import ClassInfo
from radixlint.flow.evaluator_base import Named, Values, dotted
from radixlint.flow.evaluator_frames import Above, Closure, TextMethod, on_object, with_bound
from radixlint.flow.evaluator_stubs import StubCalls
from radixlint.flow.merging import holds_data, several
from radixlint.flow.merging_facts import facts_of
from radixlint.flow.model_orders import order_taints, tainted
from radixlint.flow.program import Call, Element, Member, Node
from radixlint.flow.scope import ModuleSpace
from radixlint.flow.stubs import stub_of
from radixlint.flow.values import (
    Absent,
    Callback,
    Field,
    Instance,
    Library,
    Listed,
    Mapped,
    Number,
    Several,
    Unknown,
    Value,
    Written,
)
from radixlint.prompt import Span

_CHOICES_MAX: Final = 4
_OF_FUNCTIONS: Final = frozenset({"call", "apply", "bind"})
_AS_MAPPING: Final = frozenset({"model_dump", "dict", "_asdict", "asdict"})


class Calls(StubCalls):
    """Evaluates calls."""

    @abstractmethod
    def make(self, owner: ClassInfo, positional: Values, named: Named, span: Span) -> Value:
        """Return a new object of a class of the tree."""

    def call(self, node: Call, callee: Value) -> Value:
        """Return what a call of a value gives."""
        positional, named = self._arguments(node)
        return self._called(node, callee, positional, named)

    def _called(self, node: Call, callee: Value, positional: Values, named: Named) -> Value:
        name = dotted(node.callee)
        if isinstance(callee, Several):
            return self._each(callee, lambda each: self._called(node, each, positional, named), node)
        if isinstance(callee, Callback) and isinstance(callee.target, TextMethod):
            first, named = with_bound(callee, named)
            return self._library(node, callee.name, callee.target.receiver, first + positional, named)
        if isinstance(callee, Callback) and isinstance(callee.target, Library):
            first, named = with_bound(callee, named)
            return self._called(node, callee.target, first + positional, named)
        if isinstance(callee, Callback):
            return self._of_tree(node, self._itself(callee), name, positional, named)
        if isinstance(callee, Library):
            return self.special(node, callee.name, positional, named) or self._library(node, callee.name, None, positional, named)
        if isinstance(callee, Instance) and callee.identity:
            found = self.objects[callee.identity][1].find("__call__")
            if found is not None:
                return self._called(node, self._member(found, callee, node), positional, named)
        if isinstance(callee, Instance):
            return self._library(node, f"{callee.made}()", callee, positional, named)
        if isinstance(callee, Unknown) and callee.path:
            name = callee.path
        return self._library(
            node, name, None if isinstance(callee, Unknown) and callee.path == name else callee, positional, named
        )

    def _itself(self, callee: Callback) -> Callback:
        """Return the function that a module is: ``module.exports = () => ...``, called as ``require`` gives it."""
        own = self.from_module(callee.target, "default") if isinstance(callee.target, ModuleSpace) else None
        return own if isinstance(own, Callback) else callee

    def _each(self, value: Several, follow: Callable[[Value], Value], node: Node) -> Value:
        callable_ = [(c, each) for c, each in value.choices if not isinstance(each, Number | Absent)]
        if not callable_ or len(callable_) > _CHOICES_MAX:
            return self.unknown(node, value)
        return several([(controls, follow(each)) for controls, each in callable_])

    def call_by_name(self, node: Call, base: Value, name: str, positional: Values, named: Named) -> Value:
        """Return what the method ``name`` of a value gives, which is called at ``node``."""
        made = Call(node.start, node.end, Member(node.start, node.end, node, name), ())
        # Places are kept by node; one made here must live as long as those of the program.
        self.made.append(made)
        return self._method(made, base, None, positional, named)

    def call_method(self, node: Call, base: Value, root: Value | None) -> Value:
        """Return what a method of ``base`` gives; ``root`` is the object that the chain ahead of it began with."""
        positional, named = self._arguments(node)
        return self._method(node, base, root, positional, named)

    def _method(self, node: Call, base: Value, root: Value | None, positional: Values, named: Named) -> Value:
        callee = node.callee
        if not isinstance(callee, Member):
            return self.unknown(node, base)
        if isinstance(base, Several) and not holds_data(base):
            return self._each(base, lambda each: self._method(node, each, root, positional, named), node)
        if callee.name == "forEach" and positional and isinstance(positional[0], Callback):
            return self.for_each(node, base, positional[0])
        if callee.name in _OF_FUNCTIONS and isinstance(base, Callback) and isinstance(base.target, Closure):
            return self._handed(node, base, callee.name, positional, named)
        if isinstance(base, Instance) and base.identity and not self._has(base, callee.name):
            if callee.name in _AS_MAPPING:
                return self.as_mapping(base)
            if callee.name == "_replace":
                return self.copied(base, named)
        held = self.held_above(base, callee.name)
        found = self._own_method(node, callee, base) if held is None else None
        if isinstance(found, Callback | Several | Instance):
            return self._called_on(base, node, found, positional, named)
        if isinstance(found, Library):
            special = self.special(node, found.name, positional, named)
            return special or self._library(node, found.name, root, positional, named)
        known = self.of_built_in(node, held, callee.name, positional, named) if held is not None else None
        return known or self._library(node, self._method_name(callee, held or base), held or base, positional, named)

    def _called_on(self, base: Value, node: Call, method: Value, positional: Values, named: Named) -> Value:
        """Return what a method gives; an object that is a list or mapping is as the method leaves it."""
        result = self._called(node, method, positional, named)
        after = self.latest(base)
        if after is not base and isinstance(node.callee, Member):
            self.changed(node.callee.base, base, after)
        return result

    def _handed(self, node: Call, function: Callback, word: str, positional: Values, named: Named) -> Value:
        """Return what ``call``, ``apply`` and ``bind`` make of a function of a script; the first argument is its object."""
        function = on_object(function, positional[0]) if positional else function
        given = positional[1:]
        if word == "bind":
            first = tuple((str(at), value) for at, value in enumerate(given, start=len(function.bound)))
            return replace(function, bound=(*function.bound, *first))
        if word == "apply" and given:
            listed = given[0]
            if isinstance(listed, Listed) and not any(part.controls or part.is_spread for part in listed.parts):
                given = tuple(part.value for part in listed.parts)
            else:
                given, named = (), (("*", listed), *named)
        return self._called(node, function, given, named)

    @abstractmethod
    def for_each(self, node: Call, base: Value, callback: Callback) -> Value:
        """Walk a function as the body of a loop over ``base``."""

    def _own_method(self, node: Call, callee: Member, base: Value) -> Value | None:
        """Return what the attribute that is called stands for where an object, class or module of the program has it."""
        if isinstance(base, Library | Callback):
            return self.attribute(base, callee.name, callee, callee.base)
        if isinstance(base, Listed | Mapped | Written) and base.identity:
            return self.attribute(base, callee.name, callee, callee.base) if self._has(base, callee.name) else None
        if isinstance(base, Instance):
            if base.identity and not self._has(base, callee.name) and not self.objects[base.identity][1].library_bases():
                return None
            return self.attribute(base, callee.name, callee, callee.base)
        if isinstance(base, Mapped):
            value = base.get(callee.name)
            return self._with_receiver(value, base) if isinstance(value, Callback) else None
        if isinstance(base, Unknown) and base.type:
            value = self.attribute(base, callee.name, callee, callee.base)
            return value if isinstance(value, Callback) else None
        return None

    def _has(self, base: Instance | Listed | Mapped | Written, name: str) -> bool:
        space, owner = self.objects[base.identity]
        return name in space.bound or owner.find(name) is not None

    def _method_name(self, callee: Member, base: Value) -> str:
        if isinstance(base, Unknown):
            if base.path:
                return f"{base.path}.{callee.name}"
            if base.facts.calls:
                return f"{base.facts.calls[-1]}().{callee.name}"
        if isinstance(base, Instance):
            return dotted(callee) or f"{base.made}().{callee.name}"
        return f".{callee.name}"

    def _arguments(self, node: Call) -> tuple[Values, Named]:
        positional: list[Value] = []
        named: list[tuple[str, Value]] = []
        for argument in node.arguments:
            value = self.evaluate(argument.value)
            if argument.is_spread and argument.name is None:
                value = self.items_of(value, self.span(argument.value))
            if not argument.is_spread:
                if argument.name is None:
                    positional.append(value)
                else:
                    named.append((argument.name, value))
            elif argument.name == "**":
                named.extend(self._spread_names(value))
            elif isinstance(value, Listed) and not any(part.controls or part.is_spread for part in value.parts):
                taints = order_taints(value, self.span(argument.value))
                positional.extend(tainted(part.value, taints) for part in value.parts)
            else:
                named.append(("*", tainted(value, order_taints(value, self.span(argument.value)))))
        return tuple(positional), tuple(named)

    def _spread_names(self, value: Value) -> list[tuple[str, Value]]:
        if not isinstance(value, Mapped):
            return [("**", value)]
        return [(field.key if field.key is not None else "**", field.value) for field in value.fields]

    def _of_tree(self, node: Call, callee: Callback, name: str, positional: Values, named: Named) -> Value:
        stub = stub_of(callee)
        if stub is not None:
            return self._of_stub(node, callee, stub, positional, named)
        if self._is_tag(node, callee):
            return positional[0]
        self.calling.append(node)
        try:
            result = self._invoked(callee, positional, named, self.span(node))
        finally:
            self.calling.pop()
        if result is None:
            return self._library(node, name, None, positional, named)
        # A class or a function that stands for no code is told by its own name.
        self.tell_called(self.site(node, name or callee.name, None, positional, named), Outcome(result))
        return result

    def _is_tag(self, node: Call, callee: Callback) -> bool:
        """Whether a function that puts texts and values together stands ahead of a template: what it gives is that text."""
        if self.module.language != "script" or len(node.arguments) != 1 or not isinstance(callee.target, Closure):
            return False
        parameters = callee.target.function.parameters
        return len(parameters) > 1 and self.module.passage.text[node.callee.end : node.callee.end + 1] == "`"

    def _invoked(self, callee: Callback, positional: Values, named: Named, span: Span) -> Value | None:
        target = callee.target
        first, named = with_bound(callee, named)
        positional = first + positional
        if isinstance(target, Closure):
            return self.enter(target, positional, named, span)
        if isinstance(target, ClassInfo):
            return self.make(target, positional, named, span)
        if isinstance(target, Above):
            maker = target.find("constructor")
            if self.module.language != "script":
                return callee
            return self.enter(maker, positional, named, span) if maker is not None else Absent()
        return None

    def invoke(self, callback: Value, positional: Values, named: Named, span: Span) -> Value:
        """Return what a function of the tree or a library gives; unknown for all else."""
        result: Value | None = None
        if isinstance(callback, Callback):
            result = self._invoked(callback, positional, named, span)
            if result is None and isinstance(callback.target, Library | TextMethod):
                first, named = with_bound(callback, named)
                result = self._modelled(callback, first + positional, named, span)
        elif isinstance(callback, Library):
            result = self._modelled(callback, positional, named, span)
        elif isinstance(callback, Instance) and callback.identity:
            result = self.own(callback, ("__call__",), positional, span)
        if result is not None:
            return result
        facts = facts_of(callback, *positional, *(value for _, value in named))
        return Unknown(facts, span, callback.name if isinstance(callback, Callback | Library) else "")

    def _modelled(self, function: Callback | Library, positional: Values, named: Named, span: Span) -> Value | None:
        if not self.calling:
            return None
        target = function.target if isinstance(function, Callback) else function
        receiver = target.receiver if isinstance(target, TextMethod) else None
        name = function.name if receiver is not None else target.name
        known = self.gotten(self.calling[-1], name, positional, named)
        if known is not None:
            return known
        outcome = self.models.call(replace(self.site(self.calling[-1], name, receiver, positional, named), span=span), self)
        return outcome.result if outcome is not None else None

    def component(self, node: Element, fields: list[Field], children: Value) -> Value | None:
        """Return what a JSX component of the tree gives, None if it is not known."""
        if not node.name[:1].isupper() or not node.name.isidentifier():
            return None
        space = self.frame.space.holder(node.name)
        value = self.resolved(space.bound[node.name], space, node.name) if space is not None else None
        if not isinstance(value, Callback):
            return None
        span = self.span(node)
        given = Mapped((*fields, Field("children", children, span)), span)
        return self._invoked(value, (given,), (), span)
