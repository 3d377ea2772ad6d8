"""Read a passage written in Go's template language into segments; the one door to that reader."""

from __future__ import annotations

from collections.abc import Iterator

from radixlint.passage import Passage, whole
from radixlint.prompt import Segment, SourceText
from radixlint.sources import Includes
from radixlint.sources._go_tags import parse_go
from radixlint.sources._go_walk import GoWalker, defined_in
from radixlint.sources._jinja_scope import Scope
from radixlint.sources._tag_tree import Node
from radixlint.sources._tag_walk import Frame, Library

Parts = dict[str, tuple[Segment, ...]]


def read_go(passage: Passage, includes: Includes) -> tuple[Parts, tuple[str, ...]]:
    """Return what the template prints (its name is empty), or what each prints that is only defined there; and notes.

    Raises:
        SourceError: it does not parse, nests too deeply, or repeats too much text.
    """
    nodes = parse_go(passage)
    library = Library(includes, _parsed)
    library.budget.spend(-len(passage.text))
    walker, frame = GoWalker(passage, library, nodes), Frame(Scope())
    walker.walk_file(nodes, frame)
    parts: Parts = {}
    if not any(segment.text.strip() for segment in frame.out):
        parts = dict(_defined(nodes, walker, library, passage.ground.path))
    return parts or {"": tuple(frame.out)}, tuple(library.budget.notes)


def _defined(nodes: list[Node], walker: GoWalker, library: Library, path: str) -> Iterator[tuple[str, tuple[Segment, ...]]]:
    for part, block in defined_in(nodes).items():
        inner = Frame(Scope())
        with library.budget.entered(path):
            walker.walk(block.branches[0].nodes, inner)
        yield part, tuple(inner.out)


def _parsed(source: SourceText) -> tuple[Passage, list[Node]]:
    passage = whole(source)
    return passage, parse_go(passage)
