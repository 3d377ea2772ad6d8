"""Liquid templates: ``.liquid``."""

from __future__ import annotations

from radixlint.passage import Passage, whole
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._jinja_scope import Scope
from radixlint.sources._liquid_tags import parse_liquid
from radixlint.sources._liquid_walk import LiquidWalker
from radixlint.sources._prompt_signs import judge_template
from radixlint.sources._tag_tree import Node
from radixlint.sources._tag_walk import Frame, Library

NAME = "liquid-template"
SUFFIXES = frozenset((".liquid",))


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the template as one prompt; None for a template of something else.

    Raises:
        SourceError: the template does not parse.
    """
    judged = judge_template(source)
    if judged.is_other:
        return None
    passage = whole(source)
    nodes, notes = parse_liquid(passage)
    library, frame = Library(includes, _parsed), Frame(Scope())
    library.budget.spend(-len(source.text))
    for note in notes:
        library.budget.note(note)
    LiquidWalker(passage, library).walk_file(nodes, frame)
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    return SourceRead(NAME, judged.told((Prompt(source.path, name, NAME, tuple(frame.out)),)), tuple(library.budget.notes))


def _parsed(source: SourceText) -> tuple[Passage, list[Node]]:
    passage = whole(source)
    return passage, parse_liquid(passage)[0]
