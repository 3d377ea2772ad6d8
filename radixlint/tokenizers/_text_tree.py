"""Encode only what is new: a radix tree over text whose edges carry their ids, so that a known prefix costs a comparison."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Final

from radixlint.tokenizers._certain_cuts import Cuts

# A node, its children's dict and a slot in its parent's.
_NODE_BYTES: Final = 320
_KEPT_SHARE: Final = 0.5


class _Node:
    __slots__ = ("children", "ids", "text", "used")

    def __init__(self, text: str, ids: bytes, used: int) -> None:
        self.text = text
        self.ids = ids
        self.used = used
        # By the child's text up to its first certain cut: two children may share a part of a word.
        self.children: dict[str, _Node] = {}


class TextTree:
    """Encodes texts that share their beginnings; equal to ``encode`` for every text.

    Every node but a leaf ends at a cut that is certain in all texts through it, so the ids along a path, joined, are
    the ids of the text. Above the budget the half used last is kept.

    Args:
        encode: text to ids, little-endian uint32.
        cuts: where the texts may be cut.
        budget_bytes: the most that texts and ids may hold together, about.
    """

    def __init__(self, encode: Callable[[str], bytes], cuts: Cuts, *, budget_bytes: int) -> None:
        self._encode_new = encode
        self._cuts = cuts
        self._budget_bytes = budget_bytes
        self._root = _Node("", b"", 0)
        self._clock = 0
        self._held_bytes = 0

    def encode(self, text: str) -> bytes:
        """Return the ids of ``text``, exactly those that ``encode`` gives."""
        if self._held_bytes > self._budget_bytes:
            self._forget()
        self._clock += 1
        node, at, length, cuts = self._root, 0, len(text), self._cuts
        parts: list[bytes] = []
        while at < length:
            atom = text[at : cuts.next_cut(text, at)]
            child = node.children.get(atom)
            if child is None:
                node.children[atom] = leaf = self._leaf(text[at:])
                self._held_bytes += sys.getsizeof(atom)
                parts.append(leaf.ids)
                break
            edge = child.text
            end = at + len(edge)
            if not text.startswith(edge, at):
                self._split(child, self._shared_end(edge, text, at))
            elif end < length and not cuts.is_cut(text, end):
                self._split(child, cuts.last_cut(edge, len(atom), len(edge) - 1))
            elif end < length and not child.children:
                self._extend(child, text[end:])
            at += len(child.text)
            parts.append(child.ids)
            child.used = self._clock
            node = child
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _leaf(self, text: str) -> _Node:
        ids = self._encode_new(text)
        self._held_bytes += sys.getsizeof(text) + len(ids) + _NODE_BYTES
        return _Node(text, ids, self._clock)

    def _extend(self, leaf: _Node, text: str) -> None:
        # A conversation that grows stays one edge.
        ids = self._encode_new(text)
        self._held_bytes += sys.getsizeof(text) + len(ids)
        leaf.text += text
        leaf.ids += ids

    def _shared_end(self, edge: str, text: str, at: int) -> int:
        """Return the last cut of ``edge`` that is certain in it and in ``text`` from ``at`` and before which they agree."""
        shared = _common_length(edge, text, at)
        first = self._cuts.next_cut(edge, 0)
        if at + shared == len(text) or self._cuts.is_cut(text, at + shared):
            return self._cuts.last_cut(edge, first, shared)
        return self._cuts.last_cut(edge, first, shared - 1)

    def _split(self, node: _Node, at: int) -> None:
        text, ids = node.text, node.ids
        if at * 2 > len(text):
            tail_ids = self._encode_new(text[at:])
            head_ids = ids[: len(ids) - len(tail_ids)]
        else:
            head_ids = self._encode_new(text[:at])
            tail_ids = ids[len(head_ids) :]
        tail = _Node(text[at:], tail_ids, node.used)
        tail.children = node.children
        atom = tail.text[: self._cuts.next_cut(tail.text, 0)]
        node.text, node.ids, node.children = text[:at], head_ids, {atom: tail}
        self._held_bytes += _NODE_BYTES + sys.getsizeof(atom)

    def _forget(self) -> None:
        """Drop what was used longest ago until a share of the budget is held; a parent is never older than its children."""
        kept_bytes, limit, oldest = 0, self._budget_bytes * _KEPT_SHARE, self._clock + 1
        for used, held_bytes in sorted(((n.used, _held_bytes(n)) for n in _nodes(self._root)), reverse=True):
            kept_bytes += held_bytes
            if kept_bytes > limit:
                break
            oldest = used
        for node in list(_nodes(self._root)):
            node.children = {atom: child for atom, child in node.children.items() if child.used >= oldest}
        self._held_bytes = sum(map(_held_bytes, _nodes(self._root)))


def _nodes(root: _Node) -> Iterator[_Node]:
    pending = list(root.children.values())
    yield root
    while pending:
        node = pending.pop()
        yield node
        pending.extend(node.children.values())


def _held_bytes(node: _Node) -> int:
    return sys.getsizeof(node.text) + len(node.ids) + _NODE_BYTES + sum(map(sys.getsizeof, node.children))


def _common_length(edge: str, text: str, at: int) -> int:
    """Return how many characters of ``edge`` stand in ``text`` from ``at``, knowing that not all do."""
    step, high = 64, min(len(edge), len(text) - at)
    low = 0
    while low + step < high and edge[low : low + step] == text[at + low : at + low + step]:
        low += step
        step *= 2
    high = min(high, low + step)
    while low < high:
        middle = (low + high + 1) // 2
        if edge[low:middle] == text[at + low : at + middle]:
            low = middle
        else:
            high = middle - 1
    return low
