"""Walk a Go template: pipelines, ranges, variables, and the templates it defines or names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final

from radixlint.passage import Passage
from radixlint.prompt import ControlKind
from radixlint.sources._jinja_scope import Scope
from radixlint.sources._jinja_values import NO_FACTS, Facts, Value, union, with_attribute
from radixlint.sources._tag_cuts import function_cuts, listed
from radixlint.sources._tag_tokens import Token, tokens_of
from radixlint.sources._tag_tree import Block, Node, Tag
from radixlint.sources._tag_walk import Frame, Library, TagWalker, constant
from radixlint.sources._turn_cuts import marked

# Functions of templates and of the Sprig library that change only the form of what goes in.
_NEUTRAL_WORDS: Final = (
    "and or not eq ne lt le gt ge index slice html js urlquery print printf println call trim trimAll trimSuffix "
    "trimPrefix upper lower title untitle repeat substr nospace trunc abbrev initials cat indent nindent replace "
    "plural quote squote join splitList toString toStrings toJson toPrettyJson toRawJson toYaml fromJson default "
    "empty coalesce ternary list dict get pluck first last rest initial append prepend concat reverse sortAlpha "
    "keys values int int64 float64 add sub mul div mod max min round required tpl include"
)
_NEUTRAL: Final = frozenset(_NEUTRAL_WORDS.split())
_ALIASES: Final = {
    "uuidv4": "uuid4",
    "ago": "now",
    **dict.fromkeys(("randAlphaNum", "randAlpha", "randAscii", "randNumeric", "randInt", "randBytes"), "random"),
}
_CONSTANTS: Final = frozenset(("true", "false", "nil"))


def defined_in(nodes: Iterable[Node]) -> dict[str, Block]:
    """Return the templates that ``nodes`` define, by name."""
    blocks = [node for node in nodes if isinstance(node, Block) and node.tag.name in ("define", "block")]
    return {_name(block.tag): block for block in blocks}


def _name(tag: Tag) -> str:
    return next((token.inner for token in tokens_of(tag.content) if token.kind == "string"), "")


class GoWalker(TagWalker):
    """Walks one file; ``defined`` are the templates known by name, with the walkers of their files."""

    def __init__(self, passage: Passage, library: Library, nodes: list[Node]) -> None:
        super().__init__(passage, library)
        self.defined: dict[str, tuple[GoWalker, Block]] = {name: (self, block) for name, block in defined_in(nodes).items()}

    def lone(self, tag: Tag, frame: Frame) -> None:
        """Print a pipeline."""
        self.show(self._pipeline(tokens_of(tag.content), tag, frame), tag, frame)

    def _pipeline(self, tokens: Sequence[Token], tag: Tag, frame: Frame) -> Value:
        if len(tokens) == 1:
            token = tokens[0]
            if token.kind in ("string", "number"):
                text = token.inner if token.kind == "string" else token.text
                return constant(self.passage, text, tag.start, tag.end)
            if token.kind == "path" and token.text[0] in ".$":
                return self._path(token.text, tag, frame)
        facts = self._facts(tokens, tag, frame)
        return self.value(facts, tag, listed(facts))

    def _facts(self, tokens: Sequence[Token], tag: Tag, frame: Frame) -> Facts:
        """Return the facts of a pipeline: a path in front of a command is a function or method, others are fields."""
        found: list[Facts] = []
        for index, token in enumerate(tokens):
            is_head = not index or tokens[index - 1].text in ("(", "|")
            has_arguments = index + 1 < len(tokens) and tokens[index + 1].text not in (")", "|")
            if token.kind == "string":
                found.append(Facts(constants=(token.inner,)))
            elif token.kind != "path" or token.text in _CONSTANTS:
                continue
            elif token.text[0] not in ".$":
                name = token.text.split(".")[0]
                name = _ALIASES.get(name, name)
                found.append(
                    Facts(filters=("shuffle",)) if name == "shuffle" else Facts(calls=() if name in _NEUTRAL else (name,))
                )
            else:
                path = token.text
                if is_head and has_arguments and path.count("."):
                    path = path.rsplit(".", 1)[0] or "."
                    found.append(Facts(calls=(token.text.lstrip(".$"),)))
                    if path in (".", "$") and _is_whole(frame.here[-1 if path == "." else 0]):
                        # That a method is one of all that is given says nothing of its result.
                        continue
                found.append(self._path(path, tag, frame).facts)
        return marked(union(found), *function_cuts(tokens, lambda token: self._said(token, tag, frame)))

    def _said(self, token: Token, tag: Tag, frame: Frame) -> Facts:
        """Return the facts of one argument."""
        if token.text[0] in ".$":
            return self._path(token.text, tag, frame).facts
        return NO_FACTS if token.text in _CONSTANTS else Facts(calls=(token.text,))

    def _path(self, written: str, tag: Tag, frame: Frame) -> Value:
        """Return what a field of the context (``.Name``) or of a variable (``$user.Name``) stands for."""
        head, *steps = written.split(".")
        base = frame.here[0] if head == "$" else frame.here[-1]
        bound = frame.scope.find(head) if head not in ("", "$") else None
        if isinstance(bound, Value):
            base = bound
        steps = [step for step in steps if step]
        if base is None or (bound is None and steps and _is_whole(base)):
            path = ".".join(steps) or head.strip("$")
            # The whole context has no path, so that its fields go by their own names.
            return self.value(Facts(names=(path or "data",)), tag, path or None)
        if not steps:
            return base
        found = self.value(base.facts, tag, base.path)
        for step in steps:
            found = with_attribute(found, step)
        return found

    def _assign(self, tag: Tag, frame: Frame) -> None:
        name, operator, *rest = tokens_of(tag.content)
        value = self._pipeline(rest, tag, frame)
        scope = frame.scope
        if operator.text == "=":
            scope, conditions = frame.scope.owner(name.text)
            old = scope.bound.get(name.text)
            known = old.facts if isinstance(old, Value) else Facts()
            if frame.controls:
                value = self.value(union((known, value.facts, *conditions)), tag, value.path)
        scope.bound[name.text] = value

    def block(self, block: Block, frame: Frame) -> None:
        """Walk ``if``, ``with`` or ``range`` with its branches."""
        number, tests = self.budget.next_node(), list[Facts]()
        for index, branch in enumerate(block.branches):
            verb, content = (block.tag.name, branch.tag.content) if not index else _other(branch.tag.content)
            scope, here = frame.scope.inner(), None
            if verb:
                names, tokens = _bound(tokens_of(content))
                value = self._pipeline(tokens, branch.tag, frame)
                tests.append(value.facts)
                here = value if verb in ("range", "with") else None
                scope.bound.update(self._variables(names, value, branch.tag, verb))
            kind = ControlKind.LOOP if block.tag.name == "range" else ControlKind.CONDITION
            facts = tests[-1] if verb else union(tests)
            control = self.control(kind, facts, branch.tag if verb else block.tag, number, index)
            inner = self.inside(frame, control, scope, here)
            inner.scope.under = control.expression
            self.walk(branch.nodes, inner)

    def _variables(self, names: list[str], value: Value, tag: Tag, verb: str) -> dict[str, Value]:
        """Return what a block binds: a range with two names binds the number or key first."""
        if verb == "range" and len(names) == 2:
            return {names[0]: self.value(Facts(names=("loop.key",)), tag), names[1]: value}
        return dict.fromkeys(names, value)

    def _define(self, block: Block, frame: Frame) -> None:
        """A definition prints nothing where it stands."""

    def _placed_block(self, block: Block, frame: Frame) -> None:
        self._show(block.tag, frame)

    def _template(self, tag: Tag, frame: Frame) -> None:
        self._show(tag, frame)

    def _show(self, tag: Tag, frame: Frame) -> None:
        """Print the template that ``tag`` names, defined here or a file; behind the name stands its context."""
        name = _name(tag)
        tokens = tokens_of(tag.content)[1:]
        # The fields of what is put together for it go by their own names.
        is_made = any(token.text == "dict" for token in tokens)
        here = self._pipeline(tokens, tag, frame) if tokens and not is_made else None
        inner = Frame(Scope(), (here,))
        if name in self.defined:
            walker, block = self.defined[name]
            with self.budget.entered(f"template {name}") as is_fresh:
                if is_fresh:
                    walker.walk(block.branches[0].nodes, inner)
                else:
                    self.budget.note(f"{self.place(tag)}: template '{name}' calls itself, followed once")
        elif (found := self._loaded(name, tag)) is not None:
            passage, nodes = found
            walker = GoWalker(passage, self.library, nodes)
            walker.defined = {**walker.defined, **self.defined}
            walker.walk_file(nodes, inner)
        self.replay(inner.out, tag, frame)

    def _loaded(self, name: str, tag: Tag) -> tuple[Passage, list[Node]] | None:
        names = [name, *(f"{name}{suffix}" for suffix in (".tmpl", ".gotmpl", ".tpl"))]
        return self.library.load(names, self.passage.ground.path, self.place(tag))

    opening: ClassVar[dict[str, Callable[..., None]]] = {"define": _define, "block": _placed_block}
    standing: ClassVar[dict[str, Callable[..., None]]] = {"=": _assign, "template": _template, "include": _template}


def _is_whole(context: Value | None) -> bool:
    """Whether this is all that the template is given."""
    return context is None or (context.path is None and not context.facts.calls and context.facts.names in ((), ("data",)))


def _other(content: str) -> tuple[str, str]:
    """Return the verb and the pipeline behind ``else``; empty if there is none."""
    verb, _, rest = content.strip().partition(" ")
    return (verb, rest) if verb in ("if", "with") else ("", "")


def _bound(tokens: list[Token]) -> tuple[list[str], list[Token]]:
    """Return the variables ahead of ``:=`` or ``=``, and the pipeline behind it."""
    at = next((i for i, token in enumerate(tokens[:4]) if token.text in (":=", "=")), None)
    if at is None:
        return [], tokens
    return [token.text for token in tokens[:at] if token.kind == "path"], tokens[at + 1 :]
