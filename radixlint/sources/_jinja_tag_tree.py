"""Parse a template of plain tags one by one: each tag means what Jinja says it means, and blocks pair up.

Where anything else stands in the template, or the tags do not pair up, Jinja reads all of it.
"""

from __future__ import annotations

import re
from typing import Final

from jinja2 import nodes
from msgspec import Struct, field

from radixlint.sources._jinja_known_tags import TRANSPARENT, KnownTag, Tag, known_tag, placed

_OPENING: Final = re.compile(r"\{[{%#]")
# Without braces and escapes inside, the first end outside of a string is the end of the tag; Jinja's lexer has the last word.
_TAG: Final = re.compile(
    r"(?:\{\{|\{%)-?(?![-+])(?:[^{}%'\"\-]++|'[^'\\]*+'|\"[^\"\\]*+\"|%(?!\})|-(?!\}\}|%\}))*+(?:-(?:\}\}|%\})\s*|\}\}|%\})"
)
_COMMENT: Final = re.compile(r"\{#-?(?!\+).*?(?:-#\}\s*|(?<!\+)#\})", re.DOTALL)
_RAW: Final = re.compile(r"\{%-?\s*raw\b")
_MOST_NESTED: Final = 20


class TagTree(Struct):
    """The statements of a template, its tags in order, and the names of tags that Jinja does not know."""

    body: list[nodes.Node] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


class _Open(Struct):
    """A block that is open: its statement, its name, where the statements behind it go, and whether ``else`` was met."""

    node: nodes.Node
    name: str
    outer: list[nodes.Node]
    has_else: bool = False


class _MixedError(Exception):
    """The template holds what tags by themselves do not tell."""


def tag_tree(text: str) -> TagTree | None:
    """Return the tree of a template with usual delimiters, its line ends LF; None if Jinja must read it as a whole."""
    builder = _Builder()
    cursor = 0
    try:
        while (opening := _OPENING.search(text, cursor)) is not None:
            start = opening.start()
            is_comment = text[start + 1] == "#"
            match = (_COMMENT if is_comment else _TAG).match(text, start)
            if match is None or _RAW.match(text, start):
                return None
            data = text[cursor:start]
            builder.data(cursor, data.rstrip() if text.startswith("-", start + 2) else data)
            if not is_comment:
                known = known_tag(match.group())
                if known is None:
                    return None
                builder.tag(start, known)
            cursor = match.end()
        builder.data(cursor, text[cursor:])
        return builder.finished()
    except _MixedError:
        return None


class _Builder:
    def __init__(self) -> None:
        self.tree = TagTree()
        self.body = self.tree.body
        self.printed: list[nodes.Expr] = []
        self.stack: list[_Open] = []

    def data(self, at: int, text: str) -> None:
        if text:
            self.printed.append(nodes.TemplateData(text, lineno=at))

    def finished(self) -> TagTree:
        self._flush()
        if self.stack:
            raise _MixedError
        return self.tree

    def tag(self, at: int, known: KnownTag) -> None:
        verb = known.verb
        if verb == "skip":
            name = known.name
            if name not in TRANSPARENT and not name.startswith("end") and name not in self.tree.unknown:
                self.tree.unknown.append(name)
            return
        self.tree.tags.append(Tag(at, at + known.length, known.inner, known.tokens, verb != "print"))
        node = placed(known.node, at) if known.node is not None else None
        if verb == "print":
            assert isinstance(node, nodes.Expr)
            self.printed.append(node)
            return
        self._flush()
        if verb == "run":
            assert node is not None
            self.body.append(node)
        elif verb == "open":
            assert node is not None
            self._open(node, known.name)
        elif verb == "close":
            self._close(known)
        else:
            self._branch(node)

    def _flush(self) -> None:
        if self.printed:
            self.body.append(nodes.Output(self.printed, lineno=self.printed[0].lineno))
            self.printed = []

    def _open(self, node: nodes.Node, name: str) -> None:
        if len(self.stack) >= _MOST_NESTED:
            raise _MixedError
        self.body.append(node)
        self.stack.append(_Open(node, name, self.body))
        self.body = vars(node)["body"]

    def _close(self, known: KnownTag) -> None:
        opened = self.stack.pop() if self.stack else None
        if opened is None or opened.name != known.name:
            raise _MixedError
        if known.block not in (None, vars(opened.node).get("name")):
            raise _MixedError
        self.body = opened.outer

    def _branch(self, node: nodes.Node | None) -> None:
        """Go on with the ``elif`` that ``node`` is, or with ``else``."""
        opened = self.stack[-1] if self.stack else None
        if opened is None or opened.has_else or not isinstance(opened.node, nodes.If | nodes.For):
            raise _MixedError
        if isinstance(node, nodes.If) and isinstance(opened.node, nodes.If):
            opened.node.elif_.append(node)
            self.body = node.body
        elif node is None:
            opened.has_else = True
            self.body = opened.node.else_
        else:
            raise _MixedError
