"""Read a passage written in Liquid into segments; the one door to that reader."""

from __future__ import annotations

from radixlint.passage import Passage, whole
from radixlint.prompt import Segment, SourceText
from radixlint.sources import Includes
from radixlint.sources._jinja_scope import Scope
from radixlint.sources._liquid_tags import parse_liquid
from radixlint.sources._liquid_walk import LiquidWalker
from radixlint.sources._tag_tree import Node
from radixlint.sources._tag_walk import Frame, Library


def read_liquid(passage: Passage, includes: Includes) -> tuple[tuple[Segment, ...], tuple[str, ...]]:
    """Return what the template prints, and notes.

    Raises:
        SourceError: it does not parse, nests too deeply, or repeats too much text.
    """
    nodes, notes = parse_liquid(passage)
    library, frame = Library(includes, _parsed), Frame(Scope())
    library.budget.spend(-len(passage.text))
    for note in notes:
        library.budget.note(note)
    LiquidWalker(passage, library).walk_file(nodes, frame)
    return tuple(frame.out), tuple(library.budget.notes)


def _parsed(source: SourceText) -> tuple[Passage, list[Node]]:
    passage = whole(source)
    return passage, parse_liquid(passage)[0]
