"""Parse a file of JSON or YAML once for all plug-ins that ask for it."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground
from radixlint.prompt import SourceText
from radixlint.sources._tree import Tree

_BLOCK = late_pattern(r"\{%|\{\{[#/^]|<%")
_PLACEHOLDER = late_pattern(r"\{\{|\$\{|\{[^\W\d][\w.]*\}")


class Documents(Struct, frozen=True):
    """What a file holds: one tree a document, and notes on repeated keys; ``is_templated`` if tags were taken out of it."""

    ground: Ground
    trees: tuple[Tree, ...]
    notes: tuple[str, ...] = ()
    is_templated: bool = False


@lru_cache(maxsize=1)
def parse_documents(source: SourceText) -> Documents:
    """Return the documents of ``source``: JSON by the suffix ``.json``, else YAML.

    Raises:
        SourceError: it does not parse.
    """
    ground = Ground(source)
    try:
        return _parsed(source, ground)
    except SourceError as error:
        hint = error.hint or _template_hint(ground, error.line)
        raise SourceError(error.message, line=error.line, column=error.column, hint=hint) from error


def _parsed(source: SourceText, ground: Ground) -> Documents:
    try:
        if source.path.lower().endswith(".json"):
            from radixlint.sources._json_tree import parse_json

            tree, notes = parse_json(ground)
            return Documents(ground, (tree,), notes)
        from radixlint.sources._yaml_tree import parse_yaml

        return Documents(ground, parse_yaml(ground))
    except SourceError:
        from radixlint.sources._templated_yaml import is_templated, parse_templated

        if not is_templated(source):
            raise
        try:
            return Documents(ground, parse_templated(ground), is_templated=True)
        except SourceError:
            pass
        raise


def _template_hint(ground: Ground, line: int) -> str | None:
    """Return what to do where the line that does not parse holds the signs of a template."""
    text = ground.text[ground.offset(line, 1) :].partition("\n")[0]
    if _BLOCK.search(text):
        return "it is none even without the blocks of its template; name a file that is a template as such, `.json.j2`"
    if _PLACEHOLDER.search(text):
        return "put quotes around the placeholder; without quotes only a `{{ x }}` that is a whole value is read"
    return None
