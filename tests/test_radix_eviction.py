"""Eviction under locks: what goes, what stays, and what holds after any sequence of calls."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_invariants import violations

from radixlint.radix import Lease, RadixTree


def packed(ids: list[int]) -> bytes:
    """Return ids as the tree takes them."""
    return struct.pack(f"<{len(ids)}I", *ids)


def sequences(length: int) -> st.SearchStrategy[list[int]]:
    """Sequences of two tokens, in runs, so that they collide and part at any depth."""
    runs = st.lists(st.tuples(st.integers(0, 1), st.integers(1, 12)), max_size=5)
    return runs.map(lambda pairs: [token for token, count in pairs for _ in range(count)][:length])


OPERATIONS = st.lists(
    st.tuples(st.sampled_from(["insert", "admit", "release", "evict", "touch"]), sequences(40), st.integers(0, 60)), max_size=40
)


@given(OPERATIONS, st.sampled_from([1, 4, 16]), st.integers(16, 120))
def test_invariants_hold_after_every_call(operations: list, page: int, capacity: int) -> None:
    """No orphan, no locked node evicted, no more stored than fits, evict frees what it can: after any calls."""
    tree = RadixTree(page, capacity)
    leases: list[Lease] = []
    for now, (name, ids, number) in enumerate(operations):
        if name == "insert" and tree.free_tokens is not None and tree.free_tokens >= len(ids):
            tree.insert(packed(ids), now=now, owner=now)
        elif name == "admit":
            leases.append(tree.admit(packed(ids), now=now))
        elif name == "touch":
            tree.touch(packed(ids), now=now)
        elif name == "release" and leases:
            tree.release(leases.pop(number % len(leases)))
        elif name == "evict":
            before = tree.stored_tokens
            evicted = tree.evict(number)
            locked = sum(node.tokens for node in _nodes(tree) if node.locks)
            assert evicted == before - tree.stored_tokens
            assert (tree.free_tokens or 0) >= min(number, (tree.capacity_tokens or 0) - locked)
        assert violations(tree, leases) == []
    for lease in leases:
        tree.release(lease)
    tree.evict(capacity)
    assert tree.stored_tokens == tree.node_count == 0


def _nodes(tree: RadixTree) -> list:
    nodes = [tree.root]
    for node in nodes:
        nodes += (node.children or {}).values()
    return nodes


def test_least_recently_used_leaf_goes_whole() -> None:
    """Asking for one token drops the whole leaf used longest ago; a match counts as use."""
    tree = RadixTree(capacity_tokens=30)
    for now, token in enumerate((1, 2, 3)):
        tree.insert(packed([token] * 10), now=now)
    tree.touch(packed([1] * 10), now=5)

    assert tree.evict(1) == 10
    assert [tree.match(packed([token] * 10)) for token in (1, 2, 3)] == [10, 0, 10]


def test_a_parent_that_becomes_a_leaf_goes_next() -> None:
    """Leaves go by last use; a shared head goes after the last of its children, and as fresh as that one was."""
    tree = RadixTree(capacity_tokens=40)
    head = [1] * 10
    tree.insert(packed(head + [2] * 5), now=1)
    tree.insert(packed(head + [3] * 4), now=5)
    tree.insert(packed([7] * 10), now=6)
    tree.touch(packed(head + [3] * 4), now=7)
    tree.insert(packed([8] * 3), now=8)

    assert [tree.evict(tree.free_tokens + 1) for _ in range(5)] == [5, 10, 4, 10, 3]


def test_splitting_refreshes_the_rest_of_the_node() -> None:
    """Sharing only the head of an old prompt saves its tail for a while, as in the engine."""
    tree = RadixTree(capacity_tokens=40)
    tree.insert(packed([1] * 10 + [2] * 10), now=1)
    tree.insert(packed([5] * 10), now=2)
    tree.touch(packed([1] * 10 + [9]), now=3)

    tree.evict(11)
    assert tree.match(packed([5] * 10)) == 0
    assert tree.match(packed([1] * 10 + [2] * 10)) == 20


def test_locked_paths_stay_until_released() -> None:
    """Nothing on a locked path is evicted, two locks need two releases, and a third release is an error."""
    tree = RadixTree(capacity_tokens=20)
    ids = packed([1] * 10)
    tree.insert(ids, now=1)
    first, second = tree.admit(ids, now=2), tree.admit(packed([1] * 4), now=3)

    assert tree.evict(20) == 0
    tree.release(first)
    assert tree.evict(20) == 6
    tree.release(second)
    assert tree.evict(20) == 4
    with pytest.raises(ValueError, match="not locked"):
        tree.release(second)


def test_held_tokens_count_as_taken() -> None:
    """Room a running request holds outside the tree is not free."""
    tree = RadixTree(capacity_tokens=20)
    tree.insert(packed([1] * 10), now=1)

    assert tree.evict(5, held_tokens=5) == 0
    assert tree.evict(5, held_tokens=6) == 10


def test_insert_without_room_is_refused_and_harmless() -> None:
    """An insert that does not fit raises, and the tree stays whole."""
    tree = RadixTree(4, 10)
    tree.insert(packed([1] * 4), now=1)

    assert tree.capacity_tokens == 8
    with pytest.raises(ValueError, match="no room for 8 tokens"):
        tree.insert(packed([1] * 4 + [2] * 8), now=2)
    assert violations(tree) == []
    assert tree.match(packed([1] * 4)) == 4


def test_an_unlimited_tree_never_evicts() -> None:
    """Without a capacity there is always room."""
    tree = RadixTree()
    tree.insert(packed([1] * 10), now=1)

    assert tree.evict(1_000_000) == 0
    assert tree.free_tokens is None
    assert tree.stored_tokens == 10
