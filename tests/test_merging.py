"""Merged values: what branches share stays as it is, and whatever was on either side is still there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from radixlint.flow.merging import either, looped, merged, one_of, other_branch
from radixlint.flow.values import Absent, Listed, Number, Part, Several, Value, Written
from radixlint.prompt import Control, ControlKind, Expression, Segment, Span

_SPAN = Span("a.py", 1, 1, 1, 2)
_WORDS = [Segment(word, Span("a.py", line, 1, line, 2)) for line, word in enumerate("abcd", 1)]
_texts = st.lists(st.sampled_from(_WORDS), max_size=8).map(lambda parts: Written(tuple(parts)))
_lists = st.lists(st.sampled_from(_WORDS), max_size=8).map(
    lambda words: Listed(tuple(Part(Written((word,)), word.span) for word in words), _SPAN)
)


def _control(branch: int = 0, node: int = 1, kind: ControlKind = ControlKind.CONDITION) -> Control:
    return Control(kind, node, branch, Expression("t", ("t",)), _SPAN)


def _taken(value: Value, branch: int) -> list[str]:
    """Return the words that stand there in one branch."""
    items = value.parts if isinstance(value, Written | Listed) else ()
    there = [i for i in items if all(control.branch == branch for control in i.controls)]
    return [i.text if isinstance(i, Segment) else "".join(p.text for p in i.value.parts) for i in there]  # type: ignore[attr-defined]


@given(st.one_of(st.tuples(_texts, _texts), st.tuples(_lists, _lists)))
def test_each_branch_still_has_its_own_parts_in_order(pair: tuple[Value, Value]) -> None:
    """Of a merged value, the parts of one branch are those that it had; only what differs has a condition."""
    one, two = pair
    found = merged(((_control(),), one), ((_control(1),), two))
    assert _taken(found, 0) == _taken(one, 0)
    assert _taken(found, 1) == _taken(two, 1)
    if one == two:
        assert found == one


@given(st.lists(_texts, min_size=1, max_size=7))
def test_each_of_many_branches_still_has_its_own_parts_in_order(texts: list[Written]) -> None:
    """The same holds for a chain of branches, however many there are."""
    found = one_of([((_control(number),), text) for number, text in enumerate(texts)])
    for number, text in enumerate(texts):
        if len(texts) > 3:
            assert _taken(found, number) == _taken(text, number)
    assert isinstance(found, Written)


@given(_texts, _texts)
def test_loop_keeps_what_stood_ahead_of_it(before: Written, added: Written) -> None:
    """What a loop adds behind a text is under the loop; the text itself is not."""
    after = Written(before.parts + added.parts)
    found = looped(before, after, _control(kind=ControlKind.LOOP))
    assert isinstance(found, Written)
    assert found.parts[: len(before.parts)] == before.parts or not added.parts
    assert sum(1 for part in found.parts if part.controls) == len(added.parts)


def test_values_of_unlike_kinds_are_several() -> None:
    """A list or nothing is one of two, each under its condition; equal ones are one."""
    listed = Listed((), _SPAN)
    found = merged(((_control(),), listed), ((_control(1),), Absent()))
    assert isinstance(found, Several)
    assert [value for _, value in found.choices] == [listed, Absent()]
    assert merged(((_control(),), Absent()), ((_control(1),), Absent())) == Absent()


def test_texts_that_are_written_alike_are_one() -> None:
    """The same words at two places are the same text, so that a role stays known."""
    one, two = Written((_WORDS[0],)), Written((Segment("a", _SPAN),))
    assert merged(((_control(),), one), ((_control(1),), two)) is one


def test_first_value_without_condition_ends_the_choice() -> None:
    """What is given back without a condition leaves nothing for what follows."""
    first, second = Number(1, _SPAN), Number(2, _SPAN)
    assert either([((), first), ((), second)]) is first


def test_other_branch_of_a_loop_is_a_condition() -> None:
    """Where a loop was not entered is no loop."""
    assert other_branch(_control(kind=ControlKind.LOOP)).kind is ControlKind.CONDITION
    assert other_branch(_control(1)).branch == 0
