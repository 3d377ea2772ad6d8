"""Walk a Liquid template: filters, loops, assignments, and the files it renders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from radixlint.prompt import ControlKind
from radixlint.sources._jinja_scope import Scope
from radixlint.sources._jinja_values import Facts, Value, carried, union, with_attribute
from radixlint.sources._tag_cuts import filter_cuts, loop_cuts, test_cuts
from radixlint.sources._tag_tokens import Token, tokens_of
from radixlint.sources._tag_tree import Block, Tag
from radixlint.sources._tag_walk import Frame, TagWalker, constant
from radixlint.sources._turn_cuts import marked, negated

_WORDS = frozenset(
    ("and", "or", "contains", "in", "with", "for", "as", "true", "false", "nil", "null", "blank", "empty", "reversed")
)
# Texts that the filter ``date`` takes for the clock.
_CLOCKS = frozenset(("now", "today"))


class LiquidWalker(TagWalker):
    """Walks one file."""

    def lone(self, tag: Tag, frame: Frame) -> None:
        """Print a value with its filters."""
        self.show(self._filtered(tokens_of(tag.content), tag, frame), tag, frame)

    def _filtered(self, tokens: Sequence[Token], tag: Tag, frame: Frame) -> Value:
        if len(tokens) == 1 and tokens[0].kind in ("string", "number"):
            token = tokens[0]
            return constant(self.passage, token.inner if token.kind == "string" else token.text, tag.start, tag.end)
        if len(tokens) == 1 and tokens[0].kind == "path":
            return self._path(tokens[0].text, tag, frame)
        return self.value(self._facts(tokens, tag, frame), tag)

    def _facts(self, tokens: Sequence[Token], tag: Tag, frame: Frame) -> Facts:
        """Return the facts of a value, of a condition, or of arguments; behind a pipe stands a filter."""
        found: list[Facts] = []
        filters = [tokens[i + 1].text for i in range(len(tokens) - 1) if tokens[i].text == "|"]
        for index, token in enumerate(tokens):
            follows = tokens[index + 1].text if index + 1 < len(tokens) else ""
            if token.kind == "string":
                is_clock = not index and token.inner in _CLOCKS and filters[:1] == ["date"]
                found.append(Facts(calls=(token.inner,)) if is_clock else Facts(constants=(token.inner,)))
            elif token.kind != "path" or token.text in _WORDS:
                continue
            elif index and tokens[index - 1].text == "|":
                found.append(Facts(filters=("length" if token.text == "size" else token.text,)))
            elif follows != ":":
                found.append(self._path(token.text, tag, frame).facts)
        return marked(union(found), *filter_cuts(tokens, lambda token: self._path(token.text, tag, frame).facts))

    def _test(self, tag: Tag, frame: Frame) -> Facts:
        """Return the facts of a condition."""
        tokens = tokens_of(tag.content)
        facts = marked(
            self._facts(tokens, tag, frame), *test_cuts(tokens, lambda token: self._path(token.text, tag, frame).facts)
        )
        return negated(facts) if tag.name == "unless" else facts

    def _path(self, written: str, tag: Tag, frame: Frame) -> Value:
        head, *steps = [step.strip("[]\"'") for step in written.replace("[", ".[").split(".") if step] or [written]
        if head == "forloop":
            return self.value(Facts(names=(".".join(("loop", *steps)),)), tag)
        if head in ("true", "false"):
            return constant(self.passage, head, tag.start, tag.end)
        if steps == ["size"]:
            base = self._path(head, tag, frame)
            return self.value(union((base.facts, Facts(filters=("length",)))), tag)
        bound = frame.scope.find(head)
        found = bound if isinstance(bound, Value) else self.value(Facts(names=(head,)), tag, head)
        if steps and isinstance(bound, Value):
            found = self.value(bound.facts, tag, bound.path)
        for step in steps:
            found = found if step.lstrip("-").isdigit() else with_attribute(found, step)
        return found

    def block(self, block: Block, frame: Frame) -> None:
        """Walk a condition with its branches; a block of another kind is walked as it stands."""
        if block.tag.name not in ("if", "unless", "case", "ifchanged"):
            self.walk(block.branches[0].nodes, frame)
            return
        number, tests = self.budget.next_node(), list[Facts]()
        subject = self._test(block.tag, frame)
        for index, branch in enumerate(block.branches):
            tag = block.tag if branch.tag.name == "else" else branch.tag
            if branch.tag.name != "else":
                own = self._test(branch.tag, frame)
                tests.append(union((subject, own)) if branch.tag.name == "when" else own)
            facts = union(tests) if branch.tag.name == "else" else tests[-1]
            control = self.control(ControlKind.CONDITION, facts, tag, number, index)
            inner = self.inside(frame, control)
            inner.scope.under = control.expression
            self.walk(branch.nodes, inner)

    def _for(self, block: Block, frame: Frame) -> None:
        tokens = tokens_of(block.tag.content)
        at = next((i for i, token in enumerate(tokens) if token.text == "in"), 0)
        rest = tokens[at + 1 :]
        # Behind the collection stand ``limit``, ``offset`` and ``reversed``, which choose among the same items.
        value = self._filtered(rest[:1], block.tag, frame) if rest and rest[0].kind == "path" else Value(())
        chosen = marked(value.facts, *loop_cuts(rest, value.facts, lambda token: self._path(token.text, block.tag, frame).facts))
        if chosen != value.facts:
            value = self.value(chosen, block.tag, value.path)
        if rest and rest[0].text == "(":
            value = self.value(self._facts(rest, block.tag, frame), block.tag)
        number = self.budget.next_node()
        for index, branch in enumerate(block.branches):
            control = self.control(ControlKind.LOOP, value.facts, block.tag, number, index)
            inner = self.inside(frame, control)
            inner.scope.under = control.expression
            if at and not index:
                inner.scope.bound[tokens[0].text] = value
            self.walk(branch.nodes, inner)

    def _capture(self, block: Block, frame: Frame) -> None:
        inner = frame.captured()
        self.walk(block.branches[0].nodes, inner)
        name = block.tag.content.strip().strip("\"'")
        self._bind(name, Value(tuple(inner.out)), block.tag, frame)

    def _assign(self, tag: Tag, frame: Frame) -> None:
        tokens = tokens_of(tag.content)
        if len(tokens) > 2:
            self._bind(tokens[0].text, self._filtered(tokens[2:], tag, frame), tag, frame)

    def _bind(self, name: str, value: Value, tag: Tag, frame: Frame) -> None:
        """Bind a name for the whole file; under a condition it may also be what it was before."""
        scope, conditions = frame.scope.owner(name)
        old = scope.bound.get(name)
        if conditions and frame.controls:
            known = old.facts if isinstance(old, Value) else Facts(names=(name,) if old is None else ())
            value = self.value(union((known, value.facts, *conditions)), tag, name)
        span = self.passage.span(tag.start, tag.end)
        scope.bound[name] = Value(tuple(carried(part, span, self.budget) for part in value.parts), value.path)

    def _count(self, tag: Tag, frame: Frame) -> None:
        """``increment`` and ``cycle`` go on within one rendering, so they are the same in every prompt."""

    def _echo(self, tag: Tag, frame: Frame) -> None:
        self.lone(tag, frame)

    def _render(self, tag: Tag, frame: Frame) -> None:
        """Follow ``render`` and ``include``; a name that is a variable is not followed."""
        tokens = tokens_of(tag.content)
        if not tokens or tokens[0].kind != "string":
            self.budget.note(f"{self.place(tag)}: '{tag.content.strip()}' does not name a file by a constant, not followed")
            return
        name, scope = tokens[0].inner, Scope(frame.scope if tag.name == "include" else None)
        for index in range(1, len(tokens) - 2):
            if tokens[index].kind == "path" and tokens[index + 1].text == ":":
                scope.bound[tokens[index].text] = self._filtered(tokens[index + 2 : index + 3], tag, frame)
            elif tokens[index].text in ("with", "for"):
                alias = tokens[index + 3].text if index + 3 < len(tokens) and tokens[index + 2].text == "as" else name
                scope.bound[alias] = self._filtered(tokens[index + 1 : index + 2], tag, frame)
        names = (name, f"{name}.liquid", f"_{name}.liquid", f"snippets/{name}.liquid")
        found = self.library.load(names, self.passage.ground.path, self.place(tag))
        if found is not None:
            passage, nodes = found
            inner = Frame(scope)
            LiquidWalker(passage, self.library).walk_file(nodes, inner)
            self.replay(inner.out, tag, frame)

    opening: ClassVar[dict[str, Callable[..., None]]] = {"for": _for, "tablerow": _for, "capture": _capture}
    standing: ClassVar[dict[str, Callable[..., None]]] = {
        "assign": _assign,
        "echo": _echo,
        "render": _render,
        "include": _render,
        "increment": _count,
        "decrement": _count,
        "cycle": _count,
        "section": _render,
        "sections": _count,
    }
