"""Jinja templates with role lines (``# system:``), as promptflow and others read them: the first line says who speaks."""

from __future__ import annotations

from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._jinja_delimiters import USUAL, Delimiters
from radixlint.sources._role_markers import has_marker_ahead, with_roles

NAME = "promptflow"
SUFFIXES = frozenset((".j2", ".jinja", ".jinja2"))
HAS_DELIMITERS = True
RANK = 40


def read(source: SourceText, includes: Includes, usual: Delimiters = USUAL) -> SourceRead | None:
    """Return the template as one prompt; None if it does not start with a role line.

    Raises:
        SourceError: the template does not parse.
    """
    if not has_marker_ahead(source.text):
        return None
    from radixlint.passage import whole
    from radixlint.sources._jinja_read import read_jinja

    found = read_jinja(whole(source), includes, usual)
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    return SourceRead(NAME, (Prompt(source.path, name, NAME, with_roles(found.segments)),), found.notes)
