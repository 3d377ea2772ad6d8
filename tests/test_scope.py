"""A store takes changes back, and lists what was changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from radixlint.flow.scope import Space, Store
from radixlint.flow.values import Absent, Number, Value
from radixlint.prompt import Span

_SPAN = Span("a.py", 1, 1, 1, 2)
_writes = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from("xyz"), st.one_of(st.none(), st.integers(0, 3).map(lambda n: Number(n, _SPAN))))
)


@given(_writes, _writes)
def test_undo_restores_what_was_bound(first: list[tuple[int, str, Value]], second: list[tuple[int, str, Value]]) -> None:
    """After a change is taken back, every name stands for what it did; the changes are what differs."""
    store, spaces = Store(), (Space(), Space())
    for index, name, value in first:
        store.write(spaces[index], name, value)
    known = [dict(space.bound) for space in spaces]
    mark = store.mark()
    for index, name, value in second:
        store.write(spaces[index], name, value)
    changes, before = store.changes(mark), store.before(mark)
    for (space, name), now in changes.items():
        assert space.bound.get(name) == now
        assert known[spaces.index(space)].get(name) == before[space, name]
    store.undo(mark)
    assert [space.bound for space in spaces] == known


def test_names_are_found_from_the_inside_out() -> None:
    """A function sees the names around it, but not those of the class it stands in."""
    module = Space()
    owner = Space(module, is_class=True)
    method = Space(owner)
    for space in (module, owner):
        space.bound["x"] = Absent()
    assert method.holder("x") is module
    assert owner.holder("x") is owner
    assert method.holder("y") is None
