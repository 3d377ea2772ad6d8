"""The tree of parts against the tree of bytes: the same answers, however sequences are cut."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from radixlint.radix import PartsTree, RadixTree

PARTS = st.sampled_from([array("I", ids).tobytes() for ids in ([], [1], [2], [1, 1], [1, 2], [2, 1, 1], [1, 2, 1, 1, 2], [3])])
LOGS = st.lists(st.tuples(st.lists(PARTS, max_size=6), st.sampled_from(["", "n"])), max_size=20)


@given(LOGS)
def test_answers_are_those_of_the_tree_of_bytes(log: list[tuple[list[bytes], str]]) -> None:
    """Matched tokens and partners are equal, for parts that are one object or not, and borders that agree or not."""
    parts_tree, tree = PartsTree(), RadixTree()

    for position, (parts, namespace) in enumerate(log):
        found = parts_tree.insert(tuple(parts), namespace=namespace, owner=position)
        assert found == tree.insert(b"".join(parts), now=position, namespace=namespace, owner=position)


def test_shared_parts_are_not_copied() -> None:
    """A conversation that grows is held in its own parts."""
    history = [array("I", [i, *range(2_000)]).tobytes() for i in range(20)]
    tree = PartsTree()

    for turns in range(1, len(history) + 1):
        assert tree.insert(tuple(history[:turns]), owner=turns).matched_tokens == 2_001 * (turns - 1)

    assert all(part in history for part in tree._parts)
