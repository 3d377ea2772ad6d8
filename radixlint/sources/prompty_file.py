"""Prompty files (``.prompty``): front matter, then ``system:`` and ``user:`` lines with Jinja or Mustache between them."""

from __future__ import annotations

from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._front_matter import split_front_matter
from radixlint.sources._role_markers import has_marker_ahead, with_roles
from radixlint.sources._tree import Leaf, Table, Tree

NAME = "prompty"
SUFFIXES = frozenset((".prompty", ".prompt"))
RANK = 70


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the file as one prompt; None for a ``.prompt`` without role lines.

    Raises:
        SourceError: front matter or template do not parse.
    """
    if source.path.lower().endswith(".prompt") and not has_marker_ahead(source.text):
        return None
    settings, body = split_front_matter(source)
    if _format(settings) == "mustache":
        from radixlint.sources._handlebars_read import read_handlebars

        segments, notes = read_handlebars(body, includes)
    else:
        from radixlint.sources._jinja_read import read_jinja

        found = read_jinja(body, includes)
        segments, notes = found.segments, found.notes
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    return SourceRead(NAME, (Prompt(source.path, name, NAME, with_roles(segments)),), notes)


def _format(settings: Table | None) -> str:
    """Return what ``template`` names: a word, or the ``type`` or ``format`` of a mapping, or the ``kind`` in there."""
    told: Tree | None = settings.get("template") if settings is not None else None
    while isinstance(told, Table):
        told = next((found for key in ("format", "kind", "type") if (found := told.get(key)) is not None), None)
    return told.passage.text.lower() if isinstance(told, Leaf) else ""
