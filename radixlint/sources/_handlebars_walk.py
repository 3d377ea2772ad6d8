"""Walk a Handlebars or Mustache template: sections, helpers, partials, and the context that names are looked up in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from radixlint.late_pattern import late_pattern
from radixlint.prompt import ControlKind
from radixlint.sources._jinja_scope import Scope
from radixlint.sources._jinja_values import NO_FACTS, Facts, Value, union, with_attribute
from radixlint.sources._tag_cuts import function_cuts, listed
from radixlint.sources._tag_tokens import Token, tokens_of
from radixlint.sources._tag_tree import Block, Node, Tag
from radixlint.sources._tag_walk import Frame, TagWalker, constant
from radixlint.sources._turn_cuts import marked, negated

_STEP = late_pattern(r"\[([^\]]*)\]|[^./\[\]]+")
_BINDS = late_pattern(r"\bas\s*\|([^|]*)\|\s*$")
_CONSTANTS = frozenset(("true", "false", "null", "undefined"))
_CONDITIONS = frozenset(("if", "unless"))
_CONTEXTS = frozenset(("each", "with"))


class HandlebarsWalker(TagWalker):
    """Walks one file; ``suffix`` is what the names of partials leave out."""

    suffix = ".hbs"

    def lone(self, tag: Tag, frame: Frame) -> None:
        """Print a value or the result of a helper."""
        tokens = tokens_of(tag.content)
        if len(tokens) == 1 and tokens[0].kind in ("string", "number"):
            self.show(constant(self.passage, tokens[0].text.strip("\"'"), tag.start, tag.end), tag, frame)
        else:
            self.show(self._called(tokens, tag, frame), tag, frame)

    def _called(self, tokens: Sequence[Token], tag: Tag, frame: Frame) -> Value:
        """Return what a value or a helper with its arguments gives; the first token names it."""
        if not tokens:
            return Value(())
        head, rest = tokens[0], tokens[1:]
        cuts = function_cuts(tokens, lambda token: self._path(token.text, tag, frame).facts)
        if head.kind == "sign" and head.text == "(":
            return self.value(marked(self._arguments(tokens, tag, frame), *cuts), tag)
        if not rest:
            return self._path(head.text, tag, frame)
        told = self._arguments(rest, tag, frame)
        called = Facts(calls=(head.text,)) if head.text != "lookup" else NO_FACTS
        return self.value(marked(union((called, told)), *cuts), tag)

    def _arguments(self, tokens: Sequence[Token], tag: Tag, frame: Frame) -> Facts:
        """Return the facts of arguments: paths, constants, named ones, and helpers in parentheses."""
        found: list[Facts] = []
        for index, token in enumerate(tokens):
            follows = tokens[index + 1].text if index + 1 < len(tokens) else ""
            if token.kind == "string":
                found.append(Facts(constants=(token.inner,)))
            elif token.kind != "path" or follows == "=" or token.text in _CONSTANTS:
                continue
            elif index and tokens[index - 1].text == "(":
                # The built-in ``lookup`` is an index.
                found.append(Facts(calls=(token.text,)) if token.text != "lookup" else NO_FACTS)
            else:
                found.append(self._path(token.text, tag, frame).facts)
        return union(found)

    def _path(self, written: str, tag: Tag, frame: Frame) -> Value:
        """Return what a path stands for, looked up in the context that it stands in."""
        if written in _CONSTANTS:
            return constant(self.passage, written, tag.start, tag.end)
        context, path = list(frame.here), written
        while path.startswith("../"):
            context, path = context[:-1] or context[:1], path[3:]
        is_own = path.startswith(("this.", "this/", "./"))
        if path in (".", "this", ""):
            here = context[-1]
            return here if here is not None else self.value(Facts(names=("this",)), tag, "this")
        steps = [match[1] or match[0] for match in _STEP.finditer(path)]
        if steps and steps[0] in ("@index", "@first", "@last", "@key", "@level"):
            return self.value(Facts(names=(f"loop.{steps[0][1:]}",)), tag)
        if steps and steps[0] == "@root":
            return self._named(steps[1:] or ["root"], tag, None)
        bound = frame.scope.find(steps[0]) if steps and not is_own else None
        if isinstance(bound, Value):
            return self._along(bound, steps[1:], tag)
        steps = steps[1:] if steps and steps[0] == "this" else steps
        return self._named([step.lstrip("@") for step in steps], tag, context[-1])

    def _named(self, steps: list[str], tag: Tag, here: Value | None) -> Value:
        if here is not None and (here.path is not None or here.facts.names or here.facts.calls):
            return self._along(here, steps, tag)
        path = ".".join(steps)
        return self.value(Facts(names=(path,)), tag, path)

    def _along(self, base: Value, steps: list[str], tag: Tag) -> Value:
        if not steps:
            return base
        found = self.value(base.facts, tag, base.path)
        for step in steps:
            found = with_attribute(found, step)
        return found

    def block(self, block: Block, frame: Frame) -> None:
        """Walk a section or a block helper with its branches."""
        number, branches = self.budget.next_node(), block.branches
        sign, content = block.tag.content[:1], block.tag.content[1:]
        if content[:1] in ("*", ">"):
            self._decorated(block, content[0], frame)
            return
        names = self._bound_names(content)
        written = _BINDS.sub("", content)
        tag = replace(block.tag, content=written)
        told = self._subject(tag, written, frame)
        kind = self._kind(block, sign, written)
        is_negated = sign == "^" or tag.name == "unless"
        tests: list[Facts] = [negated(told.facts) if is_negated else told.facts]
        for index, branch in enumerate(branches):
            facts = union(tests)
            if index:
                extra = _BINDS.sub("", branch.tag.content).split(None, 1)[1:]
                if extra:
                    tests.append(self._arguments(tokens_of(extra[0]), branch.tag, frame))
                    facts = tests[-1]
            control = self.control(kind, facts, branch.tag if index and branch.tag.content else tag, number, index)
            scope, here = frame.scope.inner(), None
            if index == 0 and self._is_context(tag, sign, written):
                here = told
                scope.bound.update((name, self._item(told, place, tag)) for place, name in enumerate(names))
            self.walk(branch.nodes, self.inside(frame, control, scope, here))

    def _item(self, told: Value, place: int, tag: Tag) -> Value:
        return told if place == 0 else self.value(union((told.facts, Facts(names=("loop.key",)))), tag)

    def _bound_names(self, content: str) -> list[str]:
        binds = _BINDS.search(content)
        return binds[1].split() if binds is not None else []

    def _subject(self, tag: Tag, content: str, frame: Frame) -> Value:
        """Return what a block is about: its arguments, or the name itself in a section."""
        tokens = tokens_of(content)
        if not tokens:
            return self._path(tag.name, tag, frame)
        if len(tokens) == 1 and tokens[0].kind == "path":
            return self._path(tokens[0].text, tag, frame)
        facts = self._arguments(tokens, tag, frame)
        paths = [t.text for t in tokens if t.kind == "path"]
        is_helper = tag.name not in (*_CONDITIONS, *_CONTEXTS)
        calls = Facts(calls=(tag.name,)) if is_helper and not paths else Facts()
        helper = [Token("path", tag.name, 0)] if is_helper else []
        facts = marked(facts, *function_cuts([*helper, *tokens], lambda token: self._path(token.text, tag, frame).facts))
        return self.value(union((facts, calls)), tag, listed(Facts(facts.names)))

    @staticmethod
    def _is_context(tag: Tag, sign: str, content: str) -> bool:
        return sign == "#" and (tag.name in _CONTEXTS or not content.strip())

    def _kind(self, block: Block, sign: str, content: str) -> ControlKind:
        """Return whether a block repeats: ``each`` does, and a section that asks for the item or its number."""
        tag = block.tag
        is_section = sign == "#" and not content.strip() and tag.name not in _CONDITIONS
        repeats = tag.name == "each" or (is_section and _uses_item(block.branches[0].nodes))
        is_plural = is_section and tag.name.endswith("s") and not tag.name.lower().startswith(("is", "has"))
        return ControlKind.LOOP if repeats or is_plural else ControlKind.CONDITION

    def _decorated(self, block: Block, sign: str, frame: Frame) -> None:
        """Define a partial inside the file, or fill the block of a partial."""
        body, tag = block.branches[0].nodes, block.tag
        if sign == "*":
            name = next((t.inner for t in tokens_of(tag.content) if t.kind == "string"), "")
            frame.scope.bound[f"> {name}"] = self._captured(body, frame)
            return
        scope = frame.scope.inner()
        scope.bound["> @partial-block"] = self._captured(body, frame)
        if not self._partial(tag.name, Tag(tag.verb, tag.start, tag.end, ">", tag.content[2:]), frame, scope):
            self.walk(body, frame)

    def _captured(self, body: Sequence[Node], frame: Frame) -> Value:
        inner = frame.captured()
        self.walk(body, inner)
        return Value(tuple(inner.out))

    def include(self, tag: Tag, frame: Frame) -> None:
        """Follow ``{{> name context key=value}}``."""
        tokens = tokens_of(tag.content)
        if not tokens or tokens[0].kind not in ("path", "string"):
            self.budget.note(f"{self.place(tag)}: '{tag.content.strip()}' does not name a partial by a constant, not followed")
            return
        scope, rest = frame.scope.inner(), tokens[1:]
        for index, token in enumerate(rest[:-2]):
            if token.kind == "path" and rest[index + 1].text == "=":
                given = rest[index + 2]
                is_text = given.kind in ("string", "number")
                scope.bound[token.text] = (
                    constant(self.passage, given.text.strip("\"'"), tag.start, tag.end)
                    if is_text
                    else self._path(given.text, tag, frame)
                )
        name = tokens[0].inner if tokens[0].kind == "string" else tokens[0].text
        here = next((t for i, t in enumerate(rest[:1]) if t.kind == "path" and (len(rest) < 2 or rest[1].text != "=")), None)
        context = (*frame.here, self._path(here.text, tag, frame)) if here is not None else frame.here
        self._partial(name, tag, Frame(frame.scope, context, frame.controls, frame.out), scope)

    def _partial(self, name: str, tag: Tag, frame: Frame, scope: Scope) -> bool:
        bound = frame.scope.find(f"> {name}")
        if isinstance(bound, Value):
            self.replay(bound.parts, tag, frame)
            return True
        if name.startswith("@"):
            return False
        suffixes = tuple(dict.fromkeys((self.suffix, ".hbs", ".handlebars", ".mustache")))
        tail = name.rsplit("/", 1)
        hidden = "/".join((*tail[:-1], f"_{tail[-1]}"))
        names = [name, *(f"{folder}{n}{s}" for folder in ("", "partials/") for s in suffixes for n in (name, hidden))]
        found = self.library.load(names, self.passage.ground.path, self.place(tag))
        if found is None:
            return False
        passage, nodes = found
        inner = Frame(scope, frame.here)
        type(self)(passage, self.library).walk_file(nodes, inner)
        self.replay(inner.out, tag, frame)
        return True

    standing: ClassVar[dict[str, Callable[..., None]]] = {">": include}


def _uses_item(nodes: Sequence[Node]) -> bool:
    """Whether ``nodes`` ask for the item itself or for its number, outside of inner sections."""
    pattern = re.compile(r"^\s*(?:\.|this|@index|@first|@last|@key)\s*$")
    return any(isinstance(node, Tag) and pattern.match(node.content) for node in nodes)
