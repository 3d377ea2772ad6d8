"""What varies has a name in a message even if it was never written as one expression."""

from __future__ import annotations

from radixlint.prompt import Expression, Segment, Span
from radixlint.stake.value_words import value_name


def test_a_value_of_several_branches_goes_by_its_first_source() -> None:
    """Where branches of a program were joined there is no source text; the first name, else the first call, stands for it."""
    place = Span("a.py", 1, 1, 1, 2)

    assert value_name(Segment("", place, expression=Expression("", ("desk.title", "user.name")))) == "`desk.title`"
    assert value_name(Segment("", place, expression=Expression("", (), ("load_title",)))) == "`load_title`"
