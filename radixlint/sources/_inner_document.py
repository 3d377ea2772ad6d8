"""Parse JSON or YAML that stands inside a string, and give every text in it its place in the outer file."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.errors import SourceError
from radixlint.passage import Ground, Passage
from radixlint.prompt import SourceText
from radixlint.sources._tree import Leaf, Listing, Table, Tree


def parse_inner(passage: Passage) -> Tree | None:
    """Return the list or mapping that ``passage`` holds as JSON or, failing that, as YAML; None if it holds none."""
    first = passage.text.lstrip()[:1]
    if first not in ("[", "{", "-"):
        return None
    inner = Ground(SourceText(passage.ground.path, passage.text))
    try:
        tree = _parsed(inner, is_json=first != "-")
    except SourceError:
        return None
    return _moved(tree, passage) if isinstance(tree, Listing | Table) else None


def _parsed(ground: Ground, is_json: bool) -> Tree | None:
    if is_json:
        from radixlint.sources._json_tree import parse_json

        return parse_json(ground)[0]
    from radixlint.sources._yaml_tree import parse_yaml

    documents = parse_yaml(ground)
    return documents[0] if len(documents) == 1 else None


def _moved(tree: Tree, outer: Passage) -> Tree:
    start, end = outer.offset(tree.start), outer.offset(tree.end)
    if isinstance(tree, Leaf):
        return Leaf(_through(tree.passage, outer), start, end, tree.is_text, tree.is_slot)
    if isinstance(tree, Listing):
        return Listing(tuple(_moved(item, outer) for item in tree.items), start, end)
    return Table(tuple((key, _moved(value, outer)) for key, value in tree.pairs), start, end)


def _through(passage: Passage, outer: Passage) -> Passage:
    table: Sequence[int] = [outer.offset(passage.offset(index)) for index in range(len(passage.text) + 1)]
    if outer.table is None and passage.table is None:
        return Passage(passage.text, outer.ground, table[0])
    return Passage(passage.text, outer.ground, 0, table)
