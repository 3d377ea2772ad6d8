"""Read the template of a dotprompt file: Handlebars with helpers for roles, history, sections and media."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec.structs import replace

from radixlint.passage import Passage
from radixlint.prompt import Expression, Role, Segment, SourceText, Span
from radixlint.sources import Includes
from radixlint.sources._front_matter import split_front_matter
from radixlint.sources._handlebars_tags import parse_handlebars
from radixlint.sources._handlebars_walk import HandlebarsWalker
from radixlint.sources._jinja_scope import Scope
from radixlint.sources._jinja_values import Facts
from radixlint.sources._role_markers import ROLES
from radixlint.sources._tag_tokens import tokens_of
from radixlint.sources._tag_tree import Node, Tag
from radixlint.sources._tag_walk import Frame, Library


def read_dotprompt(body: Passage, includes: Includes) -> tuple[tuple[Segment, ...], tuple[str, ...]]:
    """Return what the template prints, with roles and the history, and notes.

    Raises:
        SourceError: it does not parse, nests too deeply, or repeats too much text.
    """
    library = Library(includes, _parsed)
    library.budget.spend(-len(body.text))
    library.telling.role = Role.USER
    frame = Frame(Scope())
    _DotpromptWalker(body, library).walk_file(parse_handlebars(body), frame)
    return _with_history(tuple(frame.out)), tuple(library.budget.notes)


def _parsed(source: SourceText) -> tuple[Passage, list[Node]]:
    _, body = split_front_matter(source)
    return body, parse_handlebars(body)


class _DotpromptWalker(HandlebarsWalker):
    """Adds dotprompt's helpers."""

    suffix = ".prompt"

    def lone(self, tag: Tag, frame: Frame) -> None:
        name = tag.content.split(None, 1)[:1]
        helper = self.helpers.get(name[0]) if name else None
        if helper is None:
            super().lone(tag, frame)
        else:
            helper(self, tag, frame)

    def _role(self, tag: Tag, frame: Frame) -> None:
        given = next((token.inner.lower() for token in tokens_of(tag.content) if token.kind == "string"), "")
        self.library.telling.turn(ROLES.get(given, Role.TEXT))

    def _history(self, tag: Tag, frame: Frame) -> None:
        telling = self.library.telling
        telling.turn(Role.ASSISTANT)
        self.show(self.value(Facts(names=("history",)), tag), tag, frame)
        telling.turn(Role.ASSISTANT)

    def _section(self, tag: Tag, frame: Frame) -> None:
        """The section ``output`` is the schema of the answer; what others hold is decided in code."""
        given = next((token.inner for token in tokens_of(tag.content) if token.kind == "string"), "")
        facts = Facts(names=("output_format",)) if given == "output" else Facts(calls=("section",), constants=(given,))
        self.show(self.value(facts, tag), tag, frame)

    helpers: ClassVar[dict[str, Callable[..., None]]] = {"role": _role, "history": _history, "section": _section}


def _with_history(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """Put the history ahead of the last user message where the template does not say where it goes."""
    told = [s for s in segments if s.text.strip()]
    is_placed = any(s.expression is not None and s.expression.names == ("history",) for s in segments)
    if is_placed or not told or told[-1].role is not Role.USER or told[0].message == told[-1].message:
        return segments
    at = next(index for index, s in enumerate(segments) if s.message == told[-1].message)
    first = segments[at]
    span = Span(first.span.path, first.span.line, first.span.column, first.span.line, first.span.column)
    history = Segment("", span, Role.ASSISTANT, Expression("history", names=("history",)), message=first.message)
    behind = (replace(s, message=s.message + 1) for s in segments[at:])
    return (*segments[:at], history, *behind)
