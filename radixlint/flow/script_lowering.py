"""Lower a file of TypeScript or JavaScript to a program; it is parsed by tree-sitter and never run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

import msgspec

from radixlint.errors import SourceError
from radixlint.flow.program import Module
from radixlint.passage import Passage

if TYPE_CHECKING:
    from tree_sitter import Node as Tree
    from tree_sitter import Parser

_TYPESCRIPT: Final = (".ts", ".mts", ".cts")
_TYPED: Final = (*_TYPESCRIPT, ".tsx")
_TOO_DEEP: Final = "too deeply nested, not checked"
_SHOWN: Final = 20
_UNENDED: Final = re.compile(rb"(\}[ \t]*)\n(?=\s*[\[(`])")


class Lowered(msgspec.Struct, frozen=True):
    """A program, and where its file does not parse; the rest of the file is in the program."""

    module: Module
    fault: SourceError | None = None


def is_installed() -> bool:
    """Whether the parsers are there."""
    try:
        for name in ("tree_sitter", "tree_sitter_javascript", "tree_sitter_typescript"):
            import_module(name)
    except (ImportError, ValueError, OSError):
        # Parsers that are there and cannot be loaded are as good as none.
        return False
    return True


def read_script(passage: Passage, path: str) -> Lowered:
    """Return the program in ``passage``, a whole file, as far as it parses, and its first fault.

    Raises:
        SourceError: none of it parses, or it nests too deeply.
    """
    from radixlint.flow.script_expressions import Expressions
    from radixlint.flow.script_places import ByteOffsets
    from radixlint.flow.script_statements import Statements

    data = passage.text.encode("utf-8", "surrogatepass")
    places = ByteOffsets(data)
    root, dialect = _parsed(data, path.lower())
    fault = _fault(passage, places, root, dialect) if root.has_error else None
    try:
        body = Statements(Expressions(passage, places, root)).body(root.named_children)
    except RecursionError:
        raise passage.error(_TOO_DEEP, 0) from None
    if fault is not None and not body:
        raise fault
    return Lowered(Module(path, passage, "script", body), fault)


def expression_at(text: str, path: str, start: int, end: int) -> Tree | None:
    """Return the outermost expression that stands in ``start:end`` of a file; None if none does, or the file does not parse."""
    data = text.encode("utf-8", "surrogatepass")
    root = _parsed(data, path.lower())[0]
    first, last = (len(text[:at].encode("utf-8", "surrogatepass")) for at in (start, end))
    found = root.named_descendant_for_byte_range(first, last)
    while found is not None and found.parent is not None and (found.parent.start_byte, found.parent.end_byte) == (first, last):
        found = found.parent
    is_whole = found is not None and (found.start_byte, found.end_byte) == (first, last)
    return found if is_whole and not root.has_error else None


def comments_of(text: str, path: str) -> Iterator[tuple[int, int]]:
    """Yield the half-open range of each comment of a file, those in JSX included."""
    from radixlint.flow.script_places import ByteOffsets

    data = text.encode("utf-8", "surrogatepass")
    places = ByteOffsets(data)
    cursor = _parsed(data, path.lower())[0].walk()
    while True:
        if cursor.node is not None and cursor.node.type == "comment":
            yield places.range(cursor.node)
        if cursor.goto_first_child() or cursor.goto_next_sibling():
            continue
        while cursor.goto_parent():
            if cursor.goto_next_sibling():
                break
        else:
            return


def _parsed(data: bytes, path: str) -> tuple[Tree, str]:
    """Return the tree of a file and the name of its language; of several readings the first without a fault."""
    if path.endswith(_TYPED):
        language, readings = "TypeScript", ["typescript" if path.endswith(_TYPESCRIPT) else "tsx"]
    else:
        # Types are also written in files of JavaScript (Flow).
        language, readings = "JavaScript", ["javascript", "tsx"]
    root = _parser(readings[0]).parse(data).root_node
    if root.has_error:
        # The grammar ends no statement between the body of an arrow and a bracket on the next line; the language does.
        ended = _UNENDED.sub(rb"\1;", data)
        for code, reading in [(data, each) for each in readings[1:]] + [(ended, each) for each in readings if ended != data]:
            other = _parser(reading).parse(code).root_node
            if not other.has_error:
                return other, language
    return root, language


@cache
def _parser(dialect: str) -> Parser:
    from tree_sitter import Language, Parser

    if dialect == "javascript":
        from tree_sitter_javascript import language
    elif dialect == "tsx":
        from tree_sitter_typescript import language_tsx as language
    else:
        from tree_sitter_typescript import language_typescript as language
    return Parser(Language(language()))


def _fault(passage: Passage, places: object, root: Tree, dialect: str) -> SourceError:
    """Return the first fault of a tree that has one: code that fits nowhere, or a mark that is missing."""
    from radixlint.flow.script_places import ByteOffsets

    assert isinstance(places, ByteOffsets)
    node, found = root, root
    while not (node.is_error and node is not root) and not node.is_missing:
        found = node
        inside = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inside is None:
            break
        node = inside
    else:
        found = node
    start, end = places.range(found)
    if found.is_missing:
        return passage.error(f"not {dialect}: {found.type!r} is missing", start)
    shown = " ".join(passage.text[start : min(end, start + _SHOWN)].split())
    return passage.error(f"not {dialect}: {shown!r} is not expected here", start)
