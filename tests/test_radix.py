"""The radix tree against two slow, obvious twins, and what its nodes say."""

from __future__ import annotations

import os
import struct
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_invariants import violations

from radixlint.radix import RadixTree

PAGES = (1, 2, 4, 16)
LOGS = max(2000, int(os.environ.get("RADIXLINT_EXAMPLES", "0")))
Log = list[tuple[str, list[int]]]

# One request: which earlier one it starts like, how much of it is kept, and runs of (token, count) that follow.
RUNS = st.lists(st.tuples(st.integers(0, 1), st.sampled_from([1, 2, 3, 15, 16, 17, 40])), max_size=4)
PLANS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 8), RUNS, st.sampled_from(["", "", "b"])), min_size=1, max_size=7)


def packed(ids: list[int]) -> bytes:
    """Return ids as the tree takes them."""
    return struct.pack(f"<{len(ids)}I", *ids)


def build(plan: list[tuple[int, int, list[tuple[int, int]], str]]) -> Log:
    """Turn a plan into requests that collide often: two tokens, shared beginnings, long runs."""
    log: Log = []
    for source, eighths, runs, namespace in plan:
        start = log[source % len(log)][1] if log else []
        tail = [token for token, count in runs for _ in range(count)]
        log.append((namespace, start[: len(start) * eighths // 8] + tail))
    return log


def common(one: list[int], other: list[int]) -> int:
    """Return the length of the common prefix, counted one by one."""
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length


def longest_common(log: Log, place: int) -> int:
    """Return the longest common prefix of a request with any earlier one of its namespace."""
    namespace, ids = log[place]
    return max((common(ids, other) for space, other in log[:place] if space == namespace), default=0)


class BlockChain:
    """The other twin: blocks hashed with their parent's hash, as vLLM stores them."""

    def __init__(self, block: int) -> None:
        self.block = block
        self.seen: set[int] = set()

    def chain(self, namespace: str, ids: list[int]) -> list[int]:
        """Return the hash of every whole block, each with all before it."""
        hashes, parent = [], hash(namespace)
        for at in range(0, len(ids) - self.block + 1, self.block):
            parent = hash((parent, tuple(ids[at : at + self.block])))
            hashes.append(parent)
        return hashes

    def match_and_add(self, namespace: str, ids: list[int]) -> int:
        """Return how many leading tokens are in known blocks, then add all."""
        hashes = self.chain(namespace, ids)
        known = next((i for i, value in enumerate(hashes) if value not in self.seen), len(hashes))
        self.seen.update(hashes)
        return known * self.block


@settings(max_examples=LOGS)
@given(PLANS)
def test_tree_equals_longest_common_prefix_and_block_chain(plan: list) -> None:
    """For pages of 1, 2, 4 and 16, match and insert find what brute force and a chain of block hashes find."""
    log = build(plan)
    longest = [longest_common(log, place) for place in range(len(log))]
    for page in PAGES:
        tree, chain = RadixTree(page), BlockChain(page)
        for place, (namespace, ids) in enumerate(log):
            matched = tree.match(packed(ids), namespace)
            inserted = tree.insert(packed(ids), now=place, namespace=namespace, owner=place)

            assert matched == inserted.matched_tokens == longest[place] // page * page
            assert matched == chain.match_and_add(namespace, ids)
        assert tree.stored_tokens == len(chain.seen) * page
        assert violations(tree) == []


@given(PLANS, st.sampled_from(PAGES))
def test_match_changes_nothing(plan: list, page: int) -> None:
    """After any number of matches the tree walks as before, node by node."""
    log = build(plan)
    tree = RadixTree(page)
    for place, (namespace, ids) in enumerate(log[::2]):
        tree.insert(packed(ids), now=place, namespace=namespace, owner=place)
    before = list(tree.walk())

    for namespace, ids in log:
        tree.match(packed(ids), namespace)
        tree.match(packed(ids), namespace, limit_tokens=len(ids) - 1)

    assert list(tree.walk()) == before


@given(PLANS, st.sampled_from(PAGES))
def test_walk_tells_what_was_inserted(plan: list, page: int) -> None:
    """Each node's stretch stands in its owner's sequence, and its uses are the sequences that start with it."""
    log = build(plan)
    tree = RadixTree(page)
    for place, (namespace, ids) in enumerate(log):
        tree.insert(packed(ids), now=place, namespace=namespace, owner=place)
    whole = [(namespace, ids[: len(ids) // page * page]) for namespace, ids in log]
    starts: dict[int | None, list[int]] = {None: []}

    for view in tree.walk():
        space, owned = whole[view.owner]
        stretch = owned[view.depth_tokens : view.depth_tokens + view.tokens]
        start = starts[view.parent_id] + stretch
        starts[view.id] = start
        assert space == view.namespace
        assert len(stretch) == view.tokens
        assert owned[: len(start)] == start
        assert view.uses == sum(n == space and ids[: len(start)] == start for n, ids in whole)


@given(PLANS, st.sampled_from(PAGES))
def test_partner_starts_with_the_match(plan: list, page: int) -> None:
    """The partner is an earlier request of the namespace that starts with the matched tokens; none matched, no partner."""
    log = build(plan)
    tree = RadixTree(page)
    for place, (namespace, ids) in enumerate(log):
        found = tree.insert(packed(ids), now=place, namespace=namespace, owner=place)

        assert (found.partner is None) == (found.matched_tokens == 0)
        if found.partner is not None:
            assert found.partner < place
            assert log[found.partner][0] == namespace
            assert common(log[found.partner][1], ids) >= found.matched_tokens


@pytest.mark.parametrize(("stored", "asked", "matched", "partner"), [
    ([1, 2, 3, 4], [1, 2, 9], 2, 0),
    ([1, 2, 3, 4], [1, 2, 3, 4], 4, 0),
    ([1, 2, 3, 4], [1, 2, 3, 4, 5], 4, 0),
    ([1, 2, 3, 4], [9, 2], 0, None),
    ([1, 2, 3, 4], [], 0, None),
])  # fmt: skip
def test_insert_names_the_sequence_it_parts_from(stored: list[int], asked: list[int], matched: int, partner: int | None) -> None:
    """A new sequence that differs inside an edge, equals it, goes on from it, shares nothing, or is empty."""
    tree = RadixTree()
    tree.insert(packed(stored), now=1, owner=0)
    found = tree.insert(packed(asked), now=2, owner=1)

    assert (found.matched_tokens, found.partner) == (matched, partner)


def test_namespaces_never_share() -> None:
    """Equal tokens under two names are stored twice, whatever the names look like."""
    tree = RadixTree()
    names = ["", "a", "a\x01\x00\x00\x00", "\ud800", "ä"]
    for now, name in enumerate(names):
        assert tree.match(packed([1, 2, 3]), name) == 0
        tree.insert(packed([1, 2, 3]), now=now, namespace=name)

    assert tree.stored_tokens == 3 * len(names)
    assert [view.namespace for view in tree.walk()] == names
    assert violations(tree) == []


def test_limit_caps_a_match_in_whole_pages() -> None:
    """A limit below a page border gives the page before; a negative or zero limit gives nothing."""
    tree = RadixTree(16)
    tree.insert(packed(list(range(64))), now=1)
    limits = (-1, 0, 15, 16, 63, 64, 65)

    assert [tree.match(packed(list(range(64))), limit_tokens=limit) for limit in limits] == [0, 0, 0, 16, 48, 64, 64]


def test_deep_trees_need_no_recursion() -> None:
    """A chain far deeper than the interpreter's stack limit is built, walked, matched, locked and evicted."""
    depth = 3 * sys.getrecursionlimit()
    ids = packed([i % 7 for i in range(depth)])
    tree = RadixTree(capacity_tokens=depth)
    for length in range(1, depth + 1):
        tree.insert(ids[: 4 * length], now=length, owner=length)

    assert tree.node_count == depth
    assert sum(1 for _ in tree.walk()) == depth
    assert tree.match(ids) == depth
    tree.release(tree.admit(ids, now=depth + 1))
    assert tree.evict(depth) == depth
    assert tree.node_count == 0


def test_storage_is_four_bytes_a_token() -> None:
    """Long sequences cost 4 bytes a token and a fixed sum a node: inputs are not kept alive, ids never become objects."""
    tree = RadixTree()
    prefix = list(range(5000))
    for i in range(20):
        tree.insert(packed([*prefix, *range(10_000 * (i + 1), 10_000 * (i + 1) + 5000)]), now=i)
    nodes, size = [tree.root], 0
    for node in nodes:
        nodes += (node.children or {}).values()
        size += sys.getsizeof(node.edge)

    assert tree.stored_tokens == 5000 * 21
    assert size <= 4 * tree.stored_tokens + 40 * len(nodes)


@pytest.mark.parametrize(("page", "capacity"), [(0, None), (-1, None), (1, 0), (16, 15)])
def test_impossible_sizes_are_refused(page: int, capacity: int | None) -> None:
    """A tree without pages, or without room for one, cannot be made."""
    with pytest.raises(ValueError, match="no tree"):
        RadixTree(page, capacity)
