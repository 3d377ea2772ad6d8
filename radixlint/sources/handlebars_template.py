"""Handlebars and Mustache templates: ``.hbs``, ``.handlebars``, ``.mustache``."""

from __future__ import annotations

from radixlint.passage import whole
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._prompt_signs import judge_template

NAME = "handlebars-template"
SUFFIXES = frozenset((".hbs", ".handlebars", ".mustache"))


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the template as one prompt; None for a template of something else.

    Raises:
        SourceError: the template does not parse.
    """
    judged = judge_template(source)
    if judged.is_other:
        return None
    from radixlint.sources._handlebars_read import read_handlebars

    segments, notes = read_handlebars(whole(source), includes)
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    return SourceRead(NAME, judged.told((Prompt(source.path, name, NAME, segments),)), notes)
