"""Columns of numbers stand for the list of objects made of them; rows of a report for the tuple of theirs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from radixlint.api.measured_rows import NameHash, request_rows
from radixlint.replay import NumberColumns, match_columns
from radixlint.replay.number_columns import held, number_or_none
from radixlint.result.measurement import RequestRow
from radixlint.traffic import Match, Request, Usage

NUMBERS = st.integers(0, 1 << 60)
MATCHES = st.lists(st.builds(Match, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS), max_size=8)


@given(MATCHES, st.slices(8))
def test_columns_answer_as_the_list_of_their_matches(matches: list[Match], part: slice) -> None:
    """Length, order, slices and single items from either end are those of the list."""
    columns = match_columns(matches)

    assert list(columns) == matches
    assert [columns[i] for i in range(-len(columns), len(columns))] == matches * 2
    assert list(columns[part]) == matches[part]
    assert columns == match_columns(matches)
    assert columns != match_columns([*matches, Match(0, 0, 0, 0)])


@given(st.lists(st.none() | st.builds(Match, NUMBERS, NUMBERS, NUMBERS, NUMBERS), max_size=8))
def test_spread_columns_hold_none_where_nothing_is_known(matches: list[Match | None]) -> None:
    """Matches spread over all requests of a log leave None between them."""
    positions = [i for i, match in enumerate(matches) if match is not None]
    spread = match_columns(match for match in matches if match is not None).spread(positions, len(matches))

    assert list(spread) == matches
    assert [spread[i] for i in range(len(spread))] == matches


@given(st.lists(st.none() | NUMBERS))
def test_unknown_numbers_stay_apart_from_zero(numbers: list[int | None]) -> None:
    """None and 0 come back as they went in."""
    columns = NumberColumns.empty(number_or_none, 1)
    for number in numbers:
        columns.append(held(number))

    assert list(columns) == numbers


def test_rows_are_made_in_file_order_and_equal_a_tuple_of_rows() -> None:
    """Requests ordered by time come out in the order of the file, each with its own cause; unknown figures are None."""
    requests = [Request(2, "c"), Request(0, None, usage=Usage(9, 0)), Request(1, "b")]
    matches = [Match(2, 5, 4, 3), None, Match(1, 8, 0, 0)]
    rows = request_rows(requests, matches, lambda known: ("capacity", "ttl")[known])
    expected = (
        RequestRow(0, None, 9, None, None, 0, "unknown"),
        RequestRow(1, "b", 8, 0, 0, None, "ttl"),
        RequestRow(2, "c", 5, 4, 3, None, "capacity"),
    )

    assert rows == expected
    assert hash(rows) == hash(expected)
    assert [rows[i] for i in (-1, 0, 1)] == [expected[i] for i in (-1, 0, 1)]
    assert rows[1:] == expected[1:]
    assert rows != expected[1:]
    hashed = request_rows(requests, [None] * 3, lambda known: "ttl", NameHash([]))
    assert [row.id for row in hashed] == [NameHash([])(name) for name in (None, "b", "c")]
    assert hashed[2] == list(hashed)[2]
