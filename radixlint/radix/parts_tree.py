"""A prefix tree of sequences given in parts: it holds the parts themselves, so equal ones are compared by identity, not copied.

Prompts of one log are made of the same messages. Where two sequences go on with the same parts no token is looked at; where
they do not, their bytes are compared, so how a sequence was cut into parts changes no answer.
"""

from __future__ import annotations

import itertools
from array import array

from radixlint.radix.node import shared_bytes
from radixlint.radix.tree_values import Inserted
from radixlint.traffic import TOKEN_BYTES

Parts = tuple[bytes, ...]
_Key = int | tuple[str, int]


class PartsTree:
    """All sequences inserted so far, prefixes shared; namespaces never share. There is no limit and nothing is dropped.

    Answers as ``RadixTree`` with pages of one token does. Nodes are numbers into arrays: they hold no references to each
    other, so the tree is gone as soon as nobody uses it.
    """

    def __init__(self) -> None:
        # Those of all edges, one edge after the other: to cut an edge moves none of them.
        self._parts: list[bytes] = []
        # For each node where the parts of its edge begin and end among these. The part that is cut belongs to both edges.
        self._firsts, self._stops = array("I", [0]), array("I", [0])
        # The place in the first part where the edge starts, that in the last where it ends, and its length, in bytes.
        self._starts, self._ends, self._sizes = array("I", [0]), array("I", [0]), array("Q", [0])
        self._owners = array("I", [0])
        # By the number of the parent and the first token of the edge; below the root by namespace and token.
        self._children: dict[_Key, int] = {}

    def insert(self, parts: Parts, *, namespace: str = "", owner: int = 0) -> Inserted:
        """Store the joined ``parts``, ids as uint32, and say how many leading tokens were there and whose they are."""
        rest, start = list(filter(None, parts)), 0
        node = matched = at = 0
        while at < len(rest):
            first = int.from_bytes(rest[at][start : start + TOKEN_BYTES], "little")
            key = node << 32 | first if node else (namespace, first)
            child = self._children.get(key)
            if child is None:
                self._children[key] = self._store(rest[at:], start, owner)
                break
            begin, stop, end, size = self._firsts[child], self._stops[child], self._ends[child], self._sizes[child]
            last, place = self._parts[stop - 1], at + stop - begin - 1
            if (
                self._starts[child] == start
                and place < len(rest)
                and (rest[place] is last or rest[place].startswith(last[:end]))
                and (place == at or rest[at:place] == self._parts[begin : stop - 1])
            ):
                # The usual case: the same parts throughout, or but for the last, which goes on here.
                shared, at, start = size, place, end
            else:
                shared = _shared(self._parts[begin:stop], self._starts[child], size, rest[at:], start)
                behind, start = _behind(rest[at:], start + shared)
                at = len(rest) - len(behind)
            matched += shared
            if at < len(rest) and start == len(rest[at]):
                at, start = at + 1, 0
            node = child if shared == size else self._split(key, child, shared)
        return Inserted(matched // TOKEN_BYTES, self._owners[node] if matched else None)

    def _store(self, parts: list[bytes], start: int, owner: int) -> int:
        begin = len(self._parts)
        self._parts += parts
        return self._add(begin, len(self._parts), start, len(parts[-1]), sum(map(len, parts)) - start, owner)

    def _add(self, first: int, stop: int, start: int, end: int, size: int, owner: int) -> int:
        self._firsts.append(first)
        self._stops.append(stop)
        self._starts.append(start)
        self._ends.append(end)
        self._sizes.append(size)
        self._owners.append(owner)
        return len(self._owners) - 1

    def _split(self, key: _Key, lower: int, at: int) -> int:
        """Cut the edge of ``lower`` at byte ``at`` and return the new node above it; ``lower`` stays the deeper part."""
        first, stop, start = self._firsts[lower], self._stops[lower], self._starts[lower]
        tail, tail_start = _behind(self._parts[first:stop], start + at)
        cut = stop - len(tail)
        head_stop = cut + bool(tail_start)
        head_end = tail_start or len(self._parts[cut - 1])
        head = self._add(first, head_stop, start, head_end, at, self._owners[lower])
        self._children[key] = head
        self._firsts[lower], self._starts[lower], self._sizes[lower] = cut, tail_start, self._sizes[lower] - at
        self._children[head << 32 | int.from_bytes(tail[0][tail_start : tail_start + TOKEN_BYTES], "little")] = lower
        return head


def _shared(parts: list[bytes], edge_start: int, size: int, rest: list[bytes], start: int) -> int:
    """Return how many bytes of an edge (``parts`` from ``edge_start``) ``rest`` from ``start`` begins with, in whole tokens."""
    done = 0
    if edge_start == start:
        same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(parts, rest, strict=False))
        done = min(size, max(0, sum(len(part) for part, _ in same) - start))
    own, own_start = _behind(parts, edge_start + done)
    asked, asked_start = _behind(rest, start + done)
    if not own or not asked:
        return done
    left = own[0][own_start:] if len(own) == 1 else b"".join(own)[own_start:]
    left = left[: size - done]
    if asked[0].startswith(left, asked_start):
        return size
    right = b"".join(asked)
    return done + shared_bytes(left, right, asked_start, len(right))


def _behind(parts: list[bytes], count: int) -> tuple[list[bytes], int]:
    """Return the parts behind the first ``count`` bytes, and how many bytes of the first of them are in front as well."""
    for at, part in enumerate(parts):
        if count < len(part):
            return parts[at:], count
        count -= len(part)
    return [], 0
