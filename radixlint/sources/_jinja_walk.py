"""Walk a template's statements in the order they print, and collect the parts of the prompt.

Loops are walked once, all branches of a condition are walked, each part knows what encloses it. Nothing is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from jinja2 import nodes
from msgspec import Struct, field
from msgspec.structs import replace

from radixlint.prompt import Control, ControlKind, Expression, Segment, Span
from radixlint.sources._jinja_expressions import Expressions
from radixlint.sources._jinja_parse import Parsed
from radixlint.sources._jinja_scope import Binding, Callback, Fields, Scope
from radixlint.sources._jinja_values import Budget, Facts, Value, carried, dynamic, either, union


class Frame(Struct, frozen=True):
    """Where a statement runs: its scope, what encloses it, and where its parts go."""

    scope: Scope
    controls: tuple[Control, ...] = ()
    out: list[Segment] = field(default_factory=list)

    def inside(self, control: Control, scope: Scope | None = None) -> Frame:
        """Return the frame of a branch or loop body."""
        inner = scope or self.scope.inner()
        inner.under = control.expression
        return Frame(inner, (*self.controls, control), self.out)


class Walker:
    """Walks the statements of one template file that concern that file alone."""

    def __init__(self, parsed: Parsed, budget: Budget) -> None:
        self.parsed = parsed
        self.budget = budget
        self.expressions = Expressions(parsed, budget)
        for note in parsed.notes:
            budget.note(note)

    def body(self, body: Iterable[nodes.Node], frame: Frame) -> None:
        """Walk statements in order."""
        for node in body:
            self.budget.spend(1)
            step = self.steps.get(type(node))
            if step is not None:
                step(self, node, frame)

    def show(self, value: Value, span: Span, frame: Frame) -> None:
        """Print ``value`` from the tag at ``span``."""
        frame.out.extend(carried(part, span, self.budget, frame.controls) for part in value.parts)

    def captured(self, body: Iterable[nodes.Node], scope: Scope) -> Value:
        """Return what ``body`` prints as a value."""
        frame = Frame(scope)
        self.body(body, frame)
        return Value(tuple(frame.out))

    def _output(self, node: nodes.Output, frame: Frame) -> None:
        for child in node.nodes:
            self.budget.spend(1)
            if isinstance(child, nodes.TemplateData):
                frame.out.append(self.parsed.passage.literal(child.lineno, child.lineno + len(child.data), frame.controls))
            else:
                self._print(child, frame)

    def _print(self, node: nodes.Expr, frame: Frame) -> None:
        tag, start = self.parsed.tag(node), len(frame.out)
        self.show(self.expressions.value(node, frame.scope), self.expressions.span_of(tag), frame)
        for index in range(start, len(frame.out)):
            part = frame.out[index]
            loops = {control.span for control in part.controls} if part.related else None
            if loops and not loops.isdisjoint(part.related):
                part = frame.out[index] = replace(part, related=tuple(s for s in part.related if s not in loops))
            # A part that was captured from another printing tag keeps the text of that tag.
            if part.expression is not None and not part.text.startswith(self.parsed.opener):
                known = part.expression
                same = known.text == tag.inner
                expression = known if same else Facts(known.names, known.calls, known.filters, known.constants).of(tag.inner)
                frame.out[index] = replace(part, text=self.parsed.passage.text[tag.start : tag.end], expression=expression)

    def _for(self, node: nodes.For, frame: Frame) -> None:
        iterated = self.expressions.value(node.iter, frame.scope)
        facts, span, number = iterated.facts, self.expressions.span(node), self.budget.next_node()
        inner = frame.scope.inner()
        element = dynamic(facts, span, self.parsed.tag(node).inner, iterated.path)
        for name in node.target.find_all(nodes.Name) if not isinstance(node.target, nodes.Name) else (node.target,):
            inner.bound[name.name] = element
        test = self.expressions.facts(node.test, inner)
        if node.test is not None:
            # Which items are left depends on the filter; how it looks at them is nobody's value.
            own = tuple(f"{name}." for name in facts.names)
            others = tuple(name for name in test.names if not name.startswith(own))
            told = union((facts, Facts(others, test.calls, ("select",), test.constants, test.places)))
            element = dynamic(told, span, self.parsed.tag(node).inner, iterated.path)
            inner.bound.update((name, element) for name in list(inner.bound))
            test = union((test, Facts(filters=("select",))))
        expression = union((facts, test)).of(_iterable(self.parsed, node))
        self.body(node.body, frame.inside(Control(ControlKind.LOOP, number, 0, expression, span), inner))
        self.body(node.else_, frame.inside(Control(ControlKind.LOOP, number, 1, expression, span)))

    def _if(self, node: nodes.If, frame: Frame) -> None:
        number = self.budget.next_node()
        tests: list[Expression] = []
        branches: list[tuple[Control, Scope]] = []
        for branch, part in enumerate((node, *node.elif_)):
            inner = self.parsed.tag(part.test).inner
            tests.append(self.expressions.facts(part.test, frame.scope).of(inner.split(None, 1)[-1]))
            span = self.expressions.span(part.test)
            branches.append(self._branch(Control(ControlKind.CONDITION, number, branch, tests[-1], span), part.body, frame))
        last = union(tests).of(tests[0].text)
        span = self.expressions.span(node.test)
        branches.append(self._branch(Control(ControlKind.CONDITION, number, len(tests), last, span), node.else_, frame))
        self._merge(branches, frame.scope)

    def _branch(self, control: Control, body: list[nodes.Node], frame: Frame) -> tuple[Control, Scope]:
        inner = frame.inside(control)
        self.body(body, inner)
        return control, inner.scope

    def _merge(self, branches: list[tuple[Control, Scope]], scope: Scope) -> None:
        """Bind what the branches bound: a name is then any of its branches' values."""
        for name in dict.fromkeys(name for _, inner in branches for name in inner.bound):
            found = [(control, inner.bound.get(name) or scope.find(name)) for control, inner in branches]
            values = [(control, bound if isinstance(bound, Value) else _free(name, control)) for control, bound in found]
            other = next((bound for _, bound in found if isinstance(bound, Callback | Fields)), None)
            scope.bound[name] = other or either(values, self.budget)

    def _assign(self, node: nodes.Assign, frame: Frame) -> None:
        targets: list[nodes.Node] = [node.target]
        values: list[nodes.Node] = [node.node]
        if isinstance(node.target, nodes.Tuple):
            targets = list(node.target.items)
            same = isinstance(node.node, nodes.Tuple) and len(node.node.items) == len(targets)
            values = list(node.node.items) if same and isinstance(node.node, nodes.Tuple) else [node.node] * len(targets)
        bound = [self._binding(target, value, frame) for target, value in zip(targets, values, strict=True)]
        for target, binding in zip(targets, bound, strict=True):
            self._bind(target, binding, frame)

    def _binding(self, target: nodes.Node, value: nodes.Node, frame: Frame) -> Binding:
        if isinstance(value, nodes.Call) and isinstance(value.node, nodes.Name) and value.node.name == "namespace":
            name = target.name if isinstance(target, nodes.Name) else "namespace"
            listed = [pair for given in value.args if isinstance(given, nodes.Dict) for pair in given.items]
            pairs = {p.key.value: p.value for p in listed if isinstance(p.key, nodes.Const)}
            pairs.update((pair.key, pair.value) for pair in value.kwargs)
            return Fields(name, {key: self.expressions.value(given, frame.scope) for key, given in pairs.items()})
        if isinstance(value, nodes.Name):
            bound = frame.scope.find(value.name)
            if isinstance(bound, Callback | Fields):
                return bound
        found = self.expressions.value(value, frame.scope)
        span = self.expressions.span(target)
        return Value(tuple(carried(part, span, self.budget) for part in found.parts), found.path)

    def _bind(self, target: nodes.Node, binding: Binding, frame: Frame) -> None:
        if isinstance(target, nodes.NSRef):
            owner = frame.scope.find(target.name)
            if isinstance(owner, Fields) and isinstance(binding, Value):
                old = owner.values.get(target.attr)
                if frame.controls and isinstance(old, Value):
                    conditions = (control.expression for control in frame.controls)
                    facts = union((old.facts, binding.facts, *conditions))
                    binding = self.expressions.dynamic(facts, target, binding.path if binding.path == old.path else None)
                owner.values[target.attr] = binding
        elif isinstance(target, nodes.Name):
            frame.scope.bound[target.name] = binding

    def _assign_block(self, node: nodes.AssignBlock, frame: Frame) -> None:
        value = self.captured(node.body, frame.scope.inner())
        if isinstance(node.filter, nodes.Filter):
            value = self.expressions.filtered(value, node.filter, frame.scope, keep=True)
        span = self.expressions.span(node)
        self._bind(node.target, Value(tuple(carried(part, span, self.budget) for part in value.parts)), frame)

    def _with(self, node: nodes.With, frame: Frame) -> None:
        inner = Frame(frame.scope.inner(), frame.controls, frame.out)
        for target, value in zip(node.targets, node.values, strict=True):
            self._bind(target, self._binding(target, value, frame), inner)
        self.body(node.body, inner)

    def _filter_block(self, node: nodes.FilterBlock, frame: Frame) -> None:
        value = self.captured(node.body, frame.scope.inner())
        value = self.expressions.filtered(value, node.filter, frame.scope, keep=True)
        frame.out.extend(replace(part, controls=(*frame.controls, *part.controls)) for part in value.parts)

    def _run(self, node: nodes.ExprStmt, frame: Frame) -> None:
        self.expressions.value(node.node, frame.scope)

    def _nested(self, node: nodes.ScopedEvalContextModifier, frame: Frame) -> None:
        self.body(node.body, Frame(frame.scope.inner(), frame.controls, frame.out))

    steps: ClassVar[dict[type[nodes.Node], Callable[..., None]]] = {
        nodes.Output: _output,
        nodes.For: _for,
        nodes.If: _if,
        nodes.Assign: _assign,
        nodes.ExprStmt: _run,
        nodes.AssignBlock: _assign_block,
        nodes.With: _with,
        nodes.FilterBlock: _filter_block,
        nodes.ScopedEvalContextModifier: _nested,
        nodes.Scope: _nested,
    }


def _free(name: str, control: Control) -> Value:
    return dynamic(Facts(names=(name,)), control.span, name, name)


def _iterable(parsed: Parsed, node: nodes.For) -> str:
    """Return the iterable of a ``for`` tag as written."""
    tag = parsed.tag(node)
    tokens = tag.tokens
    depth, start, end = 0, 0, tokens[-1][0] + len(tokens[-1][2])
    for offset, kind, value in tokens:
        depth += (value in "([{") - (value in ")]}") if kind == "operator" else 0
        if kind == "name" and depth == 0 and not start and value == "in":
            start = offset + len(value)
        elif kind == "name" and depth == 0 and start and value in ("if", "recursive"):
            end = offset
            break
    return parsed.passage.text[tag.start + start : tag.start + end].strip()
