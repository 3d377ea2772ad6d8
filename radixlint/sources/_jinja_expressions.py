"""Follow a template expression to what it stands for: constants become text, names the facts they depend on."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from jinja2 import nodes
from msgspec.structs import replace

from radixlint.prompt import Control, ControlKind, Cut, Segment, Span
from radixlint.sources._jinja_cuts import TELLING, called_cuts, filtered_cuts, is_number, sliced, told_of
from radixlint.sources._jinja_fill import fill
from radixlint.sources._jinja_filters import KEEPING, edged, entered
from radixlint.sources._jinja_known_tags import Tag
from radixlint.sources._jinja_parse import Parsed
from radixlint.sources._jinja_scope import Callback, Fields, Scope
from radixlint.sources._jinja_values import NO_FACTS, Budget, Facts, Value, dynamic, either, union, with_attribute
from radixlint.sources._turn_cuts import marked, turned

# Methods whose result is made of the mapping they are called on.
_VIEWS = frozenset(("items", "values", "keys", "get", "copy"))
# Methods that put their arguments into the list, set or mapping they are called on, and return nothing.
_FILLING = frozenset(("append", "extend", "insert", "add", "update", "appendleft", "__setitem__"))


class Expressions:
    """Reads the expressions of one template file."""

    def __init__(self, parsed: Parsed, budget: Budget) -> None:
        self.parsed = parsed
        self.budget = budget
        self._spans: dict[int, Span] = {}

    def span(self, node: nodes.Node) -> Span:
        """Return the place of the tag that ``node`` stands in."""
        return self.span_of(self.parsed.tag(node))

    def span_of(self, tag: Tag) -> Span:
        """Return the place of ``tag``; each is worked out once."""
        found = self._spans.get(tag.start)
        if found is None:
            found = self._spans[tag.start] = self.parsed.passage.span(tag.start, tag.end)
        return found

    def value(self, node: nodes.Node, scope: Scope) -> Value:
        """Return what ``node`` stands for."""
        self.budget.spend(1)
        reader = self._readers.get(type(node))
        return reader(self, node, scope) if reader else self.dynamic(self.facts(node, scope), node)

    def facts(self, node: nodes.Node | None, scope: Scope) -> Facts:
        """Return the facts of ``node``."""
        if node is None:
            return NO_FACTS
        if type(node) in self._readers:
            return self.value(node, scope).facts
        self.budget.spend(1)
        parts = [self.facts(child, scope) for child in node.iter_child_nodes()]
        return told_of(node, parts) if type(node) in TELLING else union(parts)

    def dynamic(self, facts: Facts, node: nodes.Node, path: str | None = None) -> Value:
        """Return a value that is not known before the prompt is made, printed by the tag of ``node``."""
        tag = self.parsed.tag(node)
        return dynamic(facts, self.span_of(tag), tag.inner, path)

    def _const(self, node: nodes.Const, scope: Scope) -> Value:
        text = str(node.value)
        passage, span, start = self.parsed.passage, self.span(node), node.lineno + 1
        if isinstance(node.value, str) and passage.text.startswith(text, start):
            offsets = tuple(passage.place(start + index) for index in range(len(text)))
        else:
            offsets = ((span.line, span.column),) * len(text)
        self.budget.spend(len(text) // 256)
        return Value((Segment(text, span, offsets=offsets),) if text else ())

    def _name(self, node: nodes.Name, scope: Scope) -> Value:
        bound = scope.find(node.name)
        if isinstance(bound, Value):
            return bound
        return self.dynamic(Facts(names=(node.name,)), node, node.name)

    def _getattr(self, node: nodes.Getattr, scope: Scope) -> Value:
        return self._attribute(node, node.node, node.attr, scope)

    def _getitem(self, node: nodes.Getitem, scope: Scope) -> Value:
        if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
            return self._attribute(node, node.node, node.arg.value, scope)
        base = self.value(node.node, scope)
        if isinstance(node.arg, nodes.Slice):
            return self.dynamic(sliced(node.arg, base.facts, lambda end: self.facts(end, scope)), node, base.path)
        facts = base.facts if isinstance(node.arg, nodes.Const) else union((base.facts, self.facts(node.arg, scope)))
        return self.dynamic(marked(facts, Cut.ITEM if is_number(node.arg) else None), node, base.path)

    def _attribute(self, node: nodes.Node, base: nodes.Node, name: str, scope: Scope) -> Value:
        bound = scope.find(base.name) if isinstance(base, nodes.Name) else None
        if isinstance(bound, Fields):
            found = bound.values.get(name)
            return found if isinstance(found, Value) else self.dynamic(Facts(names=(f"{bound.name}.{name}",)), node)
        value = self.value(base, scope)
        return with_attribute(self.dynamic(value.facts, node, value.path), name)

    def _concat(self, node: nodes.Concat, scope: Scope) -> Value:
        return self._joined([self.value(child, scope) for child in node.nodes])

    def _add(self, node: nodes.Add, scope: Scope) -> Value:
        sides = [self.value(node.left, scope), self.value(node.right, scope)]
        numbers = [n for n in (node.left, node.right) if isinstance(n, nodes.Const) and not isinstance(n.value, str)]
        if numbers or not any(part.is_literal for side in sides for part in side.parts):
            return self.dynamic(union(side.facts for side in sides), node)
        return self._joined(sides)

    def _joined(self, values: list[Value]) -> Value:
        parts = tuple(part for value in values for part in value.parts)
        self.budget.spend(len(parts))
        return Value(parts)

    def _either(self, node: nodes.CondExpr, scope: Scope) -> Value:
        test = self.facts(node.test, scope).of(self.parsed.tag(node).inner)
        number, span = self.budget.next_node(), self.span(node)
        branches = [(node.expr1, 0), *(((node.expr2, 1),) if node.expr2 is not None else ())]
        controls = [(Control(ControlKind.CONDITION, number, branch, test, span), expr) for expr, branch in branches]
        return either([(control, self.value(expr, scope)) for control, expr in controls], self.budget)

    def _filter(self, node: nodes.Filter, scope: Scope) -> Value:
        return self.filtered(self.value(node.node, scope) if node.node is not None else Value(()), node, scope)

    def filtered(self, value: Value, node: nodes.Filter, scope: Scope, keep: bool = False) -> Value:
        """Return ``value`` after a filter; text stays text if the filter keeps it, or if ``keep`` says so."""
        told = self._arguments(node, scope)
        extra = union((Facts(filters=(node.name,)), told))
        if not keep and (node.name not in KEEPING or not any(part.is_literal for part in value.parts)):
            facts = union((value.facts, extra))
            facts = turned(facts) if node.name == "reverse" else marked(facts, *filtered_cuts(node, value.facts))
            return self.dynamic(facts, node, value.path)
        parts: list[Segment] = []
        for part in value.parts:
            self.budget.spend(1)
            if part.expression is not None:
                facts = union((part.expression, extra))
                part = replace(part, expression=facts.of(part.expression.text))
            parts.append(part)
        kept = edged(parts, node.name)
        if told.names or told.calls:
            kept = entered(kept, node, self.dynamic(told, node).parts[0])
            self.budget.spend(len(kept))
        return Value(kept, value.path)

    def _arguments(self, node: nodes.Call | nodes.Filter, scope: Scope) -> Facts:
        given = [*(node.args or ()), *(pair.value for pair in node.kwargs or ())]
        rest = [extra for extra in (node.dyn_args, node.dyn_kwargs) if extra is not None]
        values = [self.value(argument, scope) for argument in (*given, *rest)]
        constants = (
            part.text
            for argument, value in zip((*given, *rest), values, strict=True)
            if not (isinstance(argument, nodes.Const) and not isinstance(argument.value, str))
            for part in value.parts
            if part.is_literal
        )
        return union((*(value.facts for value in values), Facts(constants=tuple(dict.fromkeys(constants)))))

    def _call(self, node: nodes.Call, scope: Scope) -> Value:
        callback = self.callback(node.node, scope)
        if callback is not None:
            positional = [self.value(argument, scope) for argument in node.args]
            return callback.call(positional, {pair.key: self.value(pair.value, scope) for pair in node.kwargs}, None)
        if isinstance(node.node, nodes.Name) and node.node.name == "raise_exception":
            # Chat templates call it to stop; it prints nothing.
            return Value(())
        arguments = self._arguments(node, scope)
        if not isinstance(node.node, nodes.Getattr):
            callee = self.value(node.node, scope)
            facts = union((Facts(calls=(callee.path,)) if callee.path else callee.facts, arguments))
            if callee.path == "range":
                facts = marked(facts, *called_cuts("range", node.args, facts, lambda end: self.facts(end, scope)))
            return self.dynamic(facts, node)
        base, method = self.value(node.node.node, scope), node.node.attr
        if (
            method in (*_FILLING, "setdefault")
            and fill(node.node.node, arguments, (self.span(node), self.parsed.tag(node).inner), scope)
            and method in _FILLING
        ):
            return Value(())
        name = f"{base.path}.{method}" if base.path else method
        facts = union((base.facts, Facts(calls=(name,)), arguments))
        if method == "slice":
            facts = marked(facts, *called_cuts(method, node.args, base.facts, lambda end: self.facts(end, scope)))
        result = self.dynamic(facts, node, base.path if method in _VIEWS else None)
        key = node.args[0] if method == "get" and node.args else None
        return with_attribute(result, key.value) if isinstance(key, nodes.Const) and isinstance(key.value, str) else result

    def callback(self, callee: nodes.Node, scope: Scope) -> Callback | None:
        """Return the macro, ``caller`` or ``super`` that ``callee`` names."""
        bound = None
        if isinstance(callee, nodes.Name):
            bound = scope.find(callee.name)
        elif isinstance(callee, nodes.Getattr) and isinstance(callee.node, nodes.Name):
            owner = scope.find(callee.node.name)
            bound = owner.values.get(callee.attr) if isinstance(owner, Fields) else None
        return bound if isinstance(bound, Callback) else None

    _readers: ClassVar[dict[type[nodes.Node], Callable[..., Value]]] = {
        nodes.Const: _const,
        nodes.Name: _name,
        nodes.Getattr: _getattr,
        nodes.Getitem: _getitem,
        nodes.Concat: _concat,
        nodes.Add: _add,
        nodes.CondExpr: _either,
        nodes.Filter: _filter,
        nodes.Call: _call,
    }
