"""Follow a template into its macros and into the files it includes, imports and extends."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from jinja2 import nodes
from msgspec.structs import replace

from radixlint.prompt import Control, ControlKind, Segment
from radixlint.sources._jinja_files import Files
from radixlint.sources._jinja_parse import Parsed
from radixlint.sources._jinja_scope import Binding, Callback, Fields, Scope
from radixlint.sources._jinja_values import Facts, Value, carried, put_back, union
from radixlint.sources._jinja_walk import Frame, Walker

BlockChain = tuple[tuple["Composer", nodes.Block], ...]
_OUTSIDE_BLOCKS = (nodes.Output, nodes.Block, nodes.Extends, nodes.Include)


class Composer(Walker):
    """Walks a template with all it reuses.

    ``blocks`` holds the bodies that the templates below give to blocks, lowest first; ``heirs`` are the paths of those
    templates, whose parts keep their own place.
    """

    def __init__(
        self, parsed: Parsed, files: Files, blocks: dict[str, BlockChain] | None = None, heirs: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(parsed, files.budget)
        self.files = files
        self.blocks = dict(blocks or {})
        self.path = parsed.passage.ground.path
        self.own = heirs | {self.path}

    def run(self, scope: Scope) -> list[Segment]:
        """Return the parts that the template prints with ``scope`` around it."""
        with self.budget.entered(self.path):
            self._add_blocks()
            extends = _extends(self.parsed.body) if "extends" in self.parsed.passage.text else None
            scope.bound["self"] = Fields("self", {name: self._block_call(name, scope) for name in self.blocks})
            parent = self._load(extends, scope) if extends is not None else None
            frame = Frame(scope)
            if extends is None or parent is None:
                self.body(self.parsed.body, frame)
                return frame.out
            self.body([node for node in self.parsed.body if not isinstance(node, _OUTSIDE_BLOCKS)], frame)
            above = Composer(parent, self.files, self.blocks, self.own)
            span = self.expressions.span(extends)
            return [p if p.span.path in self.own else carried(p, span, self.budget) for p in above.run(scope.inner())]

    def _add_blocks(self) -> None:
        if "block" not in self.parsed.passage.text:
            return
        for node in self.parsed.body:
            for block in (node, *node.find_all(nodes.Block)):
                if isinstance(block, nodes.Block):
                    self.blocks[block.name] = (*self.blocks.get(block.name, ()), (self, block))

    def _load(self, node: nodes.Extends | nodes.Include | nodes.Import | nodes.FromImport, scope: Scope) -> Parsed | None:
        line = self.expressions.span(node).line
        where = f"line {line}" if self.path == self.budget.active[0] else f"{self.path}:{line}"
        names = self._names(node.template, scope)
        if not names:
            self.budget.note(f"{where}: '{self.parsed.tag(node).inner}' does not name a file by a constant, not followed")
            return None
        return self.files.load(names, self.path, where, isinstance(node, nodes.Include) and node.ignore_missing)

    def _names(self, node: nodes.Expr, scope: Scope) -> list[str]:
        listed = node.items if isinstance(node, nodes.List | nodes.Tuple) else [node]
        texts = [self.expressions.value(item, scope).text for item in listed]
        return [text for text in texts if text]

    def _block(self, node: nodes.Block, frame: Frame) -> None:
        self._show_block(self.blocks[node.name], frame)

    def _show_block(self, chain: BlockChain, frame: Frame) -> None:
        (walker, block), rest = chain[0], chain[1:]
        inner = Frame(frame.scope.inner(), frame.controls, frame.out)

        def above(positional: list[Value], named: dict[str, Value], caller: Callback | None) -> Value:
            found = Frame(frame.scope.inner())
            if rest:
                self._show_block(rest, found)
            return Value(tuple(found.out))

        inner.scope.bound["super"] = Callback("super", above)
        with self.budget.entered(f"macro {id(block)}") as fresh:
            if fresh:
                walker.body(block.body, inner)

    def _block_call(self, name: str, scope: Scope) -> Callback:
        def call(positional: list[Value], named: dict[str, Value], caller: Callback | None) -> Value:
            found = Frame(scope.inner())
            self._show_block(self.blocks[name], found)
            return Value(tuple(found.out))

        return Callback(name, call)

    def _include(self, node: nodes.Include, frame: Frame) -> None:
        if isinstance(node.template, nodes.CondExpr):
            self._include_either(node, node.template, frame)
            return
        span = self.expressions.span(node)
        if not self._names(node.template, frame.scope):
            value = self.expressions.dynamic(self.expressions.facts(node.template, frame.scope), node)
            tag = self.parsed.tag(node)
            self.show(Value((replace(value.parts[0], text=self.parsed.passage.text[tag.start : tag.end]),)), span, frame)
        parsed = self._load(node, frame.scope)
        if parsed is not None:
            parts = Composer(parsed, self.files).run(Scope(frame.scope if node.with_context else None))
            self.show(Value(tuple(parts)), span, frame)

    def _include_either(self, node: nodes.Include, choice: nodes.CondExpr, frame: Frame) -> None:
        test = self.expressions.facts(choice.test, frame.scope).of(self.parsed.tag(node).inner)
        number, span = self.budget.next_node(), self.expressions.span(node)
        for branch, template in enumerate((choice.expr1, choice.expr2)):
            if template is not None:
                chosen = nodes.Include(template, node.with_context, node.ignore_missing, lineno=node.lineno)
                self._include(chosen, frame.inside(Control(ControlKind.CONDITION, number, branch, test, span)))

    def _module(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> dict[str, Binding] | None:
        parsed = self._load(node, frame.scope)
        if parsed is None:
            return None
        scope = Scope(frame.scope if node.with_context else None)
        Composer(parsed, self.files).run(scope)
        return scope.bound

    def _import(self, node: nodes.Import, frame: Frame) -> None:
        found = self._module(node, frame)
        if found is not None:
            frame.scope.bound[node.target] = Fields(node.target, found)

    def _from_import(self, node: nodes.FromImport, frame: Frame) -> None:
        found = self._module(node, frame) or {}
        for name in node.names:
            old, new = name if isinstance(name, tuple) else (name, name)
            if old in found:
                frame.scope.bound[new] = found[old]

    def _macro(self, node: nodes.Macro, frame: Frame) -> None:
        frame.scope.bound[node.name] = self._callback(node.name, node, frame.scope)

    def _callback(self, name: str, node: nodes.Macro | nodes.CallBlock, scope: Scope) -> Callback:
        def call(positional: list[Value], named: dict[str, Value], caller: Callback | None) -> Value:
            given = (*positional, *named.values())
            with self.budget.entered(f"macro {id(node)}") as fresh:
                if not fresh:
                    self.budget.note(f"{self.path}: macro '{name}' calls itself, followed once")
                    return self.expressions.dynamic(union(value.facts for value in given), node)
                inner = scope.inner()
                self._bind_arguments(node, positional, named, inner)
                if caller is not None:
                    inner.bound["caller"] = caller
                return self.captured(node.body, inner)

        return Callback(name, call)

    def _bind_arguments(
        self, node: nodes.Macro | nodes.CallBlock, positional: list[Value], named: dict[str, Value], scope: Scope
    ) -> None:
        first_default = len(node.args) - len(node.defaults)
        for index, parameter in enumerate(node.args):
            if index < len(positional):
                scope.bound[parameter.name] = positional[index]
            elif parameter.name in named:
                scope.bound[parameter.name] = named[parameter.name]
            elif index >= first_default:
                scope.bound[parameter.name] = self.expressions.value(node.defaults[index - first_default], scope)
            else:
                scope.bound[parameter.name] = Value(())
        known = {parameter.name for parameter in node.args}
        rest = union(value.facts for value in positional[len(node.args) :])
        extra = union(value.facts for name, value in named.items() if name not in known)
        scope.bound["varargs"] = self._rest(rest, node)
        scope.bound["kwargs"] = self._rest(extra, node)

    def _rest(self, facts: Facts, node: nodes.Node) -> Value:
        return self.expressions.dynamic(facts, node) if facts != Facts() else Value(())

    def _call_block(self, node: nodes.CallBlock, frame: Frame) -> None:
        macro = self.expressions.callback(node.call.node, frame.scope)
        if macro is None:
            self.body(node.body, Frame(frame.scope.inner(), frame.controls, frame.out))
            return
        positional = [self.expressions.value(argument, frame.scope) for argument in node.call.args]
        named = {pair.key: self.expressions.value(pair.value, frame.scope) for pair in node.call.kwargs}
        body, printed, start = self._callback("caller", node, frame.scope), list[Segment](), len(frame.out)

        def call(positional: list[Value], named: dict[str, Value], caller: Callback | None) -> Value:
            value = body.call(positional, named, caller)
            printed.extend(value.parts)
            return value

        value = macro.call(positional, named, Callback("caller", call))
        self.show(value, self.expressions.span(node), frame)
        # What stands in the body of the call is printed there, and not by the tag that calls.
        frame.out[start:] = put_back(frame.out[start:], printed)

    steps: ClassVar[dict[type[nodes.Node], Callable[..., None]]] = {
        **Walker.steps,
        nodes.Block: _block,
        nodes.Include: _include,
        nodes.Import: _import,
        nodes.FromImport: _from_import,
        nodes.Macro: _macro,
        nodes.CallBlock: _call_block,
    }


def _extends(body: list[nodes.Node]) -> nodes.Extends | None:
    """Return the tag that names the parent, also where a condition guards it."""
    for node in body:
        if isinstance(node, nodes.Extends):
            return node
        if isinstance(node, nodes.If):
            found = node.find(nodes.Extends)
            if found is not None:
                return found
    return None
