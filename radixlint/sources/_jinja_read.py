"""Read a passage written in Jinja into segments; the one door to the template reader."""

from __future__ import annotations

from jinja2 import nodes
from msgspec import Struct

from radixlint.errors import SourceError
from radixlint.passage import Passage
from radixlint.prompt import Segment
from radixlint.sources import Includes
from radixlint.sources._jinja_compose import Composer
from radixlint.sources._jinja_delimiters import USUAL, Delimiters
from radixlint.sources._jinja_files import Files
from radixlint.sources._jinja_parse import parse
from radixlint.sources._jinja_scope import Scope
from radixlint.sources._jinja_values import Budget
from radixlint.sources._jinja_walk import Frame


class JinjaRead(Struct, frozen=True):
    """What a template prints, what each of its macros would print if it prints nothing itself, and notes."""

    segments: tuple[Segment, ...]
    macros: tuple[tuple[str, tuple[Segment, ...]], ...]
    notes: tuple[str, ...]


def read_jinja(passage: Passage, includes: Includes, usual: Delimiters = USUAL) -> JinjaRead:
    """Read a template.

    Args:
        passage: the template.
        includes: opens what it names.
        usual: the delimiters of templates whose first line names no others.

    Raises:
        SourceError: it does not parse, nests too deeply, or repeats too much text.
    """
    parsed = parse(passage, usual)
    budget = Budget()
    budget.spend(-len(passage.text))
    walker = Composer(parsed, Files(includes, budget, usual))
    scope = Scope()
    try:
        segments = walker.run(scope)
        macros = []
        if not any(s.text.strip() for s in segments):
            for node in parsed.body:
                if isinstance(node, nodes.Macro):
                    frame = Frame(scope.inner())
                    walker.body(node.body, frame)
                    macros.append((node.name, tuple(frame.out)))
    except RecursionError:
        raise SourceError("too deeply nested, not checked") from None
    return JinjaRead(tuple(segments), tuple(macros), tuple(budget.notes))
