"""Find parts of a document by a path: ``a.b`` for keys, ``*`` for every key, ``[*]`` for every item, ``.`` for itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from radixlint.late_pattern import late_pattern
from radixlint.sources._tree import Leaf, Listing, Table, Tree

_STEP = late_pattern(r"\[(?P<index>\*|-?\d+)\]|(?P<key>[^.\[\]]+)")


@cache
def _steps(path: str) -> tuple[tuple[str, str], ...]:
    return tuple((match.lastgroup or "", match[match.lastgroup or 0]) for match in _STEP.finditer(path))


def found_at(tree: Tree, path: str) -> Iterator[Tree]:
    """Yield what stands at ``path`` below ``tree``, in the order of the file."""
    yield from _walk(tree, _steps(path))


def _walk(tree: Tree, steps: Sequence[tuple[str, str]]) -> Iterator[Tree]:
    if not steps:
        yield tree
        return
    (kind, word), rest = steps[0], steps[1:]
    children: Sequence[Tree | None] = ()
    if kind == "key" and isinstance(tree, Table):
        children = [value for _, value in tree.pairs] if word == "*" else [tree.get(word)]
    elif kind == "index" and isinstance(tree, Listing):
        children = tree.items if word == "*" else tree.items[int(word) :][:1]
    for child in children:
        if child is not None:
            yield from _walk(child, rest)


def text_at(tree: Tree, path: str) -> str | None:
    """Return the first scalar at ``path`` as text, None if there is none."""
    return next((found.passage.text for found in found_at(tree, path) if isinstance(found, Leaf)), None)


def holds(tree: Tree, conditions: Mapping[str, bool | Sequence[str]]) -> bool:
    """Whether ``tree`` has what each condition asks of a path: to be there, not to be there, or to hold one of some words."""
    return all(_holds(tree, path, asked) for path, asked in conditions.items())


def _holds(tree: Tree, path: str, asked: bool | Sequence[str]) -> bool:
    if isinstance(asked, bool):
        return any(True for _ in found_at(tree, path)) is asked
    return any(isinstance(found, Leaf) and found.passage.text in asked for found in found_at(tree, path))
