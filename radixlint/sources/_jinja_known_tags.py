"""What single tags of a template with usual delimiters mean, as Jinja reads them: by their text alone, for tags repeat."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.lexer import TokenStream
from jinja2.parser import Parser

from radixlint.recent import Recent

RawToken = tuple[int, str, str]

PAIRED: Final = ("for", "if", "block", "macro", "set", "with", "autoescape", "call", "filter")
STATEMENTS: Final = frozenset(
    (*PAIRED, *(f"end{name}" for name in PAIRED), "elif", "else", "extends", "print", "include", "from", "import", "do")
)
# Tags of Jinja's own extensions and of chat templates that print nothing themselves: their bodies are read on.
TRANSPARENT: Final = frozenset(("break", "continue", "debug", "trans", "pluralize", "generation"))

_MOST_CHARACTERS: Final = 1_000_000
_LONGEST: Final = 4_000
_IF: Final = "{% if x %}"
# What stands alone on both sides of these says all: their bodies are lists of statements and nothing else.
_OPENING: Final = frozenset(PAIRED) - {"autoescape"}


class Tag(msgspec.Struct, frozen=True, gc=False):
    """A ``{{ }}`` or ``{% %}`` tag: the half-open range of its text, its content, and its tokens (offset in it, type, value)."""

    start: int
    end: int
    inner: str
    tokens: tuple[RawToken, ...]
    is_statement: bool = False


class KnownTag(msgspec.Struct, frozen=True):
    """What a tag does to the tree: ``verb`` is ``print``, ``run``, ``open``, ``elif``, ``else``, ``close`` or ``skip``.

    ``name`` is the statement's, that of the block for a closing one. ``node`` is what Jinja makes of it, with offsets in the
    tag for line numbers. ``length`` leaves out the white space that it swallows behind it. ``block`` is the name that
    ``endblock`` gives.
    """

    verb: str
    name: str
    node: nodes.Node | None
    inner: str
    tokens: tuple[RawToken, ...]
    length: int
    block: str | None = None


_KNOWN: Final[Recent[str, KnownTag]] = Recent(_MOST_CHARACTERS)


def known_tag(text: str) -> KnownTag | None:
    """Return what the tag ``text``, with the white space it swallows behind it, means; None if it is not one tag to Jinja."""
    found = _KNOWN.get(text)
    if found is None and len(text) <= _LONGEST:
        try:
            found = _read(text)
        except (TemplateSyntaxError, ValueError, RecursionError):
            return None
        if found is not None:
            _KNOWN.keep(text, found, len(text))
    return found


@functools.cache
def _environment() -> Environment:
    return Environment(keep_trailing_newline=True, autoescape=True, extensions=("jinja2.ext.do",))


@functools.cache
def _parser() -> Parser:
    return Parser(_environment(), "")


def _read(text: str) -> KnownTag | None:
    tokens = _tokens(text)
    (_, begin, opening), *inside, (_, end, closing) = tokens
    if end != begin.replace("begin", "end") or any(kind in ("data", "raw_begin") for _, kind, _ in tokens):
        return None
    inner = text[len(opening) : len(text) - len(closing)].strip()
    length = len(text.rstrip())
    words = [(kind, value) for _, kind, value in inside if kind != "whitespace"]
    name = words[0][1] if words else ""
    if begin == "variable_begin":
        (output,) = _parsed(tokens)
        assert isinstance(output, nodes.Output)
        return KnownTag("print", "", output.nodes[0], inner, tuple(inside), length)
    if name not in STATEMENTS:
        return KnownTag("skip", name, None, inner, tuple(inside), length)
    if name == "else" or name.startswith("end"):
        return _closing(words, KnownTag("else" if name == "else" else "close", name, None, inner, tuple(inside), length))
    verb, node = _statement(name, tokens)
    return KnownTag(verb, name, node, inner, tuple(inside), length) if node is not None else None


def _closing(words: Sequence[tuple[str, str]], tag: KnownTag) -> KnownTag | None:
    if len(words) == 1:
        return msgspec.structs.replace(tag, name=tag.name.removeprefix("end"))
    if tag.name == "endblock" and len(words) == 2 and words[1][0] == "name":
        return msgspec.structs.replace(tag, name="block", block=words[1][1])
    return None


def _statement(name: str, tokens: Sequence[RawToken]) -> tuple[str, nodes.Node | None]:
    if name == "elif":
        (whole,) = _parsed([*_tokens(_IF), *tokens, *_tokens("{% endif %}")])
        assert isinstance(whole, nodes.If)
        return "elif", whole.elif_[0]
    if name in _OPENING and not (name == "set" and any(value == "=" for _, _, value in tokens)):
        (node,) = _parsed([*tokens, *_tokens(f"{{% end{name} %}}")])
        return "open", None if isinstance(node, nodes.Block) and node.required else node
    if name == "autoescape":
        return "open", None
    (node,) = _parsed(tokens)
    return "run", node


def _tokens(text: str) -> list[RawToken]:
    found: list[RawToken] = []
    at = 0
    for _, kind, value in _environment().lexer.tokeniter(text, None):
        found.append((at, kind, value))
        at += len(value)
    return found if at == len(text) else [*found, (at, "data", "")]


def _parsed(tokens: Iterable[RawToken]) -> list[nodes.Node]:
    parser = _parser()
    parser.stream = TokenStream(parser.environment.lexer.wrap(tokens), None, None)
    try:
        return parser.subparse()
    except (TemplateSyntaxError, ValueError, RecursionError):
        _parser.cache_clear()  # it still holds what it was in the middle of
        raise


def placed(node: nodes.Node, at: int) -> nodes.Node:
    """Return a copy of ``node`` for a tag that starts at offset ``at``."""
    copy = object.__new__(type(node))
    fields = copy.__dict__
    for name, value in node.__dict__.items():
        if isinstance(value, nodes.Node):
            fields[name] = placed(value, at)
        elif type(value) is list:
            fields[name] = [placed(item, at) if isinstance(item, nodes.Node) else item for item in value]
        else:
            fields[name] = value
    if fields["lineno"] is not None:
        fields["lineno"] += at
    return copy
