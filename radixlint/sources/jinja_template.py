"""Jinja templates: ``.j2``, ``.jinja``, ``.jinja2``; parsed, never compiled or rendered."""

from __future__ import annotations

from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._passage import whole

NAME = "jinja-template"
SUFFIXES = frozenset((".j2", ".jinja", ".jinja2"))


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the template as one prompt; a file of macros only gives one prompt a macro.

    Raises:
        SourceError: the template does not parse.
    """
    from radixlint.sources._jinja_read import read_jinja

    found = read_jinja(whole(source), includes)
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    prompts = [Prompt(source.path, name, NAME, found.segments)]
    if found.macros:
        prompts = [Prompt(source.path, f"{name}:{macro}", NAME, segments) for macro, segments in found.macros]
    return SourceRead(NAME, tuple(prompts), found.notes)
