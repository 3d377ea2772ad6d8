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

    Answers as ``RadixTree`` with pages of one token does. Nodes are numbers into lists: they hold no references to each
    other, so the tree is gone as soon as nobody uses it.
    """

    def __init__(self) -> None:
        # For each node the parts of its edge; in arrays, which are small, the place in the first part where the edge starts,
        # that in the last where it ends, and its length, in bytes.
        self._edges: list[Parts] = [()]
        self._starts, self._ends, self._sizes = array("Q", [0]), array("Q", [0]), array("Q", [0])
        self._owners = array("Q", [0])
        # By the number of the parent and the first token of the edge; below the root by namespace and token.
        self._children: dict[_Key, int] = {}

    def insert(self, parts: Parts, *, namespace: str = "", owner: int = 0) -> Inserted:
        """Store the joined ``parts``, ids as uint32, and say how many leading tokens were there and whose they are."""
        rest, start = tuple(filter(None, parts)), 0
        node = matched = at = 0
        while at < len(rest):
            first = int.from_bytes(rest[at][start : start + TOKEN_BYTES], "little")
            key = node << 32 | first if node else (namespace, first)
            child = self._children.get(key)
            if child is None:
                new = rest[at:]
                self._children[key] = self._add(new, start, len(new[-1]), sum(map(len, new)) - start, owner)
                break
            own, end, size = self._edges[child], self._ends[child], self._sizes[child]
            last = len(own) - 1
            place = at + last
            if (
                self._starts[child] == start
                and rest[at:place] == own[:last]
                and rest[place : place + 1]
                and rest[place].startswith(own[last][:end])
            ):
                # The usual case: the same parts throughout, or but for the last, which goes on here.
                shared, at, start = size, place, end
            else:
                shared = _shared(own, self._starts[child], size, rest[at:], start)
                behind, start = _behind(rest[at:], start + shared)
                at = len(rest) - len(behind)
            matched += shared
            if at < len(rest) and start == len(rest[at]):
                at, start = at + 1, 0
            node = child if shared == size else self._split(key, child, shared)
        return Inserted(matched // TOKEN_BYTES, self._owners[node] if matched else None)

    def _add(self, parts: Parts, start: int, end: int, size: int, owner: int) -> int:
        self._edges.append(parts)
        self._starts.append(start)
        self._ends.append(end)
        self._sizes.append(size)
        self._owners.append(owner)
        return len(self._edges) - 1

    def _split(self, key: _Key, lower: int, at: int) -> int:
        """Cut the edge of ``lower`` at byte ``at`` and return the new node above it; ``lower`` stays the deeper part."""
        parts, start = self._edges[lower], self._starts[lower]
        tail, tail_start = _behind(parts, start + at)
        head_parts = parts[: len(parts) - len(tail) + bool(tail_start)]
        head = self._add(head_parts, start, tail_start or len(head_parts[-1]), at, self._owners[lower])
        self._children[key] = head
        self._edges[lower], self._starts[lower], self._sizes[lower] = tail, tail_start, self._sizes[lower] - at
        self._children[head << 32 | int.from_bytes(tail[0][tail_start : tail_start + TOKEN_BYTES], "little")] = lower
        return head


def _shared(parts: Parts, edge_start: int, size: int, rest: Parts, start: int) -> int:
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


def _behind(parts: Parts, count: int) -> tuple[Parts, int]:
    """Return the parts behind the first ``count`` bytes, and how many bytes of the first of them are in front as well."""
    for at, part in enumerate(parts):
        if count < len(part):
            return parts[at:], count
        count -= len(part)
    return (), 0
