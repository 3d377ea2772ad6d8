"""The one-pass sums behind each segment equal a slow, obvious count over what can be sent together."""

from __future__ import annotations

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from radixlint.prompt import Control, ControlKind, Expression, Segment, Span
from radixlint.stake.behind import are_exclusive
from radixlint.stake.outline import weights_behind

HERE = Span("p", 1, 1, 1, 2)
Shape = list["int | tuple[ControlKind, list[Shape]]"]

SHAPES = st.recursive(
    st.lists(st.integers(0, 9), max_size=3),
    lambda inner: st.lists(
        st.one_of(st.integers(0, 9), st.tuples(st.sampled_from(ControlKind), st.lists(inner, min_size=1, max_size=3))), max_size=4
    ),
    max_leaves=12,
)


def laid_out(shape: Shape, around: tuple[Control, ...], numbers: list[int]) -> list[Segment]:
    """Return segments whose text has as many characters as the shape's numbers say."""
    found: list[Segment] = []
    for item in shape:
        if isinstance(item, int):
            found.append(Segment("x" * item, HERE, controls=around))
            continue
        kind, branches = item
        numbers.append(len(numbers))
        node = numbers[-1]
        for branch, inner in enumerate(branches if kind is ControlKind.CONDITION else branches[:1]):
            found.extend(laid_out(inner, (*around, Control(kind, node, branch, Expression("x"), HERE)), numbers))
    return found


def slow_weight(segments: list[Segment], depth: int = 0) -> int:
    """Add up the characters, of each condition the heaviest branch."""
    total = 0
    for control, group in groupby(segments, key=lambda s: s.controls[depth] if depth < len(s.controls) else None):
        members = list(group)
        if control is None:
            total += sum(len(s.text) for s in members)
        else:
            same = [s for s in segments if len(s.controls) > depth and s.controls[depth].node == control.node]
            branches = [[s for s in same if s.controls[depth].branch == b] for b in {s.controls[depth].branch for s in same}]
            heaviest = max(slow_weight(branch, depth + 1) for branch in branches)
            total += heaviest if members[0] is same[0] else 0
    return total


@given(SHAPES)
def test_sums_equal_the_slow_count(shape: Shape) -> None:
    """Total and every suffix agree with counting what stands behind and is not in another branch."""
    segments = laid_out(shape, (), [])
    total, behind = weights_behind(segments, [len(s.text) for s in segments])

    assert total == slow_weight(segments)
    for i, segment in enumerate(segments):
        assert behind[i] == slow_weight([s for s in segments[i + 1 :] if not are_exclusive(segment, s)])
