"""A request body as it is written: its tree with the place of every value, and of each cache mark the mapping that carries it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from radixlint.errors import SourceError
from radixlint.prompt import CacheMark, Prompt, Span
from radixlint.result.finding import Edit

if TYPE_CHECKING:
    from radixlint.sources._documents import Documents
    from radixlint.sources._tree import Table, Tree

POINT: Final = "cachePoint"
_MERGE: Final = "<<"


@dataclass(frozen=True, slots=True)
class Change:
    """Replace the half-open range of the file's text, in code points, by ``text``."""

    start: int
    end: int
    text: str


def put_behind(text: str, at: int, added: str) -> Change:
    """Return what writes ``added`` at ``at`` in ``text``.

    The last character ahead of it is written anew: beside a cut, what is only put in would count as moved text of the prompt.
    """
    return Change(at - 1, at, text[at - 1] + added)


@dataclass(frozen=True, slots=True)
class Carrier:
    """What carries a mark: the mapping ``table`` and those around it, outermost first."""

    table: Table
    parents: tuple[Tree, ...]


class BodyTree:
    """The documents of a prompt's file."""

    def __init__(self, prompt: Prompt, documents: Documents) -> None:
        self.path = prompt.path
        self.text = documents.ground.text
        self.trees = documents.trees
        self._ground = documents.ground

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, both from 1."""
        return self._starts[line - 1] + column - 1

    def edits(self, changes: Sequence[Change | None]) -> tuple[Edit, ...] | None:
        """Return the edits of ``changes``, by place; None if one cannot be made, two overlap, or there are none."""
        known = [change for change in changes if change is not None]
        ordered = sorted(known, key=lambda change: (change.start, change.end))
        if not known or len(known) < len(changes) or any(a.end > b.start for a, b in pairwise(ordered)):
            return None
        return tuple(Edit(self._span(change), change.text) for change in ordered)

    def _span(self, change: Change) -> Span:
        return self._ground.span(change.start, change.end)

    def carrier(self, mark: CacheMark) -> Carrier | None:
        """Return what carries ``mark``, None if it is not there once."""
        end = self.offset(mark.span.end_line, mark.span.end_column)
        found = [carrier for tree in self.trees for carrier in _carriers(tree, mark.key, end, ())]
        return found[0] if len(found) == 1 else None


def body_tree(prompt: Prompt) -> BodyTree | None:
    """Return the tree of a prompt's file; None if a value of it stands for two places, by an alias or a repeated key."""
    from radixlint.sources._documents import parse_documents

    if prompt.source is None:
        return None
    try:
        documents = parse_documents(prompt.source)
    except SourceError:
        return None
    is_json = prompt.path.lower().endswith(".json")
    if documents.notes or (not is_json and _has_shared_values(documents.ground.text)):
        return None
    return BodyTree(prompt, documents)


def _has_shared_values(text: str) -> bool:
    """Whether YAML has an anchor, an alias or a merge: an edit of what they name would change several places."""
    import yaml

    events = yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return any(getattr(event, "anchor", None) or getattr(event, "value", None) == _MERGE for event in events)


def _carriers(tree: Tree, key: str, end: int, parents: tuple[Tree, ...]) -> Iterator[Carrier]:
    from radixlint.sources._tree import Leaf, Table

    if isinstance(tree, Leaf):
        return
    if isinstance(tree, Table) and isinstance(mark := tree.get(key), Table) and mark.end == end:
        yield Carrier(tree, parents)
    for child in [value for _, value in tree.pairs] if isinstance(tree, Table) else tree.items:
        if child.start < end <= child.end:
            yield from _carriers(child, key, end, (*parents, tree))
