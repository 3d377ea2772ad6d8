"""Parse a file of JSON or YAML once for all plug-ins that ask for it."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from radixlint.passage import Ground
from radixlint.prompt import SourceText
from radixlint.sources._tree import Tree


class Documents(Struct, frozen=True):
    """What a file holds: one tree a document, and notes on repeated keys."""

    ground: Ground
    trees: tuple[Tree, ...]
    notes: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def parse_documents(source: SourceText) -> Documents:
    """Return the documents of ``source``: JSON by the suffix ``.json``, else YAML.

    Raises:
        SourceError: it does not parse.
    """
    ground = Ground(source)
    if source.path.lower().endswith(".json"):
        from radixlint.sources._json_tree import parse_json

        tree, notes = parse_json(ground)
        return Documents(ground, (tree,), notes)
    from radixlint.sources._yaml_tree import parse_yaml

    return Documents(ground, parse_yaml(ground))
