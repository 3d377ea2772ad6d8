"""Liquid templates: ``.liquid``."""

from __future__ import annotations

from radixlint.passage import whole
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._prompt_signs import judge_template

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
    from radixlint.sources._liquid_read import read_liquid

    segments, notes = read_liquid(whole(source), includes)
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    return SourceRead(NAME, judged.told((Prompt(source.path, name, NAME, segments),)), notes)
