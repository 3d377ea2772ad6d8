"""Read a passage written in Handlebars or Mustache into segments; the one door to that reader."""

from __future__ import annotations

from radixlint.passage import Passage, whole
from radixlint.prompt import Segment, SourceText
from radixlint.sources import Includes
from radixlint.sources._handlebars_tags import parse_handlebars
from radixlint.sources._handlebars_walk import HandlebarsWalker
from radixlint.sources._jinja_scope import Scope
from radixlint.sources._tag_tree import Node
from radixlint.sources._tag_walk import Frame, Library


def read_handlebars(passage: Passage, includes: Includes) -> tuple[tuple[Segment, ...], tuple[str, ...]]:
    """Return what the template prints, and notes.

    Raises:
        SourceError: it does not parse, nests too deeply, or repeats too much text.
    """
    library = Library(includes, _parsed)
    library.budget.spend(-len(passage.text))
    frame = Frame(Scope())
    HandlebarsWalker(passage, library).walk_file(parse_handlebars(passage), frame)
    return tuple(frame.out), tuple(library.budget.notes)


def _parsed(source: SourceText) -> tuple[Passage, list[Node]]:
    passage = whole(source)
    return passage, parse_handlebars(passage)
