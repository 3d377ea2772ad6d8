"""Parse a Jinja template into nodes whose line numbers are offsets in the text, and list its tags.

Jinja nodes know a line only. The lexer below hands the parser an offset in place of each line, so that ``node.lineno``
is the offset of the token it was read from. Nothing is compiled, so nothing is folded.
"""

from __future__ import annotations

import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import fields

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.lexer import Lexer
from jinja2.parser import Parser
from msgspec import Struct
from msgspec.structs import replace

from radixlint.errors import SourceError
from radixlint.passage import Passage
from radixlint.plural import counted
from radixlint.sources._jinja_delimiters import USUAL, Delimiters, headed
from radixlint.sources._jinja_known_tags import PAIRED, STATEMENTS, TRANSPARENT, RawToken, Tag
from radixlint.sources._jinja_tag_tree import TagTree, tag_tree

# No tag of a prompt is near this long; the lexer would take seconds for a megabyte of opening braces.
_TAG_TOKENS_MAX = 50_000
_SPACE = re.compile(r"\s*")
_HANDLEBARS = re.compile(r"\{\{\{[^{}\n]*\}\}\}|\{\{\s*[#/>^!&][^{}\n]*\}\}")


class Parsed(Struct, frozen=True):
    """A template: its text, its nodes, its tags in order, notes on what was read over, and what opens a printing tag."""

    passage: Passage
    body: list[nodes.Node]
    tags: tuple[Tag, ...]
    starts: tuple[int, ...]
    notes: tuple[str, ...]
    opener: str = USUAL.variable_start

    def tag(self, node: nodes.Node) -> Tag:
        """Return the tag that ``node`` was read from."""
        return self.tags[max(0, bisect_right(self.starts, node.lineno) - 1)]


class _PlacedLexer(Lexer):
    """Numbers tokens by offset, keeps the tags, and drops tags that the parser does not know."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.tags: list[Tag] = []
        self.unknown: list[str] = []

    def tokeniter(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> Iterator[RawToken]:
        """Yield raw tokens, one tag at a time, with offsets for line numbers."""
        held: list[RawToken] = []
        for token in self._placed(source):
            kind = token[1]
            if kind in ("variable_begin", "block_begin") or held:
                held.append(token)
                if len(held) > _TAG_TOKENS_MAX:
                    raise TemplateSyntaxError(f"a tag of more than {counted(_TAG_TOKENS_MAX, 'token')}, not checked", held[0][0])
                if kind in ("variable_end", "block_end"):
                    yield from self._keep(source, held)
                    held = []
            else:
                yield token
        yield from held

    def _placed(self, text: str) -> Iterator[RawToken]:
        """Yield raw tokens with offsets; whitespace that ``-`` swallowed in front of a tag belongs to no token."""
        cursor = last = 0
        try:
            for _, kind, value in super().tokeniter(text, None):
                if not text.startswith(value, cursor):
                    skipped = _SPACE.match(text, cursor)
                    cursor = skipped.end() if skipped else cursor
                yield cursor, kind, value
                last, cursor = cursor, cursor + len(value)
        except TemplateSyntaxError as error:
            message = error.message or "does not parse"
            at = last if message.startswith("Missing end") else cursor
            raise TemplateSyntaxError(re.sub(r" at \d+$", "", message), at) from error

    def _keep(self, text: str, tokens: list[RawToken]) -> list[RawToken]:
        start, kind, opening = tokens[0]
        end, _, closing = tokens[-1]
        if kind == "block_begin":
            name = next((value for _, type_, value in tokens[1:-1] if type_ != "whitespace"), "")
            if name not in STATEMENTS:
                if name not in TRANSPARENT and not name.startswith("end") and name not in self.unknown:
                    self.unknown.append(name)
                return []
        inner = text[start + len(opening) : end].strip()
        inside = tuple((at - start, type_, value) for at, type_, value in tokens[1:-1])
        self.tags.append(Tag(start, end + len(closing.rstrip()), inner, inside, kind == "block_begin"))
        return tokens


class _PlacedEnvironment(Environment):
    """An environment that never renders: it only lends its syntax to the parser."""

    @property
    def lexer(self) -> Lexer:
        """The numbering lexer, made once."""
        placed = self.__dict__.get("placed")
        if placed is None:
            placed = self.__dict__["placed"] = _PlacedLexer(self)
        return placed


def parse(passage: Passage, usual: Delimiters = USUAL) -> Parsed:
    """Parse a template; Handlebars tags, where they are in the way, are read as text.

    Args:
        passage: the template.
        usual: the delimiters where the template's first line names no others.

    Raises:
        SourceError: it does not parse, or nests too deeply for the parser.
    """
    passage, delimiters = headed(passage, usual)
    text = passage.text.replace("\r", "\n")
    try:
        return _parse(passage, text, delimiters)
    except SourceError:
        masked = _HANDLEBARS.sub(lambda match: "\x01" * len(match.group()), text)
        if masked == text:
            raise
        parsed = _parse(passage, masked, delimiters)
        note = "Handlebars tags are not supported, they are read as text"
        return replace(parsed, notes=(*parsed.notes, note))


def _never_closed(tags: list[Tag]) -> tuple[str, int] | None:
    """Return name and place of the innermost block that is still open at the end."""
    opened: list[tuple[str, int]] = []
    for tag in tags:
        name = next((value for _, kind, value in tag.tokens if kind == "name"), "")
        is_block = name in PAIRED and tag.is_statement and not (name == "set" and any(v == "=" for _, _, v in tag.tokens))
        if is_block:
            opened.append((name, tag.start))
        elif opened and name == f"end{opened[-1][0]}" and tag.is_statement:
            opened.pop()
    return opened[-1] if opened else None


def _parse(passage: Passage, text: str, delimiters: Delimiters) -> Parsed:
    known = tag_tree(text) if delimiters == USUAL else None
    if known is not None:
        return _joined(passage, known, delimiters)
    named = {f"{field.name}_string": getattr(delimiters, field.name) for field in fields(delimiters)}
    environment = _PlacedEnvironment(keep_trailing_newline=True, extensions=("jinja2.ext.do",), **named)
    lexer = environment.lexer
    assert isinstance(lexer, _PlacedLexer)
    try:
        with warnings.catch_warnings():
            # An unknown escape in a string of the template is a DeprecationWarning of Python's decoder.
            warnings.simplefilter("ignore", DeprecationWarning)
            # Environment.parse would do the same and then rebuild a traceback from what it takes for line numbers.
            body = Parser(environment, text).parse().body
    except TemplateSyntaxError as error:
        message, at = error.message or "does not parse", error.lineno
        opened = _never_closed(lexer.tags) if message.startswith("Unexpected end of template") else None
        if opened is not None:
            name, at = opened
            message = f"'{name}' is opened here and never closed: 'end{name}' is missing"
        raise passage.error(message, at) from error
    except RecursionError:
        raise SourceError("too deeply nested, not checked") from None
    except ValueError as error:
        raise SourceError(f"a number in a tag is not readable: {str(error).split(';')[0]}") from error
    return _joined(passage, TagTree(body, lexer.tags, lexer.unknown), delimiters)


def _joined(passage: Passage, tree: TagTree, delimiters: Delimiters) -> Parsed:
    notes = tuple(f"unknown tag '{name}', its content is read as if the tag were not there" for name in tree.unknown)
    starts = tuple([tag.start for tag in tree.tags])
    return Parsed(passage, tree.body, tuple(tree.tags), starts, notes, delimiters.variable_start)
